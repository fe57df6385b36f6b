import type pg from 'pg'
import { AppError } from '../errors'
import { isUuid } from '../kit/id'
import type { AwaitingInput, JobStatus } from './shape'

/** What is asked, with the index of the step it becomes and the tool it would run. */
export type Pause = AwaitingInput & { index: number; tool: string }

/** A job's row under its lock, which comes before every other lock. */
export type LockedJob = {
  id: string
  ownerId: number
  status: JobStatus
  runId: string
  fence: number
  fenceRunId: string | null
  tries: number
  reachedBy: string | null
  awaiting: Pause | null
}

const COLUMNS = `id, owner_id AS "ownerId", status, run_id AS "runId", fence, fence_run_id AS "fenceRunId", tries,
  reached_by AS "reachedBy", awaiting`

/** Locks a job for whoever works on it; null when it is gone. */
export async function lockJob(db: pg.PoolClient, jobId: string): Promise<LockedJob | null> {
  const { rows } = await db.query<LockedJob>(`SELECT ${COLUMNS} FROM job WHERE id = $1 FOR NO KEY UPDATE`, [jobId])
  return rows[0] ?? null
}

export const noSuchJob = () => new AppError('not_found', 'There is no such job.')

/** Locks a job of an owner. Throws `not_found`, also for another owner's. */
export async function lockOwnJob(db: pg.PoolClient, ownerId: number, jobId: string): Promise<LockedJob> {
  const job = isUuid(jobId) ? await lockJob(db, jobId) : null
  if (!job || job.ownerId !== ownerId) throw noSuchJob()
  return job
}

/** Ends a job's turn. Its row is locked. */
export async function endTurn(
  db: pg.PoolClient,
  { id, runId }: Pick<LockedJob, 'id' | 'runId'>,
  end: { status: Extract<JobStatus, 'completed' | 'failed' | 'cancelled'>; result: string | null },
): Promise<void> {
  await db.query(
    `UPDATE job SET status = $2, result = $3, awaiting = NULL, tries = 0, updated_at = clock_timestamp() WHERE id = $1`,
    [id, end.status, end.result],
  )
  await db.query(`UPDATE turn SET status = $2, result = $3, ended_at = clock_timestamp() WHERE run_id = $1`, [
    runId,
    end.status,
    end.result,
  ])
}
