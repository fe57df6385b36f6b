import { z } from 'zod'
import { executeStatement } from '../../db'
import { invalidRequest } from '../../errors'
import { statement } from '../../kit/statement'
import { StoredAttachment } from '../jobs/attachments'
import { startJob } from '../jobs/start'
import type { RunStarter } from '../jobs/write-turn'
import type { StartedJob } from '../shape'
import { ScheduledStart } from './shape'

/** A time of a schedule at which a run is to start. */
export type DueRun = { scheduleId: string; dueAt: Date; request: unknown; attachments: unknown }

const STARTED = statement({
  name: 'schedule_run_started',
  sql: `UPDATE schedule_run SET state = 'running', job_id = $3, run_id = $4
    WHERE schedule_id = $1 AND due_at = $2 AND state = 'starting'`,
  params: ['uuid', 'timestamptz', 'uuid', 'uuid'],
})

/**
 * Starts the run of a due time, once however often this is called: the idempotency key is made of
 * schedule and time. Throws as `startJob` does.
 */
export async function startDueRun(
  starter: RunStarter,
  { scheduleId, dueAt, request, attachments }: DueRun,
): Promise<StartedJob> {
  const parsed = ScheduledStart.safeParse(request)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const idempotencyKey = `schedule/${scheduleId}/${dueAt.toISOString()}`
  const { job } = await startJob(
    starter,
    { ...parsed.data, idempotencyKey, wait: false },
    { origin: 'schedule', scheduleId, attached: z.array(StoredAttachment).parse(attachments ?? []) },
  )
  await executeStatement(STARTED, [scheduleId, dueAt, job.jobId, job.runId])
  return job
}
