import { inTransaction } from '../db'
import { log } from '../kit/log'
import { endTurn } from './job-row'
import { enqueue, HAS_MESSAGE } from './queue'

const EVERY_MS = 5_000
const LOST_AFTER_S = 10
const PATIENCE_DAYS = 30

/** Sends running jobs to the workers again that have had no message for a while. Answers how many there were. */
export async function sendLostJobs(): Promise<number> {
  return inTransaction(async (db) => {
    const { rows } = await db.query<{ id: string; runId: string }>(
      `SELECT j.id, j.run_id AS "runId" FROM job j
       WHERE j.status = 'running' AND j.updated_at < now() - make_interval(secs => ${LOST_AFTER_S}) AND NOT ${HAS_MESSAGE}
       ORDER BY j.id LIMIT 100 FOR NO KEY UPDATE OF j SKIP LOCKED`,
    )
    for (const { id, runId } of rows) {
      log.warn({ job: id }, 'a job had lost its message')
      await enqueue(db, { jobId: id, runId })
    }
    return rows.length
  })
}

/** Cancels jobs whose answer never came. Answers how many there were. */
export async function cancelForgottenJobs(): Promise<number> {
  return inTransaction(async (db) => {
    const { rows } = await db.query<{ id: string; runId: string }>(
      `SELECT id, run_id AS "runId" FROM job
       WHERE status = 'awaiting_input' AND updated_at < now() - make_interval(days => ${PATIENCE_DAYS})
       ORDER BY id LIMIT 100 FOR NO KEY UPDATE SKIP LOCKED`,
    )
    const result = `Nobody answered for ${PATIENCE_DAYS} days.`
    for (const job of rows) await endTurn(db, job, { status: 'cancelled', result })
    return rows.length
  })
}

/** Looks after lost and forgotten jobs while a worker lives. Answers what stops it. */
export function keepJobsMoving(): () => void {
  const look = () =>
    sendLostJobs()
      .then(cancelForgottenJobs)
      .catch((error: Error) => log.error({ err: error.message }, 'jobs were not looked after'))
  const timer = setInterval(look, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
