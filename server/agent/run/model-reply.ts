import { AppError } from '../../errors'
import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import type { Completion, CompletionChunk, ReportedUsage, WrittenText } from '../../models/completion'
import { makeTokenCounter, type TokenCounter } from '../../models/tokens'
import { openStreamReader } from '../../models/upstream/stream-reader'
import { addCallPiece, completeCalls, type OpenCalls } from './reply-calls'
import { addDetails, joinContent, mergeField, saysNothing } from './reply-fields'

/** A piece of a reply while it comes; `name` is that of the function whose call it belongs to. */
export type ModelDelta = { kind: 'text' | 'reasoning' | 'tool_call'; text: string; name?: string }

/** Called with every piece of a reply, in order. It must not throw. */
export type OnModelDelta = (delta: ModelDelta) => void

/** A model's whole reply. */
export type FoldedReply = {
  /**
   * As the model gave it: with its reasoning, its calls' ids, and fields that nobody here knows.
   */
  message: UnknownRecord
  /** Why it ended, in the provider's word; null: it does not say. */
  finishReason: string | null
  /** Null: none that can be believed. */
  usage: ReportedUsage | null
  delivered: TokenCounter
  /** True where it was stopped because nothing more is paid for: then it ended by `length`. */
  isStopped: boolean
}

/** Who follows a reply while it comes. */
export type ReplyListener = {
  onDelta?: OnModelDelta
  /** Is given what was written. False, at once or soon: the reply is stopped. */
  written?: (texts: readonly WrittenText[]) => Promise<boolean> | null
}

/**
 * Reads a completion to its end. `cancel` ends a stream that nothing more is worth waiting for.
 * Throws `upstream_error` for a stream that ends before the reply does.
 */
export async function readReply(
  answer: Completion,
  cancel: AbortController,
  { onDelta, written }: ReplyListener = {},
): Promise<FoldedReply> {
  const delivered = makeTokenCounter()
  const fold = makeReplyFold(onDelta)
  if (answer.kind === 'json') {
    delivered.addTexts(answer.facts.texts)
    fold.add(answer.body)
    return { ...fold.end(), usage: answer.facts.usage, delivered, isStopped: false }
  }
  const reader = openStreamReader(answer.events, 1)
  let isStopped = false
  try {
    for (let event = await reader.next(); event !== null; event = await reader.next()) {
      if (event.kind === 'error') throw event.error
      delivered.addTexts(event.facts.texts)
      fold.add(event.chunk)
      const goesOn = written?.(event.facts.texts) ?? null
      isStopped = goesOn !== null && !(await goesOn)
      if (isStopped) break
    }
  } finally {
    // A stream read to its end leaves its connection for the next call; any other is closed.
    if (!reader.isDrained()) cancel.abort(new Error('nothing more is worth waiting for'))
    await reader.close()
  }
  const reply = { ...fold.end(), usage: reader.usage(), delivered, isStopped }
  if (isStopped) return { ...reply, finishReason: 'length' }
  if (reply.finishReason === null && reply.usage === null) throw new AppError('upstream_error', CUT)
  return reply
}

const CUT = 'The model stopped answering before its answer was complete.'

/** Folds chunks, or one whole answer, in chat form into one message. */
export function makeReplyFold(onDelta?: OnModelDelta) {
  const message: UnknownRecord = { role: 'assistant', content: null }
  const calls: OpenCalls = []
  const details: UnknownRecord[] = []
  let finishReason: string | null = null

  const addCalls = (pieces: unknown, isWhole: boolean) => {
    for (const [position, piece] of recordsIn(pieces).entries()) {
      const at = typeof piece.index === 'number' ? piece.index : isWhole ? position : undefined
      addCallPiece(calls, piece, at)
      if (onDelta) emitCall(piece, calls.findLast((each) => at === undefined || each.at === at)?.call, onDelta)
    }
  }
  const add = ({ choices }: CompletionChunk): void => {
    const choice = recordsIn(choices).find(({ index }) => index == null || index === 0)
    if (!choice) return
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') finishReason = choice.finish_reason
    const isWhole = !isRecord(choice.delta)
    const delta = isWhole ? choice.message : choice.delta
    if (!isRecord(delta)) return
    for (const [field, value] of Object.entries(delta)) {
      if (field === 'role' || saysNothing(value)) continue
      if (field === 'content') message.content = joinContent(message.content, value)
      else if (field === 'tool_calls') addCalls(value, isWhole)
      else if (field === 'reasoning_details') addDetails(details, value)
      else mergeField(message, field, value)
    }
    if (onDelta) emitTexts(delta, onDelta)
  }
  const end = (): Pick<FoldedReply, 'message' | 'finishReason'> => {
    const made = completeCalls(calls)
    return {
      message: {
        ...message,
        ...(details.length > 0 && { reasoning_details: details }),
        ...(made.length > 0 && { tool_calls: made }),
      },
      finishReason,
    }
  }
  return { add, end }
}

function emitTexts(
  { content, refusal, reasoning, reasoning_content: thought }: UnknownRecord,
  onDelta: OnModelDelta,
): void {
  const emit = (kind: ModelDelta['kind'], text: unknown) => {
    if (typeof text === 'string' && text !== '') onDelta({ kind, text })
  }
  // Some providers send the same text under both names.
  emit('reasoning', saysNothing(reasoning) ? thought : reasoning)
  if (Array.isArray(content)) for (const { text } of recordsIn(content)) emit('text', text)
  else emit('text', content)
  emit('text', refusal)
}

function emitCall({ function: piece }: UnknownRecord, call: UnknownRecord | undefined, onDelta: OnModelDelta): void {
  const name = isRecord(call?.function) ? call.function.name : undefined
  const text = isRecord(piece) && typeof piece.arguments === 'string' ? piece.arguments : ''
  onDelta({ kind: 'tool_call', text, ...(typeof name === 'string' && { name }) })
}
