import { inTransaction } from '../db'
import { AppError } from '../errors'
import type { Person } from './answer'
import { needCover } from './cover'
import { endTurn, lockOwnJob } from './job-row'
import type { JobStatus } from './shape'
import { canCancel } from './states'

/**
 * Cancels a live run: no further step begins. A call under way goes on to its end; its step is kept and charged.
 * Throws `not_found`, `forbidden`, and `conflict` when the job has finished.
 */
export async function cancelJob(
  person: Omit<Person, 'keyId'>,
  jobId: string,
): Promise<{ jobId: string; runId: string; status: JobStatus }> {
  return inTransaction(async (db) => {
    const job = await lockOwnJob(db, person.ownerId, jobId)
    await needCover(db, job, person.grants)
    if (!canCancel(job.status)) throw new AppError('conflict', `The job is ${job.status} already.`)
    await endTurn(db, job, { status: 'cancelled', result: null })
    return { jobId: job.id, runId: job.runId, status: 'cancelled' as const }
  })
}
