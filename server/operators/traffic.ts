import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { type RowOf, statement } from '../kit/statement'
import type { TrafficPage } from './shape'
import type { TrafficList, TrafficRow } from './traffic-view'

/** Calls and refusals of the last minutes that are looked at: what a page has time for. */
const MAX_CALLS = 20_000

// Requests that failed are those answered from 500 on; time is that of all of them.
const COUNTS = `count(*) FILTER (WHERE c.status = 402) AS short, count(*) FILTER (WHERE c.status = 403) AS forbidden,
  count(*) FILTER (WHERE c.status = 429) AS limited, count(*) FILTER (WHERE c.status >= 500) AS errors,
  sum(c.ms) AS total, sum(c.ms) FILTER (WHERE c.status < 400) AS ms, count(*) FILTER (WHERE c.status < 400) AS answered,
  max(c.ms) FILTER (WHERE c.status < 400) AS slowest`

/** What is counted since $1, and the credits of owner o. */
const SOURCES = {
  // Credits are those of the sums by hour, and of receipts that are not summed yet: of agent runs
  // too, which send no requests.
  hours: {
    counts: `SELECT h.owner_id, sum(h.requests) AS requests, sum(h.requests) FILTER (WHERE h.status = 402) AS short,
        sum(h.requests) FILTER (WHERE h.status = 403) AS forbidden, sum(h.requests) FILTER (WHERE h.status = 429) AS limited,
        sum(h.requests) FILTER (WHERE h.status >= 500) AS errors, sum(h.ms) AS total, sum(h.ms) FILTER (WHERE h.status < 400) AS ms,
        sum(h.requests) FILTER (WHERE h.status < 400) AS answered, max(h.slowest_ms) FILTER (WHERE h.status < 400) AS slowest, 0 AS spent
      FROM request_hour h WHERE h.hour >= $1 GROUP BY h.owner_id`,
    spent: `(SELECT coalesce(sum(u.charged), 0) FROM usage_hour u WHERE u.owner_id = o.id AND u.key_id = -1 AND u.hour >= $1)::bigint
      + (SELECT coalesce(sum(r.charged), 0) FROM receipt r
          WHERE r.owner_id = o.id AND r.at >= greatest($1, (SELECT s.until FROM usage_summed s)))::bigint`,
  },
  minutes: {
    counts: `SELECT c.owner_id, count(*) AS requests, ${COUNTS}, sum(c.charged) AS spent FROM (
        (SELECT r.owner_id, CASE r.status WHEN 'failed' THEN 500 ELSE 200 END AS status,
            (extract(epoch FROM r.at - r.started_at) * 1000)::int AS ms, r.charged
          FROM receipt r WHERE r.at >= $1 AND r.status <> 'expired' LIMIT ${MAX_CALLS})
        UNION ALL (SELECT f.owner_id, f.status, 0, 0 FROM refusal f WHERE f.at >= $1 LIMIT ${MAX_CALLS})) c
      GROUP BY c.owner_id`,
    spent: 'coalesce(q.spent, 0)::bigint',
  },
} as const

const traffic = (of: keyof typeof SOURCES) =>
  statement({
    name: `operators_traffic_of_${of}`,
    sql: `SELECT * FROM (
      SELECT o.id, o.email, a.suspended_for AS "suspendedFor", coalesce(q.requests, 0)::bigint AS requests,
        coalesce(q.short, 0)::bigint AS short, coalesce(q.forbidden, 0)::bigint AS forbidden,
        coalesce(q.limited, 0)::bigint AS limited, coalesce(q.errors, 0)::bigint AS errors,
        coalesce(q.ms / nullif(q.answered, 0), 0)::int AS "averageMs", coalesce(q.slowest, 0)::int AS "slowestMs",
        coalesce(q.total, 0)::bigint AS "totalMs", coalesce(w.calls, 0)::int AS "inProgress", ${SOURCES[of].spent} AS spent
      FROM owner o LEFT JOIN account a ON a.owner_id = o.id LEFT JOIN (${SOURCES[of].counts}) q ON q.owner_id = o.id
        LEFT JOIN (SELECT h.owner_id, sum(coalesce(h.calls, 1)) AS calls FROM hold h GROUP BY h.owner_id) w ON w.owner_id = o.id) t
    WHERE t.requests > 0 OR t.spent > 0 OR t."inProgress" > 0
    ORDER BY CASE $2 WHEN 'refused' THEN t.short + t.forbidden + t.limited WHEN 'errors' THEN t.errors
      WHEN 'latency' THEN t."averageMs" WHEN 'time' THEN t."totalMs" WHEN 'inProgress' THEN t."inProgress"
      WHEN 'spent' THEN t.spent ELSE t.requests END DESC, t.requests DESC, t.id
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
      totalMs: 'bigint',
      inProgress: 'int',
      spent: 'bigint',
    },
  })
const TRAFFIC = { hours: traffic('hours'), minutes: traffic('minutes') }

const viewTraffic = ({ short, forbidden, limited, ...row }: RowOf<(typeof TRAFFIC)['hours']>): TrafficRow => ({
  ...row,
  requests: Number(row.requests),
  refused: { 402: Number(short), 403: Number(forbidden), 429: Number(limited) },
  errors: Number(row.errors),
  totalMs: Number(row.totalMs),
  spent: Number(row.spent),
})

const HOUR_MS = 3_600_000

const MINUTES_MS = 5 * 60_000

/** Whole hours before the present one that are counted with it. */
const HOURS_BEFORE = { hour: 1, day: 23 }

const startOf = (range: TrafficPage['range']): Date =>
  range === 'now'
    ? new Date(Date.now() - MINUTES_MS)
    : new Date((Math.floor(Date.now() / HOUR_MS) - HOURS_BEFORE[range]) * HOUR_MS)

/**
 * Which owners take the most of the service: by requests with their keys, refusals, errors, time,
 * calls in progress or credits. Requests appear some seconds after their answer. Those of the last
 * minutes are billed calls, and refused ones as far as these are kept.
 */
export async function readTraffic({ range, sort, limit }: TrafficPage, options?: ReadOptions): Promise<TrafficList> {
  const since = startOf(range)
  const rows = await runRead(TRAFFIC[range === 'now' ? 'minutes' : 'hours'], [since, sort, BigInt(limit)], options)
  return { since: since.toISOString(), rows: rows.map(viewTraffic) }
}
