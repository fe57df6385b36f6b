import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { CompletionChunk } from '../../completion'

/** The id of a message that an answer in chat form became. */
export const messageId = ({ id }: CompletionChunk, requestId: string): string =>
  `msg_${(typeof id === 'string' && id ? id : requestId).replace(/^(chatcmpl|msg|resp|gen)[-_]/, '').replaceAll(/[^\w-]/g, '_')}`

/** A message before its first block. */
export const messageStart = (id: string, model: string) => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
})

/** The choice that a message is made from: there is only one. */
export const firstChoice = ({ choices }: CompletionChunk): UnknownRecord | undefined =>
  recordsIn(choices).find(({ index }) => index === undefined || index === 0)

/** The stop sequence that a choice met, where the provider names it, as vLLM does. */
export const stopSequenceOf = ({ stop_reason: met }: UnknownRecord, given: unknown): string | null =>
  typeof met === 'string' && Array.isArray(given) && given.includes(met) ? met : null

/** A tool call's arguments as an object; what is not one stays readable for the model. */
export function inputOf(text: unknown): UnknownRecord {
  if (isRecord(text)) return text
  if (typeof text !== 'string' || text.trim() === '') return {}
  try {
    const json: unknown = JSON.parse(text)
    return isRecord(json) ? json : { INVALID_JSON: text }
  } catch {
    return { INVALID_JSON: text }
  }
}
