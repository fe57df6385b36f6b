import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'

type Days = { from: string; to: string; timeZone: string }

// By UTC days, also where the zone's begin at another time: a ranking need not read the receipts of
// its edges, whose exact sums are read of the keys it chose.
const RANKING = statement({
  name: 'usage_largest_keys',
  sql: `WITH bound AS (
      SELECT $2::text::date::timestamp AT TIME ZONE $4 AS since, ($3::text::date + 1)::timestamp AT TIME ZONE $4 AS until
    ), days AS (
      SELECT (since AT TIME ZONE 'UTC')::date AS first, ((until - interval '1 microsecond') AT TIME ZONE 'UTC')::date AS last FROM bound
    ), months AS (
      SELECT date_trunc('month', first + interval '1 month' - interval '1 day')::date AS first,
        -- This month is whole so far.
        (date_trunc('month', last + interval '1 day')
          + CASE WHEN last >= (now() AT TIME ZONE 'UTC')::date AND last + 1 > date_trunc('month', last + interval '1 day')
              THEN interval '1 month' ELSE interval '0' END)::date AS "end" FROM days
    )
    SELECT key_id FROM (
      SELECT u.key_id, u.calls, u.charged FROM usage_key_month u
        WHERE u.owner_id = $1 AND u.month >= (SELECT first FROM months) AND u.month < (SELECT "end" FROM months)
      UNION ALL SELECT u.key_id, u.calls, u.charged FROM usage_key_day u
        WHERE u.owner_id = $1 AND u.day >= (SELECT first FROM days)
          AND u.day < (SELECT least(m.first, d.last + 1) FROM months m, days d)
      UNION ALL SELECT u.key_id, u.calls, u.charged FROM usage_key_day u
        WHERE u.owner_id = $1 AND u.day >= (SELECT greatest(first, "end") FROM months) AND u.day <= (SELECT last FROM days)
      UNION ALL SELECT coalesce(r.key_id, 0), 1, r.charged FROM receipt r
        WHERE r.owner_id = $1 AND r.at >= (SELECT greatest(since, (SELECT s.until FROM usage_summed s)) FROM bound)
          AND r.at < (SELECT until FROM bound)
    ) k GROUP BY key_id HAVING sum(calls) > 0 ORDER BY sum(charged) DESC, sum(calls) DESC, key_id LIMIT $5::int`,
  params: ['int', 'text', 'text', 'text', 'int'],
  columns: { key_id: 'int' },
})

/**
 * An owner's keys that spent the most on some days, at most `max`, most first. 0: calls without a
 * key. Counts whole UTC days.
 */
export async function largestKeys(
  ownerId: number,
  { from, to, timeZone, max }: Days & { max: number },
  options?: ReadOptions,
): Promise<number[]> {
  const rows = await runRead(RANKING, [ownerId, from, to, timeZone, max], options)
  return rows.map(({ key_id: keyId }) => keyId)
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
