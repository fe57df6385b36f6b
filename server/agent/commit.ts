import type pg from 'pg'
import { settleIn, voidHold } from '../credits/settle'
import type { Settlement, SettleRequest } from '../credits/settlement'
import type { LimitSource } from '../credits/shape'
import { inTransaction } from '../db'
import { storableJson, storableText } from '../kit/storable'
import { endTurn, type LockedJob, lockJob, type Pause } from './job-row'
import { enqueue } from './queue'
import type { Run, RunStep } from './run'
import type { StepKind } from './shape'
import { canStep } from './states'

/** What a step has come to, known once its charge is. */
export type Outcome = { output?: unknown; error?: { code: string; message: string } }

/** A step that has happened and is not written yet. */
export type Draft = {
  index: number
  kind: StepKind
  name: string
  input: unknown
  startedAt: Date
  /** null: it cost nothing and held nothing. */
  settlement: SettleRequest | null
  outcome: (settled: Settlement | null) => Outcome
}

/** How a run ends. */
export type End = { status: 'completed' | 'failed'; result: string }

/** What a run that goes on hears; `over`: it was cancelled, or somebody else has it. */
export type Going = 'on' | 'over'

/** A job that was cancelled may be at work again, on its next turn: that is not this run. */
const isUnderWay = (run: Run, job: LockedJob): boolean => job.runId === run.runId && canStep(job.status)

/** Runs `work` while this worker has the run's fence and the run is under way; else nothing is written. */
async function fenced(run: Run, work: (db: pg.PoolClient) => Promise<void>): Promise<Going> {
  return inTransaction(async (db) => {
    const job = await lockJob(db, run.jobId)
    if (!job || job.fence !== run.fence || !isUnderWay(run, job)) return 'over'
    await work(db)
    return 'on'
  })
}

/**
 * Writes a step and its charge in one transaction, and with `end` the end of the run. A step of a run that was
 * cancelled meanwhile is kept and charged; one of a worker that was fenced out is not, and its hold is void.
 */
export async function commitStep(run: Run, draft: Draft, end?: (written: RunStep) => End): Promise<Going> {
  const written = await inTransaction(async (db) => {
    const job = await lockJob(db, run.jobId)
    if (!job || job.fence !== run.fence) return null
    const [settled = null] = draft.settlement ? await settleIn(db, [draft.settlement]) : []
    const step = stepOf(run, draft, settled)
    await insertStep(db, run, { ...draft, step })
    if (!isUnderWay(run, job)) return { step, going: 'over' as const }
    if (end) await endTurn(db, job, storedEnd(end(step)))
    else await db.query('UPDATE job SET tries = 1, updated_at = clock_timestamp() WHERE id = $1', [run.jobId])
    return { step, going: end ? ('over' as const) : ('on' as const) }
  })
  if (!written) {
    if (draft.settlement) await voidHold(draft.settlement, { error: 'The run was taken over.' })
    return 'over'
  }
  run.tries = 1
  run.steps.push(written.step)
  run.steps.sort((a, b) => a.index - b.index)
  return written.going
}

function stepOf(run: Run, { index, kind, name, input, outcome }: Draft, settled: Settlement | null): RunStep {
  const { output = null, error = null } = outcome(settled)
  return { index, runId: run.runId, kind, name, input, output, error, charged: Number(settled?.charged ?? 0n) }
}

async function insertStep(db: pg.PoolClient, run: Run, { step, settlement, startedAt }: Draft & { step: RunStep }) {
  await db.query(
    `INSERT INTO step (job_id, index, run_id, kind, name, hold_id, charged, input, output, error, started_at, ended_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb, $10::jsonb, $11, clock_timestamp())`,
    [
      run.jobId,
      step.index,
      step.runId,
      step.kind,
      storableText(step.name),
      settlement?.id ?? null,
      step.charged,
      storableJson(step.input),
      step.output === null ? null : storableJson(step.output),
      step.error === null ? null : storableJson(step.error),
      startedAt,
    ],
  )
}

const storedEnd = ({ status, result }: End): End => ({ status, result: storableText(result) })

/** Ends a run without a further step. */
export async function endRun(run: Run, end: End): Promise<'over'> {
  await fenced(run, (db) => endTurn(db, { id: run.jobId, runId: run.runId }, storedEnd(end)))
  return 'over'
}

/** Pauses a run until a person answers. It then holds no worker. */
export async function pauseRun(run: Run, awaiting: Pause): Promise<'over'> {
  await fenced(run, async (db) => {
    await db.query(
      `UPDATE job SET status = 'awaiting_input', awaiting = $2::jsonb, tries = 0, updated_at = clock_timestamp() WHERE id = $1`,
      [run.jobId, storableJson(awaiting)],
    )
  })
  return 'over'
}

/** Notes that a limit keeps the run from its next step. That stays so. */
export const markReached = async (run: Run, limit: LimitSource): Promise<Going> => {
  run.reachedBy = limit
  return fenced(run, async (db) => {
    await db.query('UPDATE job SET reached_by = $2, updated_at = clock_timestamp() WHERE id = $1', [run.jobId, limit])
  })
}

/** Counts a further try of the step under way. Its calls then have holds of their own. */
export const countTry = async (run: Run): Promise<Going> => {
  run.tries++
  return fenced(run, async (db) => {
    await db.query('UPDATE job SET tries = $2 WHERE id = $1', [run.jobId, run.tries])
  })
}

/** Gives a run to whichever worker is next. */
export async function handOn(run: Run): Promise<'over'> {
  await fenced(run, async (db) => {
    await db.query('UPDATE job SET tries = 0 WHERE id = $1', [run.jobId])
    await enqueue(db, { jobId: run.jobId, runId: run.runId })
  })
  return 'over'
}
