import { executeStatement, runRead } from '../../db'
import { env } from '../../env'
import { deletionTask, type RetentionTask } from '../../kit/retention-task'
import { statement } from '../../kit/statement'

const PER_STEP = 500
const WITHIN_MS = 60_000

const OLD = `d.created_at < $1 AND d.status <> 'pending'`

const COUNT = statement({
  name: 'webhook_old_count',
  sql: `SELECT count(*)::int AS n FROM webhook_delivery d WHERE ${OLD}`,
  params: ['timestamptz'],
  columns: { n: 'int' },
})

const DELETE = statement({
  name: 'webhook_old_delete',
  sql: `DELETE FROM webhook_delivery w USING (SELECT d.id FROM webhook_delivery d WHERE ${OLD}
    ORDER BY d.created_at LIMIT ${PER_STEP} FOR UPDATE SKIP LOCKED) o WHERE w.id = o.id`,
  params: ['timestamptz'],
})

/** Deletes the log of deliveries that were made more than RETAIN_RUN_OUTPUT_DAYS ago. */
export function oldDeliveries(days = env().RETAIN_RUN_OUTPUT_DAYS): RetentionTask | null {
  if (days === 0) return null
  const cutoff = new Date(Date.now() - days * 86_400_000)
  return deletionTask('webhook deliveries', {
    count: () => runRead(COUNT, [cutoff], { withinMs: WITHIN_MS }),
    remove: () => executeStatement(DELETE, [cutoff]),
    perStep: PER_STEP,
  })
}
