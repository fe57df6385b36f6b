import { executeStatement, runRead } from '../../db'
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
  sql: `SELECT f.host, f.count, f.job_id, j.title, count(*) OVER ()::int AS total FROM (
      SELECT d.host, count(*)::int AS count, max(d.created_at) AS at,
        (array_agg(d.job_id ORDER BY d.created_at DESC, d.id))[1] AS job_id FROM webhook_delivery d
      WHERE d.owner_id = $1 AND d.status = 'failed' AND d.dismissed_at IS NULL
        AND d.created_at > now() - interval '7 days' GROUP BY d.host) f
    JOIN job j ON j.id = f.job_id ORDER BY f.at DESC, f.host LIMIT $2::int`,
  params: ['int', 'int'],
  columns: { host: 'text', count: 'int', job_id: 'uuid', title: 'text', total: 'int' },
})

const DISMISS = statement({
  name: 'agent_undelivered_dismiss',
  sql: `UPDATE webhook_delivery SET dismissed_at = now()
    WHERE owner_id = $1 AND host = $2 AND status = 'failed' AND dismissed_at IS NULL`,
  params: ['int', 'text'],
  columns: {},
})

const PAUSED = statement({
  name: 'schedules_paused_by_service',
  sql: `SELECT s.id, s.name, count(*) OVER ()::int AS total FROM schedule s
    WHERE s.owner_id = $1 AND s.paused_by IN ('failures', 'key') ORDER BY s.updated_at DESC, s.id LIMIT $2::int`,
  params: ['int', 'int'],
  columns: { id: 'uuid', name: 'text', total: 'int' },
})

const FIRST = { waiting: WAITING, paused: PAUSED }

/** The newest of an owner's jobs that wait for an answer, or of the schedules that were paused. */
export async function firstOf(
  what: keyof typeof FIRST,
  { ownerId, limit }: { ownerId: number; limit: number },
  options?: ReadOptions,
): Promise<FirstOf> {
  const rows = await runRead(FIRST[what], [ownerId, limit], options)
  return { rows: rows.map(({ id, name }) => ({ id, name })), total: rows[0]?.total ?? 0 }
}

/** A receiver of webhooks, how many it did not take in seven days, and the job of the last one. */
export type FailingReceiver = { host: string; count: number; jobId: string; title: string }

/** The receivers whose webhooks failed in the last seven days, the latest failure first. */
export async function failingReceivers(
  { ownerId, limit }: { ownerId: number; limit: number },
  options?: ReadOptions,
): Promise<{ rows: FailingReceiver[]; total: number }> {
  const rows = await runRead(UNDELIVERED, [ownerId, limit], options)
  return {
    rows: rows.map(({ host, count, job_id: jobId, title }) => ({ host, count, jobId, title })),
    total: rows[0]?.total ?? 0,
  }
}

/** Takes what a receiver has not taken until now off the overview; what fails later is on it. */
export const dismissFailures = (ownerId: number, host: string): Promise<unknown> =>
  executeStatement(DISMISS, [ownerId, host])
