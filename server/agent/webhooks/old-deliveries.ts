import { executeStatement, runRead } from '../../db'
import { env } from '../../env'
import { deletionTask, type RetentionTask } from '../../kit/retention-task'
import { statement } from '../../kit/statement'

const PER_STEP = 500
const WITHIN_MS = 60_000

const OLD = `d.created_at < $1 AND d.status <> 'pending'`

/** How those of a table are counted and deleted. */
const statementsFor = (table: string, name: string) => ({
  count: statement({
    name: `${name}_old_count`,
    sql: `SELECT count(*)::int AS n FROM ${table} d WHERE ${OLD}`,
    params: ['timestamptz'],
    columns: { n: 'int' },
  }),
  remove: statement({
    name: `${name}_old_delete`,
    sql: `DELETE FROM ${table} w USING (SELECT d.id FROM ${table} d WHERE ${OLD}
    ORDER BY d.created_at LIMIT ${PER_STEP} FOR UPDATE SKIP LOCKED) o WHERE w.id = o.id`,
    params: ['timestamptz'],
  }),
})

const OF = {
  runs: { title: 'webhook deliveries', ...statementsFor('webhook_delivery', 'webhook') },
  tasks: { title: 'webhook deliveries of tasks', ...statementsFor('task_delivery', 'webhook_task') },
}

/** Deletes the log of deliveries that were made more than RETAIN_RUN_OUTPUT_DAYS ago. */
export function oldDeliveries(of: 'runs' | 'tasks', days = env().RETAIN_RUN_OUTPUT_DAYS): RetentionTask | null {
  if (days === 0) return null
  const cutoff = new Date(Date.now() - days * 86_400_000)
  const { title, count, remove } = OF[of]
  return deletionTask(title, {
    count: () => runRead(count, [cutoff], { withinMs: WITHIN_MS }),
    remove: () => executeStatement(remove, [cutoff]),
    perStep: PER_STEP,
  })
}
