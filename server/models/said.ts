import { isObject, objectsIn } from '../kit/loose'
import type { ChatChunk } from './wire'

/** A piece of text in an answer. Pieces of one lane belong together: a choice's text, its reasoning, one tool call. */
export type Said = { lane: string; text: string }

/** A content as text: itself, or the text of its parts. */
const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : objectsIn(content)
        .map((part) => textOf(part.text))
        .join('')

/** Fields of a message in which models write; the vendors differ in where reasoning stands. */
const FIELDS = ['content', 'refusal', 'reasoning', 'reasoning_content'] as const

/** Every text in the choices of a chunk, or of a whole answer: contents, reasoning, names and arguments of tool calls. */
export function saidIn(answer: ChatChunk): Said[] {
  const said: Said[] = []
  for (const [at, choice] of objectsIn(answer.choices).entries()) {
    const lane = typeof choice.index === 'number' ? choice.index : at
    const message = isObject(choice.delta) ? choice.delta : choice.message
    if (!isObject(message)) continue
    const tell = (part: string, value: unknown) => {
      const text = textOf(value)
      if (text !== '') said.push({ lane: `${lane} ${part}`, text })
    }
    for (const field of FIELDS) tell(field, message[field])
    for (const [i, call] of objectsIn(message.tool_calls).entries()) {
      const made = isObject(call.function) ? call.function : call.custom
      if (!isObject(made)) continue
      const index = typeof call.index === 'number' ? call.index : i
      tell(`call ${index} name`, made.name)
      tell(`call ${index}`, made.arguments ?? made.input)
    }
  }
  return said
}
