import { setTimeout as sleep } from 'node:timers/promises'
import { recordSettlement, type SettleRequest, settlementAttributes } from '../../credits/settlement'
import { log } from '../../kit/log'
import { withSpan } from '../../kit/tracing/tracer'
import { countEndedRun, countStep } from '../metrics'
import { type Claim, type CommitItem, type CommitRow, isOutcomeUnknown, writeCommit } from './commit-batch'
import { endLiveStep } from './live-steps'
import type { AgentRun, RunStep } from './state'
import { type StepDraft, stepOutcomeFor } from './step-draft'
import type { Transition } from './transition'

/**
 * Whether this worker continues the run. It stops when the run ended, paused, was cancelled, or was
 * claimed elsewhere.
 */
export type RunProgress = 'continue' | 'stop'

/** A claim, with the part of the run that a commit changes. */
export type ClaimedRun = Claim &
  Pick<AgentRun, 'attempts' | 'steps' | 'limitReached' | 'endedAs'> &
  Partial<Pick<AgentRun, 'checks'>>

const MAX_WAIT_MS = 10_000

/**
 * Writes a step with its charge, and the transition that follows, in one round trip; `step` is null
 * for a transition alone. The step of a run that was cancelled meanwhile is kept and charged. That
 * of a worker that lost its claim is not: its hold is void.
 *
 * While the database is away the commit is repeated until its outcome is known, so a step is
 * charged exactly once and never without being written.
 */
export async function commitStep(
  run: ClaimedRun,
  step: StepDraft | null,
  transition: Transition,
): Promise<RunProgress> {
  const settlement = transition.kind === 'judged' ? transition.settlement : step?.settlement
  const row = await withSpan('settle', async (span) => {
    const written = await writeUntilKnown({ claim: run, step, transition })
    span?.setAttribute('tollgate.transition', transition.kind)
    if (settlement) span?.setAttributes(settlementAttributes(settlement, BigInt(written.charged)))
    return written
  })
  const isFenced = row.going === 'fenced'
  if (settlement) recordSettlement(isFenced ? asVoid(settlement) : settlement, settlementRow(row))
  if (step) endLiveStep(run.jobId, step.index)
  if (!isFenced) {
    countCommit(row, { step, transition })
    applyCommit(run, row, { step, transition })
  }
  return row.going === 'on' ? 'continue' : 'stop'
}

function countCommit({ variant, going }: CommitRow, { step, transition }: Omit<CommitItem, 'claim'>): void {
  if (step) countStep(step.kind, stepOutcomeFor(step, variant).error ? 'failed' : 'ok', step.startedAt)
  if (transition.kind === 'end' && going === 'over') countEndedRun(transition.status)
}

async function writeUntilKnown(item: CommitItem): Promise<CommitRow> {
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

/** Brings the run in memory up to what its rows say now. */
function applyCommit(run: ClaimedRun, row: CommitRow, { step, transition }: Omit<CommitItem, 'claim'>): void {
  run.limitReached = row.reached ?? run.limitReached
  if (transition.kind === 'retry') run.attempts = transition.attempts
  if (transition.kind === 'judged') {
    run.attempts = 1
    run.checks = chargedChecks(transition, row)
  }
  if (transition.kind === 'end' && row.going === 'over') run.endedAs = transition.status
  if (!step) return
  run.attempts = 1
  run.steps.push(committedStep(run, step, row))
  run.steps.sort((a, b) => a.index - b.index)
}

const chargedChecks = ({ checks, at }: Extract<Transition, { kind: 'judged' }>, { charged }: CommitRow) =>
  checks.map((one, i) =>
    i === at && one.outcome ? { ...one, outcome: { ...one.outcome, creditsCharged: Number(charged) } } : one,
  )

function committedStep({ runId }: ClaimedRun, draft: StepDraft, { variant, charged }: CommitRow): RunStep {
  const { index, kind, name, input } = draft
  const { output = null, error = null } = stepOutcomeFor(draft, variant)
  return { index, runId, kind, name, input, output, error, charged: Number(charged) }
}

const settlementRow = ({ n, outcome, charged, held, limited }: CommitRow) => ({
  n,
  outcome: outcome ?? ('unknown' as const),
  charged,
  held,
  limited,
})

const asVoid = (request: SettleRequest): SettleRequest => ({ ...request, actual: 0n, extend: false, status: 'void' })
