import { transactOnce } from '../db'

/** One number that does not follow from the ledger. */
export type Difference = { what: string; id: string; stored: string; computed: string }

const CHECKS = [
  `SELECT 'account total' AS what, o.id::text, coalesce(a.available + a.held, 0)::text AS stored, coalesce(l.sum, 0)::text AS computed
   FROM owner o LEFT JOIN account a ON a.owner_id = o.id
   LEFT JOIN (SELECT owner_id, sum(amount) FROM ledger GROUP BY owner_id) l ON l.owner_id = o.id
   WHERE coalesce(a.available + a.held, 0) <> coalesce(l.sum, 0)`,
  `SELECT 'account held' AS what, a.owner_id::text AS id, a.held::text AS stored, coalesce(h.sum, 0)::text AS computed
   FROM account a LEFT JOIN (SELECT owner_id, sum(amount) FROM hold GROUP BY owner_id) h ON h.owner_id = a.owner_id
   WHERE a.held <> coalesce(h.sum, 0)`,
  `SELECT 'key spent' AS what, k.id::text, k.spent::text AS stored, coalesce(l.sum, 0)::text AS computed
   FROM "key" k LEFT JOIN (SELECT key_id, -sum(amount) AS sum FROM ledger WHERE key_id IS NOT NULL GROUP BY key_id) l ON l.key_id = k.id
   WHERE k.spent <> coalesce(l.sum, 0)`,
  `SELECT 'key held' AS what, k.id::text, k.held::text AS stored, coalesce(h.sum, 0)::text AS computed
   FROM "key" k LEFT JOIN (SELECT key_id, sum(amount) FROM hold GROUP BY key_id) h ON h.key_id = k.id
   WHERE k.held <> coalesce(h.sum, 0)`,
  `SELECT 'ceiling spent' AS what, s.id::text, s.spent::text AS stored, coalesce(r.sum, 0)::text AS computed
   FROM spend_limit s LEFT JOIN (SELECT limit_id, sum(charged) FROM receipt WHERE limit_id IS NOT NULL GROUP BY limit_id) r ON r.limit_id = s.id
   WHERE s.spent <> coalesce(r.sum, 0)`,
  `SELECT 'ceiling held' AS what, s.id::text, s.held::text AS stored, coalesce(h.sum, 0)::text AS computed
   FROM spend_limit s LEFT JOIN (SELECT limit_id, sum(amount) FROM hold GROUP BY limit_id) h ON h.limit_id = s.id
   WHERE s.held <> coalesce(h.sum, 0)`,
  `SELECT 'receipt charge' AS what, coalesce(r.id, l.hold_id)::text AS id, coalesce(r.charged, 0)::text AS stored, coalesce(-l.amount, 0)::text AS computed
   FROM (SELECT id, charged FROM receipt WHERE charged > 0) r
   FULL JOIN (SELECT hold_id, sum(amount) AS amount FROM ledger WHERE hold_id IS NOT NULL GROUP BY hold_id) l
     ON l.hold_id = r.id
   WHERE coalesce(r.charged, 0) <> coalesce(-l.amount, 0)`,
  `SELECT 'negative' AS what, owner_id::text AS id, least(available, held)::text AS stored, '0' AS computed
   FROM account WHERE available < 0 OR held < 0`,
]

/** Recomputes every balance, key spend, ceiling, hold sum and receipt from the ledger, in one snapshot. Empty: all agree. */
export async function verifyLedger(): Promise<Difference[]> {
  return transactOnce(async (db) => {
    const found: Difference[] = []
    for (const sql of CHECKS) found.push(...(await db.query<Difference>(sql)).rows)
    return found
  }, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
}
