import { LimitSource } from '../credits/shape'
import { isAppError } from '../errors'
import { endRun, type Going, markReached } from './commit'
import type { Run } from './run'

/** What a refused step means for its run: a limit leads to its last words, a key that is gone ends it. Rethrows the rest. */
export async function refusedStep(run: Run, error: unknown): Promise<Going> {
  if (!isAppError(error)) throw error
  if (error.code === 'insufficient_credits') return markReached(run, LimitSource.parse(error.detail.limitSource))
  if (error.code === 'unauthorized') {
    const result = 'The key of this run was revoked or has expired: no further step was made.'
    return endRun(run, { status: 'failed', result })
  }
  throw error
}
