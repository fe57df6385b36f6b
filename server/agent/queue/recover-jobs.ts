import { runStatement } from '../../db'
import { log } from '../../kit/log'
import { statement } from '../../kit/statement'
import { enqueueRun, HAS_PENDING_MESSAGE } from './send'

const INTERVAL_MS = 5_000
/** A running job without a message counts as lost after this long. */
const LOST_AFTER_S = 10
/** A job whose question nobody answers is cancelled after this long. */
const ANSWER_DAYS = 30

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

/** Sends running jobs whose message was lost to the workers again. Returns how many. */
async function requeueLostJobs(): Promise<number> {
  const rows = await runStatement(LOST_JOBS, [])
  let sent = 0
  for (const ref of rows) {
    if (!(await enqueueRun(ref, { onlyIfLost: true }))) continue
    log.warn({ job: ref.jobId }, 'a job had lost its message')
    sent++
  }
  return sent
}

/** Cancels jobs whose question nobody answered in time. Returns how many. */
async function cancelAbandonedJobs(): Promise<number> {
  const [row] = await runStatement(CANCEL_ABANDONED, [ANSWER_DAYS, `Nobody answered for ${ANSWER_DAYS} days.`])
  return row?.cancelled ?? 0
}

/** Recovers lost and abandoned jobs at intervals. Returns a function that stops it. */
export function startJobRecovery(): () => void {
  const recover = () =>
    requeueLostJobs()
      .then(cancelAbandonedJobs)
      .catch((error: Error) => log.error({ err: error.message }, 'the recovery of jobs failed'))
  const timer = setInterval(recover, INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
