import { setTimeout as sleep } from 'node:timers/promises'
import { recordSettlement, type Settlement, type SettleRequest } from '../../credits/settlement'
import { log } from '../../kit/log'
import { type Claim, type CommitItem, type CommitRow, isOutcomeUnknown, writeCommit } from './commit-batch'
import type { AgentRun, RunStep } from './state'
import type { StepDraft } from './step-draft'
import { stepOutcomeFor } from './step-draft'
import type { Transition } from './transition'

/** Whether a run goes on; `over`: it has ended, pauses or was cancelled, or somebody else has the claim. */
export type RunProgress = 'on' | 'over'

/** What a commit came to: whether the run goes on, and how its step's hold was settled. */
export type CommitResult = { going: RunProgress; settled: Settlement | null }

const MAX_WAIT_MS = 10_000

/**
 * Writes a step with its charge, and what follows from it, in one round trip. A step of a run that was cancelled
 * meanwhile is kept and charged; one of a worker that lost its claim is not, and its hold is void.
 *
 * With the database away it is tried again until its outcome is known: a step is charged exactly once, and never
 * without being written.
 */
export async function commitStep(run: AgentRun, step: StepDraft | null, transition: Transition): Promise<CommitResult> {
  const row = await untilKnown({ claim: run, step, transition })
  if (row.going === 'fenced') {
    if (step?.settlement) recordSettlement(asVoid(step.settlement), settlementRow(row))
    return { going: 'over', settled: null }
  }
  const settled = step?.settlement ? recordSettlement(step.settlement, settlementRow(row)) : null
  run.reachedBy = row.reached ?? run.reachedBy
  if (transition.kind === 'retry') run.tries = transition.attempts
  if (step) {
    run.tries = 1
    run.steps.push(stepOf(run, step, row))
    run.steps.sort((a, b) => a.index - b.index)
  }
  return { going: row.going, settled }
}

/** Commits what follows without a step, under a claim alone. */
export async function commitTransition(claim: Claim, transition: Transition): Promise<RunProgress> {
  const { going } = await untilKnown({ claim, step: null, transition })
  return going === 'on' ? 'on' : 'over'
}

async function untilKnown(item: CommitItem): Promise<CommitRow> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await writeCommit(item)
    } catch (error) {
      if (!isOutcomeUnknown(error)) throw error
      const waitMs = Math.min(250 * 2 ** attempt, MAX_WAIT_MS) * (0.5 + Math.random() / 2)
      log.warn({ job: item.claim.jobId, attempt, err: (error as Error).message }, 'a commit waits for the database')
      await sleep(waitMs)
    }
  }
}

const settlementRow = ({ n, outcome, charged, held, limited }: CommitRow) => ({
  n,
  outcome: outcome ?? ('unknown' as const),
  charged,
  held,
  limited,
})

const asVoid = (request: SettleRequest): SettleRequest => ({ ...request, actual: 0n, extend: false, status: 'void' })

function stepOf({ runId }: AgentRun, draft: StepDraft, { variant, charged }: CommitRow): RunStep {
  const { index, kind, name, input } = draft
  const { output = null, error = null } = stepOutcomeFor(draft, variant)
  return { index, runId, kind, name, input, output, error, charged: Number(charged) }
}
