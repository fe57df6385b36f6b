import { LimitSource } from '../credits/shape'
import { isAppError } from '../errors'
import { commit, type Going } from './commit'
import type { Run } from './run'
import { failed } from './transition'

/** What a refused step means for its run: a limit leads to its last words, a key that is gone ends it. Rethrows the rest. */
export async function refusedStep(run: Run, error: unknown): Promise<Going> {
  if (!isAppError(error)) throw error
  if (error.code === 'insufficient_credits') {
    const limit = LimitSource.parse(error.detail.limitSource)
    return (await commit(run, null, { kind: 'limit', limit })).going
  }
  if (error.code === 'unauthorized') {
    const end = failed('The key of this run was revoked or has expired: no further step was made.')
    return (await commit(run, null, end)).going
  }
  throw error
}
