import { type RowOf, statement } from '../kit/statement'
import { readPaced, sliceRows } from './paced-read'

/**
 * Numbers by the name of what they belong to: `total`, `key:<id>`, `limit:<id>`, and of
 * usage by hour `kind:<its columns>`, `of key:<id>` and `of customers`.
 */
type Sums = Map<string, bigint[]>

const SUM_COLUMNS = { name: 'text', a: 'numeric?', b: 'numeric?', c: 'numeric?', d: 'numeric?' } as const
const SLICE_PARAMS = ['int', 'timestamptz', 'timestamptz'] as const

const COLUMNS = ['a', 'b', 'c', 'd'] as const
const NONE = [0n, 0n, 0n, 0n]

/** What its hour is part of here: a kind, and a key. Single hours are left to the whole check. */
const KIND = `'kind:' || concat_ws('/', channel, product, what, usage_outcome(status, charged))`
const OF_KEY = `'of key:' || coalesce(key_id, 0)`

/** The four sums of receipts. */
const FOUR = `count(*), sum(charged), sum(usage_tokens(product, detail, 'inputTokens')), sum(usage_tokens(product, detail, 'outputTokens'))`

/** The limits without a window that receipts `r` count against: conversations and budgets. */
const OF_LIMITS = `CROSS JOIN LATERAL unnest(r.limit_id || ARRAY(SELECT e::uuid FROM jsonb_array_elements_text(r.detail -> 'limits') e)) l (id)
    JOIN spend_limit u ON u.id = l.id AND u.starts_at IS NULL`

/** Sums of a slice of the ledger, in $1's rows with $2 <= at < $3. */
const LEDGER = statement({
  name: 'verify_slice_ledger',
  sql: `WITH l AS MATERIALIZED (
    SELECT * FROM ledger WHERE owner_id = $1 AND at >= $2 AND at < $3)
  SELECT 'total' AS name, sum(amount) AS a, 0::numeric AS b, 0::numeric AS c, 0::numeric AS d FROM l
  UNION ALL SELECT 'key:' || key_id, -sum(amount), 0, 0, 0 FROM l WHERE key_id IS NOT NULL GROUP BY key_id`,
  params: SLICE_PARAMS,
  columns: SUM_COLUMNS,
})
type SumRow = RowOf<typeof LEDGER>

const RECEIPTS = statement({
  name: 'verify_slice_receipts',
  sql: `WITH r AS MATERIALIZED (
    SELECT *, at >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity') AS is_kept
    FROM receipt WHERE owner_id = $1 AND at >= $2 AND at < $3)
  SELECT 'limit:' || u.id AS name, sum(charged) AS a, 0 AS b, 0 AS c, 0 AS d FROM r ${OF_LIMITS} GROUP BY u.id
  UNION ALL SELECT ${KIND}, ${FOUR} FROM r WHERE is_kept GROUP BY 1
  UNION ALL SELECT ${OF_KEY}, ${FOUR} FROM r WHERE is_kept GROUP BY 1
  UNION ALL SELECT 'of customers', count(*), coalesce(sum(charged), 0), 0, 0 FROM r WHERE is_kept AND customer_id IS NOT NULL`,
  params: SLICE_PARAMS,
  columns: SUM_COLUMNS,
})

/** The charge of a hold in the ledger, less its refund. Each of the two is found by an index. */
const chargeOf = (hold: string) =>
  `coalesce((SELECT -amount FROM ledger WHERE hold_id = ${hold} AND amount < 0), 0)
   - coalesce((SELECT amount FROM ledger WHERE hold_id = ${hold} AND amount > 0), 0)`

/** Whether a slice has a receipt that does not charge what the ledger does. */
const RECEIPT_CHARGES = statement({
  name: 'verify_slice_receipt_charges',
  sql: `SELECT EXISTS (
    SELECT 1 FROM receipt r WHERE r.owner_id = $1 AND r.at >= $2 AND r.at < $3
      AND r.charged <> ${chargeOf('r.id')}) AS differs`,
  params: SLICE_PARAMS,
  columns: { differs: 'boolean' },
})

/** Whether a slice has a charge without its receipt. */
const LEDGER_CHARGES = statement({
  name: 'verify_slice_ledger_charges',
  sql: `SELECT EXISTS (
    SELECT 1 FROM ledger l WHERE l.owner_id = $1 AND l.at >= $2 AND l.at < $3 AND l.hold_id IS NOT NULL
      AND l.at >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity') + interval '1 minute'
      AND NOT EXISTS (SELECT 1 FROM receipt r WHERE r.id = l.hold_id) AND ${chargeOf('l.hold_id')} <> 0) AS differs`,
  params: SLICE_PARAMS,
  columns: { differs: 'boolean' },
})

/** The same name, of a row of usage_hour. */
const HOUR_NAME = `CASE key_id WHEN -1 THEN 'kind:' || concat_ws('/', channel, product, what, outcome) ELSE 'of key:' || key_id END`

/**
 * What is stored now without what came since $2 (ledger) and $3 (receipts): what the slices before
 * must come to.
 */
const STORED = statement({
  name: 'verify_stored',
  sql: `WITH l AS MATERIALIZED (SELECT key_id, amount FROM ledger WHERE owner_id = $1 AND at >= $2),
  r AS MATERIALIZED (SELECT * FROM receipt WHERE owner_id = $1 AND at >= $3),
  -- Between the end of the slices and the end of the sums, whichever comes first.
  n AS MATERIALIZED (SELECT CASE WHEN at < $3 THEN 1 ELSE -1 END AS times, * FROM receipt
    WHERE owner_id = $1 AND at >= least($3, (SELECT until FROM usage_summed)) AND at < greatest($3, (SELECT until FROM usage_summed))
      AND at >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity')),
  unsummed AS MATERIALIZED (SELECT name, sum(times) AS calls, sum(times * charged) AS charged,
    sum(times * usage_tokens(product, detail, 'inputTokens')) AS input_tokens,
    sum(times * usage_tokens(product, detail, 'outputTokens')) AS output_tokens
    FROM (SELECT ${KIND} AS name, n.* FROM n UNION ALL SELECT ${OF_KEY}, n.* FROM n) k GROUP BY 1)
  SELECT 'total' AS name, coalesce((SELECT available + held FROM account WHERE owner_id = $1), 0)
    - coalesce((SELECT sum(amount) FROM l), 0) AS a, 0 AS b, 0 AS c, 0 AS d
  UNION ALL SELECT 'key:' || k.id, k.spent + coalesce(t.sum, 0), 0, 0, 0 FROM "key" k
    LEFT JOIN (SELECT key_id, sum(amount) FROM l GROUP BY key_id) t ON t.key_id = k.id WHERE k.owner_id = $1
  UNION ALL SELECT 'limit:' || s.id, s.spent - coalesce(d.charged, 0) - coalesce(t.sum, 0), 0, 0, 0 FROM spend_limit s
    LEFT JOIN deleted_spend d ON d.limit_id = s.id
    LEFT JOIN (SELECT u.id, sum(charged) FROM r ${OF_LIMITS} GROUP BY u.id) t ON t.id = s.id WHERE s.owner_id = $1 AND s.starts_at IS NULL
  UNION ALL SELECT coalesce(u.name, d.name), coalesce(u.calls, 0) + coalesce(d.calls, 0), coalesce(u.charged, 0) + coalesce(d.charged, 0),
    coalesce(u.input_tokens, 0) + coalesce(d.input_tokens, 0), coalesce(u.output_tokens, 0) + coalesce(d.output_tokens, 0)
    FROM (SELECT ${HOUR_NAME} AS name, sum(calls) AS calls, sum(charged) AS charged, sum(input_tokens) AS input_tokens,
        sum(output_tokens) AS output_tokens
      FROM usage_hour WHERE owner_id = $1 AND hour >= coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity')
      GROUP BY 1) u
    FULL JOIN unsummed d USING (name)
  UNION ALL SELECT 'of customers', coalesce((SELECT sum(calls) FROM usage_customer_hour WHERE owner_id = $1 AND hour >= e.since), 0)
      + coalesce((SELECT sum(times) FROM n WHERE customer_id IS NOT NULL), 0),
    coalesce((SELECT sum(charged) FROM usage_customer_hour WHERE owner_id = $1 AND hour >= e.since), 0)
      + coalesce((SELECT sum(times * charged) FROM n WHERE customer_id IS NOT NULL), 0), 0, 0
    FROM (SELECT coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity')) e (since)
  UNION ALL SELECT 'days of keys that differ from their hours', count(*), 0, 0, 0
    FROM (SELECT (hour AT TIME ZONE 'UTC')::date AS day, key_id, sum(calls) AS calls, sum(charged) AS charged
      FROM usage_hour WHERE owner_id = $1 AND key_id >= 0 GROUP BY 1, 2) h
    FULL JOIN (SELECT * FROM usage_key_day WHERE owner_id = $1) k USING (day, key_id)
    WHERE (h.calls, h.charged) IS DISTINCT FROM (k.calls, k.charged)
  UNION ALL SELECT 'months of keys that differ from their days', count(*), 0, 0, 0
    FROM (SELECT date_trunc('month', day)::date AS month, key_id, sum(calls) AS calls, sum(charged) AS charged
      FROM usage_key_day WHERE owner_id = $1 GROUP BY 1, 2) d
    FULL JOIN (SELECT * FROM usage_key_month WHERE owner_id = $1) m USING (month, key_id)
    WHERE (d.calls, d.charged) IS DISTINCT FROM (m.calls, m.charged)`,
  params: SLICE_PARAMS,
  columns: SUM_COLUMNS,
})

/** Above every id of a ledger row. */
const NO_LAST = '9223372036854775807'

/** The hash over a slice's ledger rows up to row $5, on top of that of the slices before ($4). */
const CHAIN = statement({
  name: 'verify_slice_chain',
  sql: `SELECT encode(ledger_chain($1, decode($4, 'hex'), $2, $3, $5), 'hex') AS chain`,
  params: ['int', 'timestamptz', 'timestamptz', 'text', 'bigint'],
  columns: { chain: 'text?' },
})

/** Whether what came since $2, on top of the hash over the slices ($3), leads to the account's. */
const CHAIN_AGREES = statement({
  name: 'verify_chain_agrees',
  sql: `SELECT (SELECT chain FROM account WHERE owner_id = $1) IS NOT DISTINCT FROM
    ledger_chain($1, decode($3, 'hex'), $2, 'infinity', ${NO_LAST}) AS agrees`,
  params: ['int', 'timestamptz', 'text'],
  columns: { agrees: 'boolean' },
})

function add(sums: Sums, rows: readonly SumRow[]): void {
  for (const row of rows) {
    const known = sums.get(row.name) ?? NONE
    sums.set(
      row.name,
      COLUMNS.map((column, i) => (known[i] ?? 0n) + BigInt(row[column] ?? 0)),
    )
  }
}

/**
 * The end of the slice of `table` from `from` on: some thousand rows further, and a minute ago at
 * the latest.
 */
const endOf = (table: 'ledger' | 'receipt') =>
  statement({
    name: `verify_slice_end_${table}`,
    sql: `SELECT least(next, late)::text AS "to", next IS NULL OR next >= late AS "isLast"
  FROM (SELECT date_trunc('second', now()) - interval '1 minute' AS late,
    (SELECT at FROM ${table} WHERE owner_id = $1 AND at > $2 ORDER BY at OFFSET $3::int LIMIT 1) AS next) e`,
    params: ['int', 'timestamptz', 'int'],
    columns: { to: 'text', isLast: 'boolean' },
  })

type Walk = {
  end: ReturnType<typeof endOf>
  sums: typeof LEDGER
  charges: typeof LEDGER_CHARGES
}

const LEDGER_WALK: Walk = { end: endOf('ledger'), sums: LEDGER, charges: LEDGER_CHARGES }
const RECEIPT_WALK: Walk = { end: endOf('receipt'), sums: RECEIPTS, charges: RECEIPT_CHARGES }

/**
 * Sums an owner's rows slice by slice up to a minute ago, by when nothing is written any more.
 * Returns where it ended, or null when a receipt and its charge disagree.
 */
async function walk(
  ownerId: number,
  sums: Sums,
  { end: endStatement, sums: sumStatement, charges }: Walk,
): Promise<string | null> {
  for (let from = '-infinity'; ; ) {
    const [end] = await readPaced(endStatement, [ownerId, from, sliceRows.summed])
    const to = end?.to ?? from
    const slice = [ownerId, from, to] as const
    add(sums, await readPaced(sumStatement, slice))
    const [charged] = await readPaced(charges, slice)
    if (charged?.differs) return null
    if (end?.isLast !== false) return to
    from = to
  }
}

/** The hash over an owner's ledger rows up to the row `last`, of all slices and where they end. */
async function chainOfSlices(ownerId: number, last: string): Promise<{ chain: string | null; end: string }> {
  let chain: string | null = null
  for (let from = '-infinity'; ; ) {
    const [end] = await readPaced(LEDGER_WALK.end, [ownerId, from, sliceRows.summed])
    const to = end?.to ?? from
    const [slice]: RowOf<typeof CHAIN>[] = await readPaced(CHAIN, [ownerId, from, to, chain, last] as const)
    chain = slice?.chain ?? null
    if (end?.isLast !== false) return { chain, end: to }
    from = to
  }
}

/** Whether the hash over an owner's ledger rows is that of the account. */
export async function isChained(ownerId: number): Promise<boolean> {
  const { chain, end } = await chainOfSlices(ownerId, NO_LAST)
  return (await readPaced(CHAIN_AGREES, [ownerId, end, chain]))[0]?.agrees ?? false
}

/** The hash over an owner's ledger rows up to the row `last`, as hexadecimal digits. */
export async function chainUpTo(ownerId: number, last: string): Promise<string | null> {
  const { chain, end } = await chainOfSlices(ownerId, last)
  return (await readPaced(CHAIN, [ownerId, end, 'infinity', chain, last]))[0]?.chain ?? null
}

/**
 * True when everything of an owner follows from ledger and receipts, summed in slices of some
 * thousand rows. False says only that it may not: a refund meanwhile looks the same as a wrong
 * number.
 */
export async function agreesInSlices(ownerId: number): Promise<boolean> {
  if (!(await isChained(ownerId))) return false
  const sums: Sums = new Map()
  const ledgerEnd = await walk(ownerId, sums, LEDGER_WALK)
  if (ledgerEnd === null) return false
  const receiptEnd = await walk(ownerId, sums, RECEIPT_WALK)
  if (receiptEnd === null) return false
  const stored: Sums = new Map()
  add(stored, await readPaced(STORED, [ownerId, ledgerEnd, receiptEnd]))
  const names = new Set([...sums.keys(), ...stored.keys()])
  return [...names].every((name) =>
    COLUMNS.every((_, i) => (sums.get(name)?.[i] ?? 0n) === (stored.get(name)?.[i] ?? 0n)),
  )
}
