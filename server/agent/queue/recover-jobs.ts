import { runStatement } from '../../db'
import { log } from '../../kit/log'
import { statement } from '../../kit/statement'
import { enqueueRun, HAS_PENDING_MESSAGE } from './send'

const EVERY_MS = 5_000
const LOST_AFTER_S = 10
const PATIENCE_DAYS = 30

const LOST_JOBS = statement({
  name: 'agent_lost_jobs',
  sql: `SELECT j.id AS "jobId", j.run_id AS "runId" FROM job j
    WHERE j.status = 'running' AND j.updated_at < now() - make_interval(secs => ${LOST_AFTER_S})
      AND NOT ${HAS_PENDING_MESSAGE}
    ORDER BY j.id LIMIT 100`,
  params: [],
  columns: { jobId: 'uuid', runId: 'uuid' },
})
const CANCEL_ABANDONED = statement({
  name: 'agent_cancel_forgotten',
  sql: 'SELECT agent_cancel_forgotten($1, $2) AS cancelled',
  params: ['int', 'text'],
  columns: { cancelled: 'int' },
})

/** Sends running jobs to the workers again that have had no message for a while. Answers how many there were. */
export async function requeueLostJobs(): Promise<number> {
  const rows = await runStatement(LOST_JOBS, [])
  let sent = 0
  for (const segment of rows) {
    if (!(await enqueueRun(segment, { isLost: true }))) continue
    log.warn({ job: segment.jobId }, 'a job had lost its message')
    sent++
  }
  return sent
}

/** Cancels jobs whose answer never came. Answers how many there were. */
export async function cancelAbandonedJobs(): Promise<number> {
  const [row] = await runStatement(CANCEL_ABANDONED, [PATIENCE_DAYS, `Nobody answered for ${PATIENCE_DAYS} days.`])
  return row?.cancelled ?? 0
}

/** Looks after lost and forgotten jobs while a worker lives. Answers what stops it. */
export function startJobRecovery(): () => void {
  const look = () =>
    requeueLostJobs()
      .then(cancelAbandonedJobs)
      .catch((error: Error) => log.error({ err: error.message }, 'jobs were not looked after'))
  const timer = setInterval(look, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
