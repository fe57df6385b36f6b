import { AppError } from '../errors'
import { type FairSlots, QueueFullError } from '../kit/fair-slots'
import type { Parser, ParserOutcome } from '../kit/threads/parser'
import { runParser } from '../kit/threads/pool'

/** For whom something is parsed, and what ends it early. */
export type ParseOptions = { ownerId: number; signal?: AbortSignal }

/** Seconds after which a full queue is worth another try. */
const RETRY_AFTER_S = 5

/**
 * Parses what a stranger controls in a worker thread of the pool, its slots shared fairly by owner. Throws `unavailable`
 * when too much of that owner, or of all, waits already, and the signal's reason when that aborts.
 */
export async function parseInThread<T>(
  parser: Parser,
  input: unknown,
  { ownerId, signal }: ParseOptions,
): Promise<ParserOutcome<T>> {
  try {
    return await runParser<T>(parser, input, { owner: String(ownerId), signal })
  } catch (error) {
    throw asBusy(error)
  }
}

/** Takes a slot for an owner. Throws `unavailable` when its queue is full. */
export async function acquireSlot(slots: FairSlots, { ownerId, signal }: ParseOptions): Promise<() => void> {
  try {
    return await slots.take(String(ownerId), signal)
  } catch (error) {
    throw asBusy(error)
  }
}

function asBusy(error: unknown): unknown {
  if (!(error instanceof QueueFullError)) return error
  const whose = error.isOwners ? 'Too many calls of this account wait already.' : 'The gateway is too busy.'
  return new AppError('unavailable', `${whose} Try again in a few seconds.`, { retryAfter: RETRY_AFTER_S })
}
