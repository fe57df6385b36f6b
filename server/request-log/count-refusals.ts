import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'
import { REFUSAL_STATUSES, type RefusalFilter, type RefusalTotals } from './shape'

// Its hours, as the clock of the owner's zone shows them.
const BUCKETS = statement({
  name: 'refusal_buckets',
  sql: `SELECT to_char(b, 'YYYY-MM-DD"T"HH24:MI') AS bucket FROM generate_series(
      date_trunc($1, now() AT TIME ZONE $2) - $3::int * ('1 ' || $1)::interval, date_trunc($1, now() AT TIME ZONE $2), ('1 ' || $1)::interval) b
    ORDER BY b`,
  params: ['text', 'text', 'int'],
  columns: { bucket: 'text' },
})
const COUNTS = statement({
  name: 'refusal_counts',
  sql: `SELECT to_char(date_trunc($4, h.hour AT TIME ZONE $5), 'YYYY-MM-DD"T"HH24:MI') AS bucket, h.status,
      h.limit_name AS "limitName", sum(h.requests)::int AS requests
    FROM request_hour h
    WHERE h.owner_id = $1 AND ($2::int IS NULL OR h.key_id = $2) AND h.status = ANY ($3::int[])
      AND h.hour >= (date_trunc($4, now() AT TIME ZONE $5) - $6::int * ('1 ' || $4)::interval) AT TIME ZONE $5
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  params: ['int', 'int', 'int[]', 'text', 'text', 'int'],
  columns: { bucket: 'text', status: 'int', limitName: 'text', requests: 'int' },
})

/** Parts of a range, and how many come before the present one. */
const PARTS = {
  day: { unit: 'hour', before: 23 },
  week: { unit: 'day', before: 6 },
  month: { unit: 'day', before: 29 },
} as const

/**
 * How many requests of an owner's keys, or of one, were refused with which status and by which
 * limit, in parts of the time zone's days. They appear some seconds after their answer.
 */
export async function countRefusals(
  ownerId: number,
  { keyId, range, timeZone }: RefusalFilter & { timeZone: string },
  options?: ReadOptions,
): Promise<RefusalTotals> {
  const { unit, before } = PARTS[range]
  const [buckets, counts] = await Promise.all([
    runRead(BUCKETS, [unit, timeZone, before], options),
    runRead(COUNTS, [ownerId, keyId ?? null, [...REFUSAL_STATUSES], unit, timeZone, before], options),
  ])
  const places = new Map(buckets.map(({ bucket }, i) => [bucket, i]))
  const series = new Map<string, RefusalTotals['series'][number]>()
  for (const { bucket, status, limitName, requests } of counts) {
    const id = `${status} ${limitName}`
    const one = series.get(id) ?? { status, limitName, values: buckets.map(() => 0), requests: 0 }
    const place = places.get(bucket)
    if (place === undefined) continue
    one.values[place] = (one.values[place] ?? 0) + requests
    one.requests += requests
    series.set(id, one)
  }
  const sorted = [...series.values()].sort((a, b) => b.requests - a.requests)
  return {
    unit,
    buckets: [...places.keys()],
    series: sorted,
    requests: sorted.reduce((sum, { requests }) => sum + requests, 0),
  }
}
