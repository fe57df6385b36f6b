import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import type { FoldedReply } from './model-reply'
import type { ReplyFinish } from './model-step-output'

type MadeCall = { name: string; arguments: string }

/** A reply, and what can be done with it. */
export type FinishedReply = {
  finish: ReplyFinish
  text: string
  calls: MadeCall[]
  /** The reply without a call that was cut. */
  message: UnknownRecord
  /** Name of the call that was cut. */
  cutCall: string | null
}

/** The words of providers for an answer that was cut, and for one that was filtered. */
const CUT = /^(length|max_(output_)?tokens|model_length|token_limit)$/i
const FILTERED = /filter|safety|prohibited|recitation|blocklist|sensitive|^refus/i

/** The text of a reply's message: a string, or the texts of its parts. */
export function replyText({ content }: UnknownRecord): string {
  if (typeof content === 'string') return content
  return recordsIn(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('')
}

/** The function calls in a reply's message. */
const toolCallsIn = ({ tool_calls: calls }: UnknownRecord): MadeCall[] =>
  recordsIn(calls).flatMap(({ function: made }) => {
    if (!isRecord(made) || typeof made.name !== 'string') return []
    const given = made.arguments
    return [{ name: made.name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) }]
  })

/** True where a provider says that it cut an answer. */
export const isCutReply = (finishReason: string | null): boolean => CUT.test(finishReason ?? '')

/** Says how a reply ended, and takes away the call in which it was cut. */
export function finishReply({ message, finishReason }: Pick<FoldedReply, 'message' | 'finishReason'>): FinishedReply {
  const isCut = isCutReply(finishReason)
  const whole = isCut ? withoutCutCall(message) : { message, cutCall: null }
  const text = replyText(whole.message)
  const calls = toolCallsIn(whole.message)
  const finish = finishOf()
  // What was filtered may have been cut anywhere.
  return { ...whole, text, calls: finish === 'content_filter' ? [] : calls, finish }

  function finishOf(): ReplyFinish {
    if (FILTERED.test(finishReason ?? '')) return 'content_filter'
    if (text.trim() === '' && refusalIn(message) !== null) return 'refusal'
    if (isCut && (text.trim() !== '' || calls.length > 0 || whole.cutCall !== null)) return 'length'
    if (calls.length > 0) return 'tool_calls'
    return text.trim() === '' ? 'empty' : 'stop'
  }
}

/** What a model said instead of an answer; null: it did not refuse. */
export const refusalIn = ({ refusal }: UnknownRecord): string | null =>
  typeof refusal === 'string' && refusal.trim() !== '' ? refusal.trim() : null

/** A message without its last call where that call's arguments have no end. */
function withoutCutCall(message: UnknownRecord): Pick<FinishedReply, 'message' | 'cutCall'> {
  const { tool_calls: calls, ...rest } = message
  const last = toolCallsIn(message).at(-1)
  if (!last || isJson(last.arguments)) return { message, cutCall: null }
  const kept = recordsIn(calls).slice(0, -1)
  return { message: kept.length > 0 ? { ...rest, tool_calls: kept } : rest, cutCall: last.name }
}

/** True for a text that is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
