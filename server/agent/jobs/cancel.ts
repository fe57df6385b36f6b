import { runStatement } from '../../db'
import { AppError } from '../../errors'
import { statement } from '../../kit/statement'
import type { JobStatus } from '../shape'
import type { JobCaller } from './answer'
import { checkJobGrants } from './check-grants'
import { withCurrentJob } from './read-job'
import { canCancel } from './states'

const CANCEL = statement({
  name: 'agent_cancel_by',
  sql: 'SELECT agent_cancel_by($1, $2, $3, $4) AS done',
  params: ['uuid', 'uuid', 'int', 'text'],
  columns: { done: 'boolean' },
  isPrepared: true,
})

/**
 * Cancels a live run, and records who did: no further step begins. A call in progress ends
 * normally; its step is kept and charged. Throws `not_found`, `forbidden`, and `conflict` when the
 * job has finished.
 */
export async function cancelJob(
  { ownerId, keyId, grants, by }: JobCaller,
  jobId: string,
): Promise<{ jobId: string; runId: string; status: JobStatus }> {
  return withCurrentJob({ ownerId, jobId }, async (job) => {
    checkJobGrants(job, grants)
    if (!canCancel(job.status)) throw new AppError('conflict', `The job is already ${job.status}.`)
    const [row] = await runStatement(CANCEL, [job.id, job.runId, keyId, by ?? null])
    return row?.done ? { jobId: job.id, runId: job.runId, status: 'cancelled' as const } : null
  })
}
