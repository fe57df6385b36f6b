import { transact } from '../credits/transact'
import { AppError } from '../errors'
import type { Person } from './answer'
import { needCover } from './cover'
import { actOnJob } from './job-row'
import type { JobStatus } from './shape'
import { canCancel } from './states'

/**
 * Cancels a live run: no further step begins. A call in progress goes on to its end; its step is kept and charged.
 * Throws `not_found`, `forbidden`, and `conflict` when the job has finished.
 */
export async function cancelJob(
  { ownerId, grants }: Omit<Person, 'keyId'>,
  jobId: string,
): Promise<{ jobId: string; runId: string; status: JobStatus }> {
  return actOnJob({ ownerId, jobId }, async (job) => {
    needCover(job, grants)
    if (!canCancel(job.status)) throw new AppError('conflict', `The job is ${job.status} already.`)
    const [row] = await transact<{ done: boolean }>('agent_cancel', 'SELECT agent_cancel($1, $2) AS done', [
      job.id,
      job.runId,
    ])
    return row?.done ? { jobId: job.id, runId: job.runId, status: 'cancelled' as const } : null
  })
}
