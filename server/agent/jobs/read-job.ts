import { runStatement } from '../../db'
import { AppError } from '../../errors'
import { isUuid } from '../../kit/id'
import { statement } from '../../kit/statement'
import { JobStatus } from '../shape'
import { Pause } from './pause'

/** A job as it is now, with what its latest turn may. */
export type JobState = {
  id: string
  status: JobStatus
  runId: string
  awaiting: Pause | null
  model: string
  /** Empty: unconfined. */
  capabilities: string[]
}

const JOB_STATE = statement({
  name: 'agent_own_job',
  sql: `SELECT j.id, j.status, j.run_id AS "runId", j.awaiting, t.model, t.capabilities
    FROM job j JOIN turn t ON t.run_id = j.run_id WHERE j.id = $1 AND j.owner_id = $2`,
  params: ['uuid', 'int'],
  columns: {
    id: 'uuid',
    status: JobStatus.options,
    runId: 'uuid',
    awaiting: 'jsonb?',
    model: 'text',
    capabilities: 'text[]?',
  },
  isPrepared: true,
})

export const jobNotFound = () => new AppError('not_found', 'There is no such job.')

/** A job of an owner. It may have changed by the time it is acted on. Throws `not_found`, also for another owner's. */
export async function readJobState(ownerId: number, jobId: string): Promise<JobState> {
  if (!isUuid(jobId)) throw jobNotFound()
  const [row] = await runStatement(JOB_STATE, [jobId, ownerId])
  if (!row) throw jobNotFound()
  return { ...row, awaiting: Pause.nullable().parse(row.awaiting), capabilities: row.capabilities ?? [] }
}

/**
 * Acts on an owner's job as it was read, in a statement that does nothing when the job has changed since: then it is
 * read again, and whatever stands against the act now is thrown by it. No lock is held between the two.
 */
export async function withCurrentJob<T>(
  { ownerId, jobId }: { ownerId: number; jobId: string },
  act: (job: JobState) => Promise<T | null>,
): Promise<T> {
  for (let attempt = 1; attempt <= MAX_CHANGES; attempt++) {
    const done = await act(await readJobState(ownerId, jobId))
    if (done !== null) return done
  }
  throw new AppError('conflict', 'The job keeps changing. Try again.')
}

/** A job that changes this often between two statements is not waited for any longer. */
const MAX_CHANGES = 5
