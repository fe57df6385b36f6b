import { executeStatement } from '../../db'
import { statement } from '../../kit/statement'
import { noteLostCallbacks } from '../../tools/tasks'

/** Tasks whose deliveries are written in one statement. */
const AT_ONCE = 200

/**
 * A task has ended when its process says so, when it is lost, and from the moment its answer was
 * stored with its charge. The delivery has the task's id, so there is one.
 */
const WRITE = statement({
  name: 'webhook_write_tasks',
  sql: `WITH done AS (UPDATE mcp_task t SET awaits_callback = false WHERE t.id IN (
        SELECT x.id FROM mcp_task x WHERE x.awaits_callback AND (x.ended_at IS NOT NULL OR x.is_lost
          OR EXISTS (SELECT 1 FROM idempotency i WHERE i.hold_id = x.id AND i.status IS NOT NULL))
        ORDER BY x.created_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
      RETURNING t.id, t.owner_id, t.tool, t.callback_url, t.is_cancelled),
    ended AS (SELECT d.*, coalesce((SELECT r.charged FROM receipt r WHERE r.id = d.id), 0) AS charged,
        CASE WHEN EXISTS (SELECT 1 FROM idempotency i WHERE i.hold_id = d.id AND i.status < 400) THEN 'completed'
          ELSE 'failed' END AS status
      FROM done d)
    INSERT INTO task_delivery (id, owner_id, url, host, event, data)
    SELECT e.id, e.owner_id, e.callback_url, split_part(e.callback_url, '/', 3), e.status,
      jsonb_build_object('taskId', e.id, 'tool', e.tool, 'status', e.status, 'creditsCharged', e.charged,
        'poll', '/api/v1/tasks/' || e.id)
    FROM ended e ON CONFLICT (id) DO NOTHING`,
  params: [],
})

/** Writes the deliveries of tasks that have ended since, also of those whose process died. */
export async function writeTaskDeliveries(): Promise<void> {
  await noteLostCallbacks()
  await executeStatement(WRITE, [])
}
