import { executeStatement, runRead } from '../../db'
import { deletionTask, type RetentionTask } from '../../kit/retention-task'
import { statement } from '../../kit/statement'

const DAYS = 90
const STEP = 500
const WITHIN_MS = 60_000

/** A run in progress is kept: its outcome still counts. */
const OLD = `created_at < now() - make_interval(days => ${DAYS}) AND state NOT IN ('starting', 'running')`

const COUNT = statement({
  name: 'old_schedule_runs_count',
  sql: `SELECT count(*)::int AS n FROM schedule_run WHERE ${OLD}`,
  params: [],
  columns: { n: 'int' },
})

const DELETE = statement({
  name: 'old_schedule_runs_delete',
  sql: `DELETE FROM schedule_run WHERE (schedule_id, due_at) IN (
    SELECT schedule_id, due_at FROM schedule_run WHERE ${OLD} ORDER BY created_at LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

/** What became of the times of schedules more than 90 days ago. The jobs are kept. */
export const oldScheduleRuns = (): RetentionTask =>
  deletionTask('runs of schedules', {
    count: () => runRead(COUNT, [], { withinMs: WITHIN_MS }),
    remove: () => executeStatement(DELETE, []),
    perStep: STEP,
  })
