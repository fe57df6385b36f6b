import { AppError } from '../errors'
import { type FairSlots, QueueFullError } from '../kit/fair-slots'
import type { Parser, ParserOutcome } from '../kit/threads/parser'
import { runParser } from '../kit/threads/pool'

/** For whom something is parsed, and the signal that stops it. */
export type ParseOptions = { ownerId: number; signal?: AbortSignal }

/** When to retry after a queue was full, in seconds. */
const RETRY_AFTER_S = 5

/**
 * Parses untrusted input in a worker thread, whose slots owners share fairly. Throws `unavailable`
 * when the queue of the owner, or of all, is full, and the signal's reason when that aborts.
 */
export async function parseInThread<T>(
  parser: Parser,
  input: unknown,
  { ownerId, signal }: ParseOptions,
): Promise<ParserOutcome<T>> {
  try {
    return await runParser<T>(parser, input, { owner: String(ownerId), signal })
  } catch (error) {
    throw toUnavailable(error)
  }
}

/**
 * Waits for a slot of an owner; returns the function that releases it. Throws `unavailable` when
 * its queue is full.
 */
export async function acquireSlot(slots: FairSlots, { ownerId, signal }: ParseOptions): Promise<() => void> {
  try {
    return await slots.take(String(ownerId), signal)
  } catch (error) {
    throw toUnavailable(error)
  }
}

function toUnavailable(error: unknown): unknown {
  if (!(error instanceof QueueFullError)) return error
  const why = error.isOwners ? 'Too many calls of this account are waiting.' : 'The gateway is too busy.'
  return new AppError('unavailable', `${why} Try again in a few seconds.`, { retryAfter: RETRY_AFTER_S })
}
