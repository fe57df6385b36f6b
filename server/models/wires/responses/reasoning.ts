import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'

/**
 * What a model thought, between the wires. Here it is items of type `reasoning`: a summary to read,
 * and `encrypted_content`, which the client sends back as it is. In chat form it is `reasoning` (or
 * `reasoning_content`) and the list `reasoning_details`. What other providers want back unchanged,
 * such as signatures, is put into `encrypted_content`.
 */

/** Marks what we put into `encrypted_content`. */
const ENVELOPE = 'tollgate.1.'
/** The format of details that hold this wire's encrypted reasoning. */
const FORMAT = 'openai-responses-v1'

export type ReasoningField = 'reasoning' | 'reasoning_content'

/** Reasoning as it came in chat form: the field of its text, and the details beside it. */
export type ChatReasoning = { field: ReasoningField | null; details: UnknownRecord[] }

/** What an item's `encrypted_content` says, so that the reasoning comes back as it was. */
export const sealReasoning = (given: ChatReasoning): string =>
  ENVELOPE + Buffer.from(JSON.stringify(given)).toString('base64url')

function unseal(content: unknown): ChatReasoning | null {
  if (typeof content !== 'string' || !content.startsWith(ENVELOPE)) return null
  try {
    const json: unknown = JSON.parse(Buffer.from(content.slice(ENVELOPE.length), 'base64url').toString('utf8'))
    if (!isRecord(json)) return null
    const field = json.field === 'reasoning' || json.field === 'reasoning_content' ? json.field : null
    return { field, details: recordsIn(json.details) }
  } catch {
    return null
  }
}

const textsOf = (parts: unknown): string[] =>
  recordsIn(parts).flatMap(({ text }) => (typeof text === 'string' && text !== '' ? [text] : []))

/** What can be read of a reasoning item: its summary, else the reasoning itself. */
export function reasoningText({ summary, content }: UnknownRecord): string {
  const texts = textsOf(summary)
  return (texts.length > 0 ? texts : textsOf(content)).join('\n\n')
}

/**
 * A reasoning item as the fields of a chat message: only what came from a provider of another wire.
 * What is encrypted for this one, no other can read.
 */
export function reasoningToChat(item: UnknownRecord): UnknownRecord {
  const sealed = unseal(item.encrypted_content)
  if (!sealed) return {}
  const { field, details } = sealed
  return { ...(field && { [field]: reasoningText(item) }), ...(details.length > 0 && { reasoning_details: details }) }
}

/** True for reasoning that a provider of this wire can read without having stored it. */
export const isReadableHere = ({ encrypted_content: content }: UnknownRecord): boolean =>
  typeof content === 'string' && content !== '' && !content.startsWith(ENVELOPE)

/** A reasoning item as details of a chat message, the first of them at `index`. */
export function reasoningDetails(item: UnknownRecord, index: number): UnknownRecord[] {
  const { id, encrypted_content: data } = item
  const base = { ...(typeof id === 'string' && { id }), format: FORMAT }
  return [
    ...textsOf(item.summary).map((summary) => ({ type: 'reasoning.summary', summary, ...base })),
    ...(isReadableHere(item) ? [{ type: 'reasoning.encrypted', data, ...base }] : []),
  ].map((detail, i) => ({ ...detail, index: index + i }))
}

/** The reasoning of a chat message that a provider of this wire made, as items. */
export function reasoningFromChat(details: unknown): UnknownRecord[] {
  const own = recordsIn(details).filter(({ format }) => format === FORMAT)
  return own
    .filter(({ type, data }) => type === 'reasoning.encrypted' && typeof data === 'string')
    .map(({ id, data }) => ({
      type: 'reasoning',
      ...(typeof id === 'string' && { id }),
      summary: own
        .filter((detail) => detail.type === 'reasoning.summary' && detail.id === id)
        .map(({ summary }) => ({ type: 'summary_text', text: summary })),
      encrypted_content: data,
    }))
}
