import type { StoredCheck } from '../checks/stored'
import { testResult } from './check-result'
import { commitStep, type RunProgress } from './commit'
import { judgeResult } from './judge'
import type { AgentRun } from './state'
import type { StepDraft } from './step-draft'
import { CONTINUE, type EndTransition } from './transition'

/**
 * Ends a run with its result, once the checks of it are tested. What a judge says is written with
 * its charge, so a worker that takes over asks only those that have not answered.
 */
export async function completeRun(run: AgentRun, step: StepDraft | null, end: EndTransition): Promise<RunProgress> {
  if (!run.checks) return commitStep(run, step, end)
  if (step && (await commitStep(run, step, CONTINUE)) === 'stop') return 'stop'
  for (const at of run.checks.keys()) {
    const settled = await testCheck(run, at, { checks: run.checks, end })
    // The next turn of the segment's loop goes on with the next check, unless its worker stops.
    if (settled) return settled
  }
  return commitStep(run, null, { ...end, checks: run.checks })
}

/** Tests the check at a place, unless that was done; null: nothing had to be paid for it. */
async function testCheck(
  run: AgentRun,
  at: number,
  { checks, end }: { checks: StoredCheck[]; end: EndTransition },
): Promise<RunProgress | null> {
  const stored = checks[at]
  if (!stored || stored.outcome) return null
  const { check } = stored
  const { outcome, settlement } =
    check.kind === 'judge'
      ? await judgeResult(run, at, { check, end })
      : { outcome: await testResult(run, check, end), settlement: undefined }
  const next = checks.map((one, i) => (i === at ? { check, outcome } : one))
  if (settlement) return commitStep(run, null, { kind: 'judged', checks: next, at, settlement })
  run.checks = next
  return null
}
