import { executeStatement, runRead, runStatement } from '../db'
import { env } from '../env'
import type { RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'
import { isSummedUpTo } from './sum-up'

/** Receipts one step deletes. */
const STEP = 500
const WITHIN_MS = 60_000
const DAY_MS = 86_400_000

/**
 * The moment before which receipts are deleted: a midnight, UTC, so that the daily sums of every
 * other day stay checkable.
 */
const cutoffOf = (days: number, now = Date.now()): Date => new Date((Math.floor(now / DAY_MS) - days) * DAY_MS)

const COUNT = statement({
  name: 'expired_receipts_count',
  sql: 'SELECT count(*)::int AS n FROM receipt WHERE at < $1',
  params: ['timestamptz'],
  columns: { n: 'int' },
})
const IS_DONE = statement({
  name: 'expired_receipts_is_done',
  sql: `SELECT name FROM retention WHERE name = 'receipts' AND deleted >= $1`,
  params: ['timestamptz'],
  columns: { name: 'text' },
})
const BEGIN = statement({
  name: 'expired_receipts_begin',
  sql: `UPDATE retention SET cutoff = $1, days = $2 WHERE name = 'receipts' AND (cutoff IS NULL OR cutoff < $1)`,
  params: ['timestamptz', 'int'],
})
const END = statement({
  name: 'expired_receipts_end',
  sql: `UPDATE retention SET deleted = $1 WHERE name = 'receipts'`,
  params: ['timestamptz'],
})

/**
 * The first owner from $1 on with such receipts, and the deletion of some. What they charged under
 * a limit is kept.
 */
const DELETE = statement({
  name: 'expired_receipts_delete',
  sql: `WITH o AS (
    SELECT o.id FROM owner o WHERE o.id >= $1 AND EXISTS (SELECT 1 FROM receipt r WHERE r.owner_id = o.id AND r.at < $2)
    ORDER BY o.id LIMIT 1
  ), old AS (
    SELECT r.id FROM receipt r WHERE r.owner_id = (SELECT id FROM o) AND r.at < $2 ORDER BY r.at LIMIT ${STEP} FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM receipt r USING old WHERE r.id = old.id RETURNING limits_named(r) AS limits, r.charged
  ), kept AS (
    INSERT INTO deleted_spend AS d (limit_id, charged)
      SELECT u.id, sum(g.charged) FROM gone g CROSS JOIN LATERAL unnest(g.limits) u (id) JOIN spend_limit s ON s.id = u.id AND s.starts_at IS NULL
      GROUP BY 1 ORDER BY 1
      ON CONFLICT (limit_id) DO UPDATE SET charged = d.charged + excluded.charged
  )
  SELECT (SELECT id FROM o) AS owner, (SELECT count(*)::int FROM gone) AS deleted`,
  params: ['int', 'timestamptz'],
  columns: { owner: 'int?', deleted: 'int' },
})

/**
 * Receipts of more than RETAIN_RECEIPTS_DAYS ago. The ledger, the daily sums and what conversations
 * spent stay; from the first deletion on, `ledger verify` expects no older receipt.
 */
export function expiredReceipts(days = env().RETAIN_RECEIPTS_DAYS): RetentionTask | null {
  if (days === 0) return null
  const cutoff = cutoffOf(days)
  let owner = 0
  const count = async () => (await runRead(COUNT, [cutoff], { withinMs: WITHIN_MS }))[0]?.n ?? 0
  const step = async () => {
    const done = await runStatement(IS_DONE, [cutoff])
    if (done.length > 0) return { deleted: 0, more: false }
    // Sums outlive their receipts: first those have to be made.
    if (!(await isSummedUpTo(cutoff))) return { deleted: 0, more: false }
    await executeStatement(BEGIN, [cutoff, days])
    const [{ owner: found = null, deleted = 0 } = {}] = await runStatement(DELETE, [owner, cutoff])
    if (found === null) await executeStatement(END, [cutoff])
    owner = found ?? owner
    return { deleted, more: deleted > 0 }
  }
  return { name: 'receipts', count, step }
}
