import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import { isRedactedDetail, textFieldOf } from './reasoning'

/** A piece of an answer in chat form. Pieces with one `key` belong to one content block. */
export type AnswerPiece =
  | { kind: 'text'; key: string; text: string }
  /**
   * `detail`: the entry of `reasoning_details` it comes from; else `field` names its chat field.
   */
  | { kind: 'thinking'; key: string; text: string; field?: 'reasoning' | 'reasoning_content'; detail?: UnknownRecord }
  | { kind: 'redacted'; key: string; data: unknown }
  | { kind: 'call'; key: string; id: string; name: string; text: string }

const textIn = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : recordsIn(value)
        .map(({ text }) => (typeof text === 'string' ? text : ''))
        .join('')

/** What a delta or a message of chat form says, in the order in which models say it. */
export function piecesOfDelta(delta: UnknownRecord): AnswerPiece[] {
  const text = textIn(delta.content) + textIn(delta.refusal)
  return [
    ...thinkingIn(delta),
    ...(text === '' ? [] : [{ kind: 'text' as const, key: 'text', text }]),
    ...recordsIn(delta.tool_calls).map(callPiece),
  ]
}

/** Many providers send the same text as details and as a field; the details say more. */
function thinkingIn(delta: UnknownRecord): AnswerPiece[] {
  const details = recordsIn(delta.reasoning_details).map(detailPiece)
  if (details.some((piece) => piece.kind === 'thinking' && piece.text !== '')) return details
  const field = delta.reasoning_content ? 'reasoning_content' : 'reasoning'
  const text = textIn(delta[field])
  return text === '' ? details : [{ kind: 'thinking', key: `thinking ${field}`, text, field }, ...details]
}

function detailPiece(detail: UnknownRecord, position: number): AnswerPiece {
  const key = `thinking ${String(detail.id ?? detail.index ?? position)}`
  if (isRedactedDetail(detail)) return { kind: 'redacted', key: `${key} redacted`, data: detail.data }
  const field = textFieldOf(detail)
  return { kind: 'thinking', key, text: field ? textIn(detail[field]) : '', detail }
}

function callPiece(call: UnknownRecord, position: number): AnswerPiece {
  const called = isRecord(call.function) ? call.function : {}
  return {
    kind: 'call',
    key: `call ${String(call.index ?? call.id ?? position)}`,
    id: textIn(call.id),
    name: textIn(called.name),
    text: textIn(called.arguments),
  }
}
