import { readPaced } from './paced-read'

/** Rows that one statement reads. */
const ROWS = 10_000

/** Numbers by the name of what they belong to: `total`, `key:<id>`, `limit:<id>`, `day:<its columns>`. */
type Sums = Map<string, bigint[]>
type SumRow = { name: string; a: string; b: string; c: string; d: string }

const COLUMNS = ['a', 'b', 'c', 'd'] as const
const NONE = [0n, 0n, 0n, 0n]

/** The name of a receipt's row in usage_day. */
const DAY = `'day:' || concat_ws('/', (at AT TIME ZONE 'UTC')::date, coalesce(key_id, 0), product, what, status)`

/** Sums of a stretch of the ledger, in $1's rows with $2 <= at < $3. */
const LEDGER = `WITH l AS MATERIALIZED (
    SELECT * FROM ledger WHERE owner_id = $1 AND at >= $2 AND at < $3)
  SELECT 'total' AS name, sum(amount) AS a, 0 AS b, 0 AS c, 0 AS d FROM l
  UNION ALL SELECT 'key:' || key_id, -sum(amount), 0, 0, 0 FROM l WHERE key_id IS NOT NULL GROUP BY key_id`

const RECEIPTS = `WITH r AS MATERIALIZED (
    SELECT *, at >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity') AS is_kept
    FROM receipt WHERE owner_id = $1 AND at >= $2 AND at < $3)
  SELECT 'limit:' || limit_id AS name, sum(charged) AS a, 0 AS b, 0 AS c, 0 AS d FROM r WHERE limit_id IS NOT NULL GROUP BY limit_id
  UNION ALL SELECT ${DAY}, count(*), sum(charged), sum(usage_tokens(product, detail, 'inputTokens')), sum(usage_tokens(product, detail, 'outputTokens'))
    FROM r WHERE is_kept GROUP BY 1`

/** Whether a stretch has a receipt that does not charge what the ledger does, or a charge without its receipt. */
/** What the ledger says a hold was charged, a refund taken off: each is found by an index of its own. */
const chargeOf = (hold: string) =>
  `coalesce((SELECT -amount FROM ledger WHERE hold_id = ${hold} AND amount < 0), 0)
   - coalesce((SELECT amount FROM ledger WHERE hold_id = ${hold} AND amount > 0), 0)`
const RECEIPT_CHARGES = `SELECT EXISTS (
    SELECT 1 FROM receipt r WHERE r.owner_id = $1 AND r.at >= $2 AND r.at < $3
      AND r.charged <> ${chargeOf('r.id')}) AS differs`
const LEDGER_CHARGES = `SELECT EXISTS (
    SELECT 1 FROM ledger l WHERE l.owner_id = $1 AND l.at >= $2 AND l.at < $3 AND l.hold_id IS NOT NULL
      AND l.at >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity') + interval '1 minute'
      AND NOT EXISTS (SELECT 1 FROM receipt r WHERE r.id = l.hold_id) AND ${chargeOf('l.hold_id')} <> 0) AS differs`

/** What is stored now without what came since $2 (ledger) and $3 (receipts): what the stretches before must come to. */
const STORED = `WITH l AS MATERIALIZED (SELECT key_id, amount FROM ledger WHERE owner_id = $1 AND at >= $2),
  r AS MATERIALIZED (SELECT * FROM receipt WHERE owner_id = $1 AND at >= $3),
  late AS MATERIALIZED (SELECT ${DAY} AS name, count(*) AS calls, sum(charged) AS charged,
    sum(usage_tokens(product, detail, 'inputTokens')) AS input_tokens, sum(usage_tokens(product, detail, 'outputTokens')) AS output_tokens
    FROM r GROUP BY 1)
  SELECT 'total' AS name, coalesce((SELECT available + held FROM account WHERE owner_id = $1), 0)
    - coalesce((SELECT sum(amount) FROM l), 0) AS a, 0 AS b, 0 AS c, 0 AS d
  UNION ALL SELECT 'key:' || k.id, k.spent + coalesce(t.sum, 0), 0, 0, 0 FROM "key" k
    LEFT JOIN (SELECT key_id, sum(amount) FROM l GROUP BY key_id) t ON t.key_id = k.id WHERE k.owner_id = $1
  UNION ALL SELECT 'limit:' || s.id, s.spent - coalesce(d.charged, 0) - coalesce(t.sum, 0), 0, 0, 0 FROM spend_limit s
    LEFT JOIN deleted_spend d ON d.limit_id = s.id
    LEFT JOIN (SELECT limit_id, sum(charged) FROM r GROUP BY limit_id) t ON t.limit_id = s.id WHERE s.owner_id = $1
  UNION ALL SELECT coalesce(u.name, late.name), coalesce(u.calls, 0) - coalesce(late.calls, 0),
    coalesce(u.charged, 0) - coalesce(late.charged, 0), coalesce(u.input_tokens, 0) - coalesce(late.input_tokens, 0),
    coalesce(u.output_tokens, 0) - coalesce(late.output_tokens, 0)
    FROM (SELECT 'day:' || concat_ws('/', day, key_id, product, what, status) AS name, calls, charged, input_tokens, output_tokens
      FROM usage_day WHERE owner_id = $1 AND day >= (coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity')
        AT TIME ZONE 'UTC')::date) u
    FULL JOIN late USING (name)`

function add(sums: Sums, rows: readonly SumRow[]): void {
  for (const row of rows) {
    const known = sums.get(row.name) ?? NONE
    sums.set(
      row.name,
      COLUMNS.map((column, i) => (known[i] ?? 0n) + BigInt(row[column] ?? 0)),
    )
  }
}

/** The end of the stretch of `table` from `from` on: some thousand rows further, and a minute ago at the latest. */
const endSql = (
  table: 'ledger' | 'receipt',
) => `SELECT least(next, late)::text AS "to", next IS NULL OR next >= late AS "isLast"
  FROM (SELECT date_trunc('second', now()) - interval '1 minute' AS late,
    (SELECT at FROM ${table} WHERE owner_id = $1 AND at > $2 ORDER BY at OFFSET ${ROWS} LIMIT 1) AS next) e`

type Walk = { table: 'ledger' | 'receipt'; sql: string; charges: string }

/**
 * Sums an owner's rows stretch by stretch up to a minute ago, by when nothing is written any more. Returns where it
 * ended, or null when a receipt and its charge disagree.
 */
async function walk(ownerId: number, sums: Sums, { table, sql, charges }: Walk): Promise<string | null> {
  for (let from = '-infinity'; ; ) {
    const [end] = await readPaced<{ to: string; isLast: boolean }>(endSql(table), [ownerId, from])
    const to = end?.to ?? from
    const stretch = [ownerId, from, to]
    add(sums, await readPaced<SumRow>(sql, stretch))
    const [charged] = await readPaced<{ differs: boolean }>(charges, stretch)
    if (charged?.differs) return null
    if (end?.isLast !== false) return to
    from = to
  }
}

/**
 * True when everything of an owner follows from ledger and receipts, summed in stretches of some thousand rows. False
 * says only that it may not: a refund meanwhile looks the same as a wrong number.
 */
export async function agreesInSlices(ownerId: number): Promise<boolean> {
  const sums: Sums = new Map()
  const ledgerEnd = await walk(ownerId, sums, { table: 'ledger', sql: LEDGER, charges: LEDGER_CHARGES })
  if (ledgerEnd === null) return false
  const receiptEnd = await walk(ownerId, sums, { table: 'receipt', sql: RECEIPTS, charges: RECEIPT_CHARGES })
  if (receiptEnd === null) return false
  const stored: Sums = new Map()
  add(stored, await readPaced<SumRow>(STORED, [ownerId, ledgerEnd, receiptEnd]))
  const names = new Set([...sums.keys(), ...stored.keys()])
  return [...names].every((name) =>
    COLUMNS.every((_, i) => (sums.get(name)?.[i] ?? 0n) === (stored.get(name)?.[i] ?? 0n)),
  )
}
