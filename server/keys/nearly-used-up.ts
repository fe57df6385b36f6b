import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'
import type { LowKeys } from './shape'

/**
 * Of each key that works, the budget with less than a tenth left; of two, the one that leaves less.
 * Those of whole lives first: they do not begin anew. A key whose lifetime budget is spent counts
 * while somebody still calls with it.
 */
const NEARLY_USED_UP = statement({
  name: 'keys_nearly_used_up',
  sql: `SELECT k.id, k.name, b.budget, greatest(b.budget - b.used, 0)::bigint AS remaining, b.every, count(*) OVER ()::int AS total
    FROM "key" k, LATERAL (
      SELECT * FROM (VALUES (k.budget, k.spent + k.held, NULL),
        (k.period_budget, CASE WHEN k.period_end > now() THEN k.period_spent + k.period_held ELSE 0 END, k.period)
      ) AS v (budget, used, every)
      WHERE (v.budget - v.used) * 10 < v.budget ORDER BY v.budget - v.used LIMIT 1) b
    WHERE k.owner_id = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
      AND (k.budget IS NULL OR k.spent < k.budget
        OR EXISTS (SELECT 1 FROM key_use u WHERE u.key_id = k.id AND u.used_at > now() - interval '7 days'))
    ORDER BY b.every IS NOT NULL, (b.budget - b.used)::float8 / b.budget, k.id DESC LIMIT $2::int`,
  params: ['int', 'int'],
  columns: {
    id: 'int',
    name: 'text',
    budget: 'bigint',
    remaining: 'bigint',
    every: ['day', 'week', 'month', null],
    total: 'int',
  },
})

/** The first `limit` of an owner's keys that can hardly spend any more, and how many there are. */
export async function keysNearlyUsedUp(ownerId: number, limit: number, options?: ReadOptions): Promise<LowKeys> {
  const rows = await runRead(NEARLY_USED_UP, [ownerId, limit], options)
  return {
    rows: rows.map(({ id, name, budget, remaining, every }) => ({
      ...{ id, name, every },
      budget: Number(budget),
      remaining: Number(remaining),
    })),
    total: rows[0]?.total ?? 0,
  }
}
