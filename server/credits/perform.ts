import { AppError } from '../errors'
import type { HoldPayer } from './hold-request'
import type { CallPlan, Ran } from './plan'
import { reserveCredits } from './reserve'
import { settleHold } from './settle'

/**
 * Takes the hold of a plan without an Idempotency-Key, and runs it. Throws what `reserveCredits`
 * throws.
 */
export async function holdAndRun<R>(payer: HoldPayer, { terms, gone, run }: CallPlan<R>): Promise<R> {
  const reserved = await reserveCredits({ ...payer, ...terms }, gone)
  if (reserved.kind !== 'held') throw new AppError('internal_error', 'A call without an Idempotency-Key was replayed.')
  return run(reserved)
}

/** Ends the hold of what has run, and returns its outcome. Throws the call's error. */
export const settleRun = async <T>(ran: Ran<T>): Promise<T> =>
  ran.kind === 'streams' ? ran.outcome : ran.outcome(await settleHold(ran.settlement))
