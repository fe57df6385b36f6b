import { runStatement } from '../db'
import { statement } from '../kit/statement'
import { type LimitState, parseLimit } from './limit-state'
import type { LimitSource } from './shape'

const LIMITS = statement({
  name: 'limits_of_payer',
  sql: `SELECT l.source, limit_shown(l.id, $2, l.source, l.cap, l.spent, l.held, l.ends) AS shown FROM (
      SELECT 'balance' AS source, NULL::uuid AS id, a.available + a.held AS cap, 0::bigint AS spent, a.held, NULL::timestamptz AS ends
        FROM account a WHERE a.owner_id = $1
      UNION ALL SELECT 'account_day', NULL, a.day_credits, CASE WHEN d.at <= a.day_start THEN a.day_spent ELSE 0 END,
        CASE WHEN d.at <= a.day_start THEN a.day_held ELSE 0 END, d.at + interval '24 hours'
        FROM account a CROSS JOIN (SELECT date_trunc('day', clock_timestamp(), 'UTC')) d (at) WHERE a.owner_id = $1 AND a.day_credits IS NOT NULL
      UNION ALL SELECT 'key_budget', NULL, k.budget, k.spent, k.held, NULL FROM "key" k
        WHERE k.id = $2 AND k.owner_id = $1 AND k.budget IS NOT NULL
      UNION ALL SELECT 'key_period', NULL, k.period_budget, CASE WHEN w.ends = k.period_end THEN k.period_spent ELSE 0 END,
        CASE WHEN w.ends = k.period_end THEN k.period_held ELSE 0 END, w.ends
        FROM "key" k JOIN owner o ON o.id = k.owner_id, LATERAL (SELECT CASE WHEN k.period_end > clock_timestamp() THEN k.period_end
          ELSE (budget_period(k.period, o.time_zone, clock_timestamp())).ends END) w (ends)
        WHERE k.id = $2 AND k.owner_id = $1 AND k.period IS NOT NULL
      UNION ALL SELECT 'conversation', s.id, s.cap, s.spent, s.held, NULL FROM spend_limit s
        WHERE s.id = $3 AND s.owner_id = $1 AND s.budget_id IS NULL) l`,
  params: ['int', 'int', 'uuid'],
  columns: { source: ['balance', 'account_day', 'key_budget', 'key_period', 'conversation'], shown: 'jsonb' },
})

type Payer = { ownerId: number; keyId: number | null; jobId?: string }

/** The limits of an account, a key and a conversation, each as it is now; without budgets. */
export async function readLimits({ ownerId, keyId, jobId }: Payer): Promise<Map<LimitSource, LimitState>> {
  const rows = await runStatement(LIMITS, [ownerId, keyId, jobId ?? null])
  return new Map(
    rows.flatMap(({ source, shown }) => {
      const limit = parseLimit(shown)
      return limit ? [[source, limit] as const] : []
    }),
  )
}
