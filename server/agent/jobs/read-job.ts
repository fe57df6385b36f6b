import { runStatement } from '../../db'
import { AppError } from '../../errors'
import { isUuid } from '../../kit/id'
import { statement } from '../../kit/statement'
import { JobStatus } from '../shape'
import { Pause } from './pause'

/** A job with its latest turn's model and capabilities. */
export type JobState = {
  id: string
  status: JobStatus
  runId: string
  awaiting: Pause | null
  model: string
  /** Empty: not restricted. */
  capabilities: string[]
}

const JOB_STATE = statement({
  name: 'agent_own_job',
  sql: `SELECT j.id, j.status, j.run_id AS "runId", j.awaiting, t.model, t.capabilities
    FROM job j JOIN turn t ON t.run_id = j.run_id AND t.owner_id = j.owner_id WHERE j.id = $1 AND j.owner_id = $2`,
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

const JOB_CUSTOMER = statement({
  name: 'agent_job_customer',
  sql: `SELECT t.customer_id FROM job j JOIN turn t ON t.run_id = j.run_id AND t.owner_id = j.owner_id WHERE j.id = $1 AND j.owner_id = $2`,
  params: ['uuid', 'int'],
  columns: { customer_id: 'int?' },
})

export const jobNotFound = () => new AppError('not_found', 'There is no such job.')

/**
 * An owner's job. It may change before it is acted on. Throws `not_found`, also for another owner's
 * job.
 */
export async function readJobState(ownerId: number, jobId: string): Promise<JobState> {
  if (!isUuid(jobId)) throw jobNotFound()
  const [row] = await runStatement(JOB_STATE, [jobId, ownerId])
  if (!row) throw jobNotFound()
  return { ...row, awaiting: Pause.nullable().parse(row.awaiting), capabilities: row.capabilities ?? [] }
}

/**
 * Throws `not_found` for a job of an owner whose latest turn is not for this customer, or that does
 * not exist.
 */
export async function requireJobOf(ownerId: number, jobId: string, customerId: number): Promise<void> {
  if (!isUuid(jobId)) throw jobNotFound()
  const [row] = await runStatement(JOB_CUSTOMER, [jobId, ownerId])
  if (row?.customer_id !== customerId) throw jobNotFound()
}

/**
 * Acts on an owner's job, with a statement that does nothing (null) when the job has changed since
 * it was read. Then the job is read again, so that `act` can throw what now prevents it. No lock is
 * held between read and statement.
 */
export async function withCurrentJob<T>(
  { ownerId, jobId }: { ownerId: number; jobId: string },
  act: (job: JobState) => Promise<T | null>,
): Promise<T> {
  for (let attempt = 1; attempt <= MAX_CHANGES; attempt++) {
    const done = await act(await readJobState(ownerId, jobId))
    if (done !== null) return done
  }
  throw new AppError('conflict', 'The job keeps changing. Try again.', { reason: 'in_progress' })
}

/** Attempts before a job that keeps changing is a `conflict`. */
const MAX_CHANGES = 5
