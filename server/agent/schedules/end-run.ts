import { runStatement } from '../../db'
import { log } from '../../kit/log'
import { statement } from '../../kit/statement'
import type { ScheduleRunState } from './shape'

/** Failed runs in a row after which a schedule is paused. */
const MAX_FAILURES = 3
const MAX_REASON_CHARS = 500

const END_RUN = statement({
  name: 'schedule_end_run',
  sql: 'SELECT schedule_end_run($1, $2, $3, $4, $5, $6) AS done',
  params: ['uuid', 'timestamptz', 'text', 'text', 'int', 'boolean'],
  columns: { done: 'boolean' },
})

export type EndedRun = {
  scheduleId: string
  dueAt: Date
  state: Extract<ScheduleRunState, 'completed' | 'failed' | 'cancelled' | 'refused'>
  reason: string | null
  /** Its key is why: the schedule is paused at once. */
  isKey?: boolean
}

/**
 * Writes how a run of a schedule ended, once. Three failures in a row pause the schedule, with the
 * reason of the last.
 */
export async function endScheduleRun({ scheduleId, dueAt, state, reason, isKey = false }: EndedRun): Promise<void> {
  const short =
    reason && reason.length > MAX_REASON_CHARS ? `${reason.slice(0, MAX_REASON_CHARS).toWellFormed()}…` : reason
  await runStatement(END_RUN, [scheduleId, dueAt, state, short, MAX_FAILURES, isKey])
  if (state === 'refused') log.info({ schedule: scheduleId, reason: short }, 'a scheduled run could not start')
}

const ENDED = statement({
  name: 'schedule_ended_runs',
  sql: `SELECT r.schedule_id AS "scheduleId", r.due_at AS "dueAt", t.status AS state,
      CASE WHEN t.status = 'failed' THEN t.result END AS reason
    FROM schedule_run r JOIN turn t ON t.run_id = r.run_id
    WHERE r.state = 'running' AND t.status IN ('completed', 'failed', 'cancelled') ORDER BY r.due_at LIMIT 100`,
  params: [],
  columns: {
    scheduleId: 'uuid',
    dueAt: 'timestamptz',
    state: ['completed', 'failed', 'cancelled'],
    reason: 'text?',
  },
})

/** Writes the outcome of runs whose jobs have ended. */
export async function endFinishedRuns(): Promise<void> {
  for (const ended of await runStatement(ENDED, [])) await endScheduleRun(ended)
}
