import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'

type Days = { from: string; to: string; timeZone: string }

const RANKING = statement({
  name: 'usage_largest_keys',
  sql: `WITH bound AS (
      SELECT $2::text::date::timestamp AT TIME ZONE $4 AS since, ($3::text::date + 1)::timestamp AT TIME ZONE $4 AS until
    ), whole AS (
      SELECT (date_trunc('day', since + interval '1 day' - interval '1 microsecond', 'UTC') AT TIME ZONE 'UTC')::date AS first_day,
        (until AT TIME ZONE 'UTC')::date AS last_day, since, until FROM bound
    ), piece AS MATERIALIZED (
      SELECT since, least(first_day::timestamp AT TIME ZONE 'UTC', until) AS until FROM whole
      UNION ALL SELECT last_day::timestamp AT TIME ZONE 'UTC', until FROM whole WHERE first_day <= last_day
      UNION ALL SELECT greatest(first_day::timestamp AT TIME ZONE 'UTC', (SELECT until FROM usage_summed)),
        last_day::timestamp AT TIME ZONE 'UTC' FROM whole
    )
    SELECT key_id, sum(calls) AS calls, sum(charged) AS charged FROM (
      SELECT key_id, calls, charged FROM usage_key_day
        WHERE owner_id = $1 AND day >= (SELECT first_day FROM whole) AND day < (SELECT last_day FROM whole)
      UNION ALL SELECT coalesce(r.key_id, 0), 1, r.charged FROM piece p
        JOIN receipt r ON r.owner_id = $1 AND r.at >= p.since AND r.at < p.until
    ) k GROUP BY key_id HAVING sum(calls) > 0 ORDER BY sum(charged) DESC, sum(calls) DESC, key_id LIMIT $5::int`,
  params: ['int', 'text', 'text', 'text', 'int'],
  columns: { key_id: 'int', calls: 'numeric', charged: 'numeric' },
})

export type RankedKey = { keyId: number; calls: number; charged: number }

/** An owner's keys that spent the most on some days, at most `max`. 0: calls without a key. */
export async function largestKeys(
  ownerId: number,
  { from, to, timeZone, max }: Days & { max: number },
  options?: ReadOptions,
): Promise<RankedKey[]> {
  const rows = await runRead(RANKING, [ownerId, from, to, timeZone, max], options)
  return rows.map(({ key_id, calls, charged }) => ({ keyId: key_id, calls: Number(calls), charged: Number(charged) }))
}

const NAMES = statement({
  name: 'usage_key_names',
  sql: 'SELECT id, name FROM "key" WHERE owner_id = $1 AND id = ANY ($2)',
  params: ['int', 'int[]'],
  columns: { id: 'int', name: 'text' },
})

/** What an owner's keys are called, by id. 0 is the dashboard. */
export async function keyNames(
  ownerId: number,
  ids: readonly number[],
  options?: ReadOptions,
): Promise<(id: number) => string> {
  const rows = await runRead(NAMES, [ownerId, ids], options)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return (id) => (id === 0 ? 'Dashboard' : (names.get(id) ?? `key ${id}`))
}
