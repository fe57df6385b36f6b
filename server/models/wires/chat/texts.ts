import { isRecord, recordsIn } from '../../../kit/record'
import type { CompletionChunk } from '../../completion'

/** A piece of text in an answer. Pieces of one lane belong together: a choice's text, its reasoning, one tool call. */
export type WrittenText = { lane: string; text: string }

/** A content as text: itself, or the text of its parts. */
const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : recordsIn(content)
        .map((part) => textOf(part.text))
        .join('')

/** Fields of a message in which models write; the vendors differ in where reasoning stands. */
const FIELDS = ['content', 'refusal', 'reasoning', 'reasoning_content'] as const

/** Every text in the choices of a chunk, or of a whole answer: contents, reasoning, names and arguments of tool calls. */
export function textsIn(answer: CompletionChunk): WrittenText[] {
  const said: WrittenText[] = []
  for (const [at, choice] of recordsIn(answer.choices).entries()) {
    const lane = typeof choice.index === 'number' ? choice.index : at
    const message = isRecord(choice.delta) ? choice.delta : choice.message
    if (!isRecord(message)) continue
    const tell = (part: string, value: unknown) => {
      const text = textOf(value)
      if (text !== '') said.push({ lane: `${lane} ${part}`, text })
    }
    for (const field of FIELDS) tell(field, message[field])
    for (const [i, call] of recordsIn(message.tool_calls).entries()) {
      const made = isRecord(call.function) ? call.function : call.custom
      if (!isRecord(made)) continue
      const index = typeof call.index === 'number' ? call.index : i
      tell(`call ${index} name`, made.name)
      tell(`call ${index}`, made.arguments ?? made.input)
    }
  }
  return said
}
