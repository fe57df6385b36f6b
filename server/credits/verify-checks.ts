import { statement } from '../kit/statement'

/** One number that does not follow from the ledger. */
export type LedgerDifference = { what: string; id: string; stored: string; computed: string }

export const DIFFERENCE_COLUMNS = { what: 'text', id: 'text', stored: 'text', computed: 'text' } as const

/**
 * A check of the owners in $1. Returns a row for each number that does not follow from the ledger:
 * what it is and whose, as it is stored, and as it is computed.
 */
const check = (name: string, sql: string) =>
  statement({
    name: `verify_${name}`,
    sql,
    params: ['int[]'],
    columns: DIFFERENCE_COLUMNS,
  })

export type LedgerCheck = ReturnType<typeof check>

/**
 * What must follow from what, as queries over the owners of $1 (ids). Each is one statement, so it
 * sees one moment: what it finds is wrong, however busy the owners are. Each returns rows of what,
 * id, stored and computed.
 */

/** Receipts from before this may have been deleted. */
const CUTOFF = `coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity')`

/** Receipts from before this are in the sums by hour. */
const SUMMED = '(SELECT until FROM usage_summed)'

/** Cheap for every owner: holds in progress, and rows that one looks up. */
export const HOLD_CHECKS: readonly LedgerCheck[] = [
  check(
    'account_held',
    `SELECT 'account held' AS what, a.owner_id::text AS id, a.held::text AS stored, coalesce(h.sum, 0)::text AS computed
   FROM account a LEFT JOIN (SELECT owner_id, sum(amount) FROM hold WHERE owner_id = ANY ($1) GROUP BY owner_id) h
     ON h.owner_id = a.owner_id
   WHERE a.owner_id = ANY ($1) AND a.held <> coalesce(h.sum, 0)`,
  ),
  check(
    'key_held',
    `SELECT 'key held' AS what, k.id::text, k.held::text AS stored, coalesce(h.sum, 0)::text AS computed
   FROM "key" k LEFT JOIN (SELECT key_id, sum(amount) FROM hold WHERE owner_id = ANY ($1) GROUP BY key_id) h ON h.key_id = k.id
   WHERE k.owner_id = ANY ($1) AND k.held <> coalesce(h.sum, 0)`,
  ),
  // A call counts in the window in which its hold was taken, but for what it cost beyond that.
  // Windows from before the last receipts that were deleted are left out.
  check(
    'key_period',
    `SELECT 'key period' AS what, k.id::text, concat_ws('/', k.period_spent, k.period_held) AS stored,
     concat_ws('/', coalesce(r.sum, 0), coalesce(h.sum, 0)) AS computed
   FROM "key" k
   LEFT JOIN LATERAL (SELECT sum(charged_in_period(r, k.period_start, r.charged)) FROM receipt r WHERE r.key_id = k.id AND r.at >= k.period_start) r ON true
   LEFT JOIN LATERAL (SELECT sum(amount) FROM hold WHERE key_id = k.id AND created_at >= k.period_start) h ON true
   WHERE k.owner_id = ANY ($1) AND k.period_start >= ${CUTOFF}
     AND (k.period_spent, k.period_held) <> (coalesce(r.sum, 0), coalesce(h.sum, 0))`,
  ),
  check(
    'account_day',
    `SELECT 'account day' AS what, a.owner_id::text AS id, concat_ws('/', a.day_spent, a.day_held) AS stored,
     concat_ws('/', coalesce(r.sum, 0), coalesce(h.sum, 0)) AS computed
   FROM account a
   LEFT JOIN LATERAL (SELECT sum(charged_in_period(r, a.day_start, r.charged)) FROM receipt r WHERE r.owner_id = a.owner_id AND r.at >= a.day_start) r ON true
   LEFT JOIN (SELECT h.owner_id, sum(h.amount) FROM hold h JOIN account b ON b.owner_id = h.owner_id AND h.created_at >= b.day_start
     WHERE h.owner_id = ANY ($1) GROUP BY h.owner_id) h ON h.owner_id = a.owner_id
   WHERE a.owner_id = ANY ($1) AND a.day_start >= ${CUTOFF}
     AND (a.day_spent, a.day_held) <> (coalesce(r.sum, 0), coalesce(h.sum, 0))`,
  ),
  check(
    'spend_limit_held',
    `SELECT 'spend limit held' AS what, s.id::text, s.held::text AS stored, coalesce(h.sum, 0)::text AS computed
   FROM spend_limit s LEFT JOIN (SELECT u.id, sum(h.amount) FROM hold h CROSS JOIN LATERAL unnest(h.limit_id || h.limits) u (id)
       JOIN spend_limit l ON l.id = u.id AND (h.created_at >= l.starts_at) IS NOT FALSE
     WHERE h.owner_id = ANY ($1) GROUP BY u.id) h ON h.id = s.id
   WHERE s.owner_id = ANY ($1) AND s.held <> coalesce(h.sum, 0)`,
  ),
  // Of budgets with a window, as that of a key.
  check(
    'budget_window',
    `WITH windows AS MATERIALIZED (SELECT s.* FROM spend_limit s WHERE s.owner_id = ANY ($1) AND s.starts_at >= ${CUTOFF}),
     begins AS (SELECT owner_id, min(starts_at) AS at FROM windows GROUP BY owner_id)
   SELECT 'budget window' AS what, w.id::text, w.spent::text AS stored, coalesce(c.sum, 0)::text AS computed
   FROM windows w LEFT JOIN (
     SELECT l.id, sum(charged_in_period(r, l.starts_at, r.charged)) FROM begins b
       JOIN receipt r ON r.owner_id = b.owner_id AND r.at >= b.at AND r.detail ? 'limits'
       CROSS JOIN LATERAL unnest(limits_named(r)) u (id) JOIN windows l ON l.id = u.id GROUP BY l.id) c ON c.id = w.id
   WHERE w.spent <> coalesce(c.sum, 0)`,
  ),
  check(
    'negative',
    `SELECT 'negative' AS what, owner_id::text AS id, least(available, held)::text AS stored, '0' AS computed
   FROM account WHERE owner_id = ANY ($1) AND (available < 0 OR held < 0)`,
  ),
  // A count that stayed too high would refuse the owner's calls for good.
  check(
    'calls_in_progress',
    `SELECT 'calls in progress' AS what, a.owner_id::text AS id, a.calls::text AS stored, coalesce(h.sum, 0)::text AS computed
   FROM account a LEFT JOIN (SELECT owner_id, sum(coalesce(calls, 1)) FROM hold WHERE owner_id = ANY ($1) AND channel <> 'agent' GROUP BY owner_id) h
     ON h.owner_id = a.owner_id
   WHERE a.owner_id = ANY ($1) AND a.calls <> coalesce(h.sum, 0)`,
  ),
  // No call takes as long: its process lost it, and the credits are withheld from their owner.
  check(
    'old_hold',
    `SELECT 'old hold' AS what, id::text, amount::text AS stored, '0' AS computed
   FROM hold WHERE owner_id = ANY ($1) AND created_at < now() - interval '10 minutes'`,
  ),
  check(
    'idempotency_in_progress',
    `SELECT 'idempotency in progress' AS what, i.hold_id::text AS id, 'in progress' AS stored, 'no hold' AS computed
   FROM idempotency i JOIN "key" k ON k.id = i.key_id
   WHERE k.owner_id = ANY ($1) AND i.status IS NULL AND NOT EXISTS (SELECT 1 FROM hold h WHERE h.id = i.hold_id)`,
  ),
  // An operator has to look at it: its hold stays until then. Without a hold, such as after a
  // restore, no number of this ledger is wrong.
  check(
    'settlement_given_up',
    `SELECT 'settlement given up' AS what, concat_ws('/', d.owner_id, d.id) AS id, d.error AS stored, '' AS computed
   FROM settlement_dead d WHERE d.owner_id = ANY ($1) AND EXISTS (SELECT 1 FROM hold h WHERE h.id = d.id)`,
  ),
]

/**
 * Receipts from before the cutoff may be missing, so it may not be later than what was kept then
 * allows.
 */
export const RETENTION_CHECK = statement({
  name: 'verify_retention_cutoff',
  sql: `SELECT 'retention cutoff' AS what, name AS id, cutoff::text AS stored,
      coalesce((now() - make_interval(days => days))::text, 'none') AS computed
    FROM retention WHERE name = 'receipts' AND cutoff IS NOT NULL AND (days >= 31 AND cutoff <= now() - make_interval(days => days)) IS NOT TRUE`,
  params: [],
  columns: DIFFERENCE_COLUMNS,
})

/** The whole of an account's ledger. */
const CHAIN = `ledger_chain(a.owner_id, NULL, '-infinity', 'infinity', 9223372036854775807)`

/** Read as many rows as the owners have receipts and ledger rows. */
export const HISTORY_CHECKS: readonly LedgerCheck[] = [
  check(
    'account_total',
    `SELECT 'account total' AS what, o.id::text, coalesce(a.available + a.held, 0)::text AS stored, coalesce(l.sum, 0)::text AS computed
   FROM owner o LEFT JOIN account a ON a.owner_id = o.id
   LEFT JOIN (SELECT owner_id, sum(amount) FROM ledger WHERE owner_id = ANY ($1) GROUP BY owner_id) l ON l.owner_id = o.id
   WHERE o.id = ANY ($1) AND coalesce(a.available + a.held, 0) <> coalesce(l.sum, 0)`,
  ),
  check(
    'ledger_chain',
    `SELECT 'ledger chain' AS what, a.owner_id::text AS id, coalesce(encode(a.chain, 'hex'), '') AS stored,
     coalesce(encode(${CHAIN}, 'hex'), '') AS computed
   FROM account a WHERE a.owner_id = ANY ($1) AND a.chain IS DISTINCT FROM ${CHAIN}`,
  ),
  check(
    'key_spent',
    `SELECT 'key spent' AS what, k.id::text, k.spent::text AS stored, coalesce(l.sum, 0)::text AS computed
   FROM "key" k LEFT JOIN (SELECT key_id, -sum(amount) AS sum FROM ledger WHERE owner_id = ANY ($1) AND key_id IS NOT NULL
     GROUP BY key_id) l ON l.key_id = k.id
   WHERE k.owner_id = ANY ($1) AND k.spent <> coalesce(l.sum, 0)`,
  ),
  check(
    'spend_limit_spent',
    `SELECT 'spend limit spent' AS what, s.id::text, s.spent::text AS stored, (coalesce(r.sum, 0) + coalesce(d.charged, 0))::text AS computed
   FROM spend_limit s LEFT JOIN (SELECT u.id, sum(x.charged) FROM receipt x CROSS JOIN LATERAL unnest(limits_named(x)) u (id)
     WHERE x.owner_id = ANY ($1) AND (x.limit_id IS NOT NULL OR x.detail ? 'limits') GROUP BY u.id) r ON r.id = s.id
   LEFT JOIN deleted_spend d ON d.limit_id = s.id
   WHERE s.owner_id = ANY ($1) AND s.starts_at IS NULL AND s.spent <> coalesce(r.sum, 0) + coalesce(d.charged, 0)`,
  ),
  // A refund is a second ledger row of its hold. A charge from before the cutoff may have lost its
  // receipt; the minute is for the two clocks of one settlement.
  check(
    'receipt_charge',
    `SELECT 'receipt charge' AS what, coalesce(r.id, l.hold_id)::text AS id, coalesce(r.charged, 0)::text AS stored, coalesce(l.sum, 0)::text AS computed
   FROM (SELECT id, charged FROM receipt WHERE owner_id = ANY ($1)) r
   FULL JOIN (SELECT hold_id, -sum(amount) AS sum, min(at) AS at FROM ledger WHERE owner_id = ANY ($1) AND hold_id IS NOT NULL
     GROUP BY hold_id) l ON l.hold_id = r.id
   WHERE coalesce(r.charged, 0) <> coalesce(l.sum, 0) AND (r.id IS NOT NULL OR l.at >= ${CUTOFF} + interval '1 minute')`,
  ),
  check(
    'usage_of_an_hour',
    `SELECT 'usage of an hour' AS what, concat_ws('/', owner_id, key_id, hour, channel, product, what, outcome) AS id,
     concat_ws('/', u.calls, u.charged, u.input_tokens, u.output_tokens) AS stored,
     concat_ws('/', r.calls, r.charged, r.input_tokens, r.output_tokens) AS computed
   FROM (SELECT * FROM usage_hour WHERE owner_id = ANY ($1) AND hour >= ${CUTOFF}
     AND (calls, charged, input_tokens, output_tokens) <> (0, 0, 0, 0)) u
   FULL JOIN (
     SELECT owner_id, k.id AS key_id, date_trunc('hour', at, 'UTC') AS hour, channel, product, what,
       usage_outcome(status, charged) AS outcome, count(*) AS calls, sum(charged) AS charged,
       sum(usage_tokens(product, detail, 'inputTokens')) AS input_tokens, sum(usage_tokens(product, detail, 'outputTokens')) AS output_tokens
     FROM receipt CROSS JOIN LATERAL unnest(ARRAY[-1, coalesce(key_id, 0)]) AS k (id)
     WHERE owner_id = ANY ($1) AND at >= ${CUTOFF} AND at < ${SUMMED} GROUP BY 1, 2, 3, 4, 5, 6, 7) r
   USING (owner_id, key_id, hour, channel, product, what, outcome)
   WHERE (u.calls, u.charged, u.input_tokens, u.output_tokens) IS DISTINCT FROM (r.calls, r.charged, r.input_tokens, r.output_tokens)`,
  ),
  check(
    'usage_of_a_customer',
    `SELECT 'usage of a customer' AS what, concat_ws('/', owner_id, to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24"Z"'), customer_id, key_id, product, what) AS id,
     concat_ws('/', u.calls, u.charged) AS stored, concat_ws('/', r.calls, r.charged) AS computed
   FROM (SELECT * FROM usage_customer_hour WHERE owner_id = ANY ($1) AND hour >= ${CUTOFF} AND (calls, charged) <> (0, 0)) u
   FULL JOIN (
     SELECT owner_id, date_trunc('hour', at, 'UTC') AS hour, customer_id, coalesce(key_id, 0) AS key_id, product, what,
       count(*) AS calls, sum(charged) AS charged
     FROM receipt WHERE owner_id = ANY ($1) AND at >= ${CUTOFF} AND at < ${SUMMED} AND customer_id IS NOT NULL
     GROUP BY 1, 2, 3, 4, 5, 6) r
   USING (owner_id, hour, customer_id, key_id, product, what)
   WHERE (u.calls, u.charged) IS DISTINCT FROM (r.calls, r.charged)`,
  ),
  check(
    'usage_of_a_key',
    `SELECT 'usage of a key' AS what, concat_ws('/', owner_id, day, key_id) AS id,
     concat_ws('/', u.calls, u.charged) AS stored, concat_ws('/', r.calls, r.charged) AS computed
   FROM (SELECT * FROM usage_key_day WHERE owner_id = ANY ($1) AND day >= (${CUTOFF} AT TIME ZONE 'UTC')::date
     AND (calls, charged) <> (0, 0)) u
   FULL JOIN (
     SELECT owner_id, (at AT TIME ZONE 'UTC')::date AS day, coalesce(key_id, 0) AS key_id, count(*) AS calls, sum(charged) AS charged
     FROM receipt WHERE owner_id = ANY ($1) AND at >= ${CUTOFF} AND at < ${SUMMED} GROUP BY 1, 2, 3) r
   USING (owner_id, day, key_id)
   WHERE (u.calls, u.charged) IS DISTINCT FROM (r.calls, r.charged)`,
  ),
  check(
    'usage_of_a_key_month',
    `SELECT 'usage of a key in a month' AS what, concat_ws('/', owner_id, month, key_id) AS id,
     concat_ws('/', u.calls, u.charged) AS stored, concat_ws('/', d.calls, d.charged) AS computed
   FROM (SELECT * FROM usage_key_month WHERE owner_id = ANY ($1)) u
   FULL JOIN (
     SELECT owner_id, date_trunc('month', day)::date AS month, key_id, sum(calls) AS calls, sum(charged) AS charged
     FROM usage_key_day WHERE owner_id = ANY ($1) GROUP BY 1, 2, 3) d
   USING (owner_id, month, key_id)
   WHERE (u.calls, u.charged) IS DISTINCT FROM (d.calls, d.charged)`,
  ),
]
