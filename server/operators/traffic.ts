import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { type RowOf, statement } from '../kit/statement'
import type { TrafficPage } from './shape'
import type { TrafficList, TrafficRow } from './traffic-view'

// Credits are those of the sums by hour, and of receipts that are not summed yet: of agent runs
// too, which send no requests.
const TRAFFIC = statement({
  name: 'operators_traffic',
  sql: `SELECT * FROM (
      SELECT o.id, o.email, a.suspended_for AS "suspendedFor", coalesce(q.requests, 0)::bigint AS requests,
        coalesce(q.short, 0)::bigint AS short, coalesce(q.forbidden, 0)::bigint AS forbidden,
        coalesce(q.limited, 0)::bigint AS limited, coalesce(q.errors, 0)::bigint AS errors,
        coalesce(q.ms / nullif(q.answered, 0), 0)::int AS "averageMs", coalesce(q.slowest, 0) AS "slowestMs",
        (SELECT coalesce(sum(u.charged), 0) FROM usage_hour u WHERE u.owner_id = o.id AND u.key_id = -1 AND u.hour >= $1)::bigint
          + (SELECT coalesce(sum(r.charged), 0) FROM receipt r
              WHERE r.owner_id = o.id AND r.at >= greatest($1, (SELECT s.until FROM usage_summed s)))::bigint AS spent
      FROM owner o LEFT JOIN account a ON a.owner_id = o.id LEFT JOIN (
        SELECT h.owner_id, sum(h.requests) AS requests, sum(h.requests) FILTER (WHERE h.status = 402) AS short,
          sum(h.requests) FILTER (WHERE h.status = 403) AS forbidden, sum(h.requests) FILTER (WHERE h.status = 429) AS limited,
          sum(h.requests) FILTER (WHERE h.status >= 500) AS errors, sum(h.ms) FILTER (WHERE h.status < 400) AS ms,
          sum(h.requests) FILTER (WHERE h.status < 400) AS answered, max(h.slowest_ms) FILTER (WHERE h.status < 400) AS slowest
        FROM request_hour h WHERE h.hour >= $1 GROUP BY h.owner_id) q ON q.owner_id = o.id) t
    WHERE t.requests > 0 OR t.spent > 0
    ORDER BY CASE $2 WHEN 'refused' THEN t.short + t.forbidden + t.limited WHEN 'errors' THEN t.errors
      WHEN 'latency' THEN t."averageMs" WHEN 'spent' THEN t.spent ELSE t.requests END DESC, t.requests DESC, t.id
    LIMIT $3`,
  params: ['timestamptz', 'text', 'bigint'],
  columns: {
    id: 'int',
    email: 'text',
    suspendedFor: 'text?',
    requests: 'bigint',
    short: 'bigint',
    forbidden: 'bigint',
    limited: 'bigint',
    errors: 'bigint',
    averageMs: 'int',
    slowestMs: 'int',
    spent: 'bigint',
  },
})

const viewTraffic = ({ short, forbidden, limited, ...row }: RowOf<typeof TRAFFIC>): TrafficRow => ({
  ...row,
  requests: Number(row.requests),
  refused: { 402: Number(short), 403: Number(forbidden), 429: Number(limited) },
  errors: Number(row.errors),
  spent: Number(row.spent),
})

const HOUR_MS = 3_600_000

/** Whole hours before the present one that are counted with it. */
const HOURS_BEFORE = { hour: 1, day: 23 }

/**
 * Which owners take the most of the service: by requests with their keys, refusals, errors, time or
 * credits. Requests appear some seconds after their answer.
 */
export async function readTraffic({ range, sort, limit }: TrafficPage, options?: ReadOptions): Promise<TrafficList> {
  const since = new Date((Math.floor(Date.now() / HOUR_MS) - HOURS_BEFORE[range]) * HOUR_MS)
  const rows = await runRead(TRAFFIC, [since, sort, BigInt(limit)], options)
  return { since: since.toISOString(), rows: rows.map(viewTraffic) }
}
