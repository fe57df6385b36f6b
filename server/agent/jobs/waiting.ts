import { runRead } from '../../db'
import type { ReadOptions } from '../../kit/pg-read'
import { statement } from '../../kit/statement'

/** The first of something that needs its owner, and how much of it there is. */
export type FirstOf = { rows: { id: string; name: string }[]; total: number }

const WAITING = statement({
  name: 'agent_waiting',
  sql: `SELECT j.id, j.title AS name, count(*) OVER ()::int AS total FROM job j
    WHERE j.owner_id = $1 AND j.status = 'awaiting_input' ORDER BY j.created_at DESC, j.id DESC LIMIT $2::int`,
  params: ['int', 'int'],
  columns: { id: 'uuid', name: 'text', total: 'int' },
})

const UNDELIVERED = statement({
  name: 'agent_undelivered',
  sql: `SELECT j.id, j.title AS name, count(*) OVER ()::int AS total FROM (
      SELECT d.job_id, max(d.created_at) AS at FROM webhook_delivery d
      WHERE d.owner_id = $1 AND d.status = 'failed' AND d.created_at > now() - interval '7 days' GROUP BY d.job_id) f
    JOIN job j ON j.id = f.job_id ORDER BY f.at DESC, j.id LIMIT $2::int`,
  params: ['int', 'int'],
  columns: { id: 'uuid', name: 'text', total: 'int' },
})

const PAUSED = statement({
  name: 'schedules_paused_by_service',
  sql: `SELECT s.id, s.name, count(*) OVER ()::int AS total FROM schedule s
    WHERE s.owner_id = $1 AND s.paused_by IN ('failures', 'key') ORDER BY s.updated_at DESC, s.id LIMIT $2::int`,
  params: ['int', 'int'],
  columns: { id: 'uuid', name: 'text', total: 'int' },
})

const FIRST = { waiting: WAITING, undelivered: UNDELIVERED, paused: PAUSED }

/**
 * The newest of an owner's jobs that wait for an answer, of those whose webhooks failed in the last
 * seven days, or of the schedules that the service has paused.
 */
export async function firstOf(
  what: keyof typeof FIRST,
  { ownerId, limit }: { ownerId: number; limit: number },
  options?: ReadOptions,
): Promise<FirstOf> {
  const rows = await runRead(FIRST[what], [ownerId, limit], options)
  return { rows: rows.map(({ id, name }) => ({ id, name })), total: rows[0]?.total ?? 0 }
}
