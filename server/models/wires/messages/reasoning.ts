import { isRecord, type UnknownRecord } from '../../../kit/record'

/**
 * What a model thought, between the wires. Here it is blocks of type `thinking` and
 * `redacted_thinking`, whose signature only the provider can make and check; in chat form it is
 * `reasoning` (or `reasoning_content`) and the list `reasoning_details`. What has no place in a
 * thinking block, such as another provider's encrypted reasoning, is put into its signature, so
 * that it comes back with the next request of a client that knows nothing of it.
 */

/** Marks signatures that we made. */
const ENVELOPE = 'tollgate.1.'
const FORMAT = 'anthropic-claude-v1'

/** What a signature that we made holds: the chat field of a text, or the details beside it. */
export type ReasoningEnvelope = { field: 'reasoning' | 'reasoning_content' } | { details: UnknownRecord[] }

export const sealEnvelope = (envelope: ReasoningEnvelope): string =>
  ENVELOPE + Buffer.from(JSON.stringify(envelope)).toString('base64url')

function openEnvelope(signature: unknown): ReasoningEnvelope | null {
  if (typeof signature !== 'string' || !signature.startsWith(ENVELOPE)) return null
  try {
    const json: unknown = JSON.parse(Buffer.from(signature.slice(ENVELOPE.length), 'base64url').toString('utf8'))
    if (!isRecord(json)) return null
    if (json.field === 'reasoning' || json.field === 'reasoning_content') return { field: json.field }
    return Array.isArray(json.details) ? { details: json.details.filter(isRecord) } : null
  } catch {
    return null
  }
}

export const isThinking = ({ type }: UnknownRecord): boolean => type === 'thinking' || type === 'redacted_thinking'

/** True for thinking that the provider of this wire signed: it refuses any other. */
export const isSignedHere = ({ type, signature }: UnknownRecord): boolean =>
  type === 'redacted_thinking' || (typeof signature === 'string' && signature !== '' && !signature.startsWith(ENVELOPE))

/** Thinking blocks as the fields of a chat message. */
export function thinkingToChat(blocks: readonly UnknownRecord[]): UnknownRecord {
  const texts: Record<string, string> = {}
  const details: UnknownRecord[] = []
  for (const block of blocks) {
    const { type, thinking, signature, data } = block
    const envelope = openEnvelope(signature)
    if (type === 'redacted_thinking') details.push({ type: 'reasoning.encrypted', data, format: FORMAT })
    else if (envelope && 'field' in envelope) texts[envelope.field] = (texts[envelope.field] ?? '') + String(thinking)
    else if (envelope) details.push(...envelope.details.map((detail) => withText(detail, thinking)))
    else if (isSignedHere(block)) details.push({ type: 'reasoning.text', text: thinking, signature, format: FORMAT })
  }
  return { ...texts, ...(details.length > 0 && { reasoning_details: details.map((d, i) => ({ index: i, ...d })) }) }
}

/** Names the field in which a detail of each type has the text that thinking blocks show. */
const TEXT_FIELDS: Record<string, string> = { 'reasoning.text': 'text', 'reasoning.summary': 'summary' }

export const textFieldOf = ({ type }: UnknownRecord): string | undefined => TEXT_FIELDS[String(type)]

/** Puts a block's text back into the detail that it was taken from. */
function withText(detail: UnknownRecord, thinking: unknown): UnknownRecord {
  const field = textFieldOf(detail)
  return field && detail[field] === null ? { ...detail, [field]: thinking } : detail
}

/** True for a detail that the provider of this wire made. */
const isOurs = ({ format }: UnknownRecord) => format == null || String(format).startsWith('anthropic')

/** The thinking of a chat message that the provider of this wire made, as blocks. */
export const thinkingFromChat = (details: readonly UnknownRecord[]): UnknownRecord[] =>
  details.filter(isOurs).flatMap(({ type, text, data, signature, format }): UnknownRecord[] => {
    if (type === 'reasoning.text' && typeof signature === 'string' && isSignedHere({ type, signature }))
      return [{ type: 'thinking', thinking: text ?? '', signature }]
    const isRedacted = type === 'reasoning.encrypted' && format != null && typeof data === 'string'
    return isRedacted ? [{ type: 'redacted_thinking', data }] : []
  })

/** A thinking block as a detail of a chat message, whole or a piece of it. */
export const thinkingDetail = (index: number, fields: UnknownRecord): UnknownRecord => ({
  type: 'reasoning.text',
  ...fields,
  format: FORMAT,
  index,
})

export const redactedDetail = (index: number, data: unknown): UnknownRecord => ({
  type: 'reasoning.encrypted',
  data,
  format: FORMAT,
  index,
})

/** True for encrypted thinking of this wire's provider, which has a block type of its own. */
export const isRedactedDetail = ({ type, format }: UnknownRecord): boolean =>
  type === 'reasoning.encrypted' && typeof format === 'string' && isOurs({ format })
