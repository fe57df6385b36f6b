import { isOnlyReserved } from '../../credits/reserve'
import { LimitSource } from '../../credits/shape'
import { AppError } from '../../errors'
import { commitStep, type RunProgress } from './commit'
import type { AgentRun } from './state'
import { failedKeeping } from './unfinished-replies'

/**
 * Ends a run whose key was revoked or whose account was suspended, and sends one whose credits ran
 * out to its final summary. Rethrows other errors, and the refusal of credits that others hold.
 */
export async function handleRefusedStep(run: AgentRun, error: unknown): Promise<RunProgress> {
  if (!(error instanceof AppError) || isOnlyReserved(error)) throw error
  if (error.code === 'insufficient_credits') {
    const limit = LimitSource.parse(error.detail.limitSource)
    return commitStep(run, null, { kind: 'limit', limit })
  }
  if (error.code === 'unauthorized') {
    const reason = 'The key of this run was revoked or has expired: no further step was made.'
    return commitStep(run, null, failedKeeping(run, reason))
  }
  // Of a suspended account: the message says so, and why.
  if (error.code === 'forbidden') return commitStep(run, null, failedKeeping(run, error.message))
  throw error
}
