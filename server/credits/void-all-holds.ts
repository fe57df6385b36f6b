import { runStatement } from '../db'
import { statement } from '../kit/statement'

const STEP = 500n

const VOID_SOME = statement({
  name: 'credits_void_some',
  sql: `WITH open AS (
      SELECT coalesce(array_agg(id), '{}') AS ids, count(*)::int AS count
      FROM (SELECT id FROM hold ORDER BY id LIMIT $1) AS few)
    SELECT count(*)::int AS voided FROM open, credits_settle(open.ids, array_fill(0::bigint, ARRAY[open.count]),
      array_fill(false, ARRAY[open.count]), array_fill('expired'::text, ARRAY[open.count]),
      array_fill(NULL::jsonb, ARRAY[open.count]), array_fill(NULL::int, ARRAY[open.count]),
      array_fill(NULL::text, ARRAY[open.count])) AS s WHERE s.outcome = 'done'`,
  params: ['bigint'],
  columns: { voided: 'int' },
})

/**
 * Ends every hold without a charge, in a database that no process uses yet: those that took them
 * never return to a copy of their database. Returns how many there were.
 */
export async function voidAllHolds(): Promise<number> {
  for (let total = 0; ; ) {
    const [row] = await runStatement(VOID_SOME, [STEP])
    if (!row?.voided) return total
    total += row.voided
  }
}
