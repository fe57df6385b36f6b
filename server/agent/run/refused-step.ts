import { LimitSource } from '../../credits/shape'
import { isAppError } from '../../errors'
import { commitStep, type RunProgress } from './commit'
import type { AgentRun } from './state'
import { failedWith } from './transition'

/** What a refused step means for its run: a limit leads to its last words, a key that is gone ends it. Rethrows the rest. */
export async function handleRefusedStep(run: AgentRun, error: unknown): Promise<RunProgress> {
  if (!isAppError(error)) throw error
  if (error.code === 'insufficient_credits') {
    const limit = LimitSource.parse(error.detail.limitSource)
    return (await commitStep(run, null, { kind: 'limit', limit })).going
  }
  if (error.code === 'unauthorized') {
    const end = failedWith('The key of this run was revoked or has expired: no further step was made.')
    return (await commitStep(run, null, end)).going
  }
  throw error
}
