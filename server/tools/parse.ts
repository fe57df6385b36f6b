import { tooManyWaiting } from '../errors'
import type { FairSlots } from '../kit/fair-slots'
import type { Parser, ParserOutcome } from '../kit/threads/parser'
import { runParser } from '../kit/threads/pool'

/** For whom something is parsed, and the signal that stops it. */
export type ParseOptions = { ownerId: number; signal?: AbortSignal }

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
    throw tooManyWaiting(error)
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
    throw tooManyWaiting(error)
  }
}
