import { isRecord, recordsIn } from '../../../kit/record'
import type { CompletionChunk, WrittenText } from '../../completion'

/** A content as text: itself, or the text of its parts. */
const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : recordsIn(content)
        .map((part) => textOf(part.text))
        .join('')

/** Fields of a message in which models write; providers differ in where they put reasoning. */
const FIELDS = ['content', 'refusal', 'reasoning', 'reasoning_content'] as const

/**
 * All text in the choices of a chunk or an answer: contents, reasoning, names and arguments of tool
 * calls.
 */
export function textsIn(answer: CompletionChunk): WrittenText[] {
  const texts: WrittenText[] = []
  for (const [position, choice] of recordsIn(answer.choices).entries()) {
    const index = typeof choice.index === 'number' ? choice.index : position
    const message = isRecord(choice.delta) ? choice.delta : choice.message
    if (!isRecord(message)) continue
    const add = (part: string, value: unknown) => {
      const text = textOf(value)
      if (text !== '') texts.push({ lane: `${index} ${part}`, text })
    }
    for (const field of FIELDS) add(field, message[field])
    for (const [position, call] of recordsIn(message.tool_calls).entries()) {
      const called = isRecord(call.function) ? call.function : call.custom
      if (!isRecord(called)) continue
      const callIndex = typeof call.index === 'number' ? call.index : position
      add(`call ${callIndex} name`, called.name)
      add(`call ${callIndex}`, called.arguments ?? called.input)
    }
  }
  return texts
}
