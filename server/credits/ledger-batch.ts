import { runStatement, sharedBatch } from '../db'
import { env } from '../env'
import { log } from '../kit/log'
import { databaseFault } from '../kit/pg-errors'
import { type RowOf, statement } from '../kit/statement'
import type { BudgetRate, NamedLimit, NamedLimits } from './budgets/named-limits'
import { countRateTokens } from './budgets/rates'
import type { AuthenticatedRow, ReserveRequest } from './hold-request'
import { holderId } from './holder'
import { type SettlementRow, type SettleRequest, settlementArrays, settleSwept, unlessEmpty } from './settlement'
import { forgetSliced, nameSlice, type Split } from './sliced-calls'

/**
 * What one call asks of the ledger at a moment: to authenticate the hash of a key, to end a hold,
 * or to take one; also the first and the last at once. Then the hold is taken only if the key is
 * let in and its grants are still of the `version` that its process has checked.
 */
export type LedgerRequest = {
  settle?: SettleRequest
  hash?: Buffer
  reserve?: ReserveRequest
  version?: number
  /** The budgets that the hold counts against. */
  named?: NamedLimits
  /** Its answer has gone out: it may wait a moment for a batch that goes anyway. */
  isBehind?: boolean
  /** What is asked is known when the statement is made. `settling`: the holds that it ends. */
  work?: (settling: ReadonlySet<string>) => LedgerWork
  /** Whose rows it locks, or the hash where that is not known. */
  owner: string | number
}

/**
 * What is asked for the slices of a key: the hash, counted `times`, and the next slice, slices to
 * end, and calls of theirs that go on, each with a hold of its own from then.
 */
export type LedgerWork = Pick<LedgerRequest, 'hash' | 'version' | 'reserve' | 'named'> & {
  times: number
  ended: SettleRequest[]
  splits: Split[]
}

/** The rows of what was asked. `reserved` is missing where the key was not let in. */
export type LedgerResponse = { settled?: SettlementRow; authenticated?: AuthenticatedRow; reserved?: ReservedRow }

/**
 * One statement for all of them, because its round trip, its commit and its flush cost more than
 * what it does for a call. Over 35 arrays, one item a request. One JSON array of items would read
 * better and was measured on 2026-11-22 (CPU of client and server together, reserve and settle of
 * one call): 3 to 9 % more in batches of 64, 3 to 7 % more alone. That is what every call would
 * pay, so the arrays stay.
 */
const PARAMS = [
  'bytea[]',
  'int',
  'uuid[]',
  'bigint[]',
  'boolean[]',
  'text[]',
  'jsonb[]',
  'int[]',
  'text[]',
  'uuid',
  'uuid[]',
  'int[]',
  'int[]',
  'uuid[]',
  'bigint[]',
  'bigint[]',
  'bigint[]',
  'text[]',
  'text[]',
  'text[]',
  'text[]',
  'bytea[]',
  'int',
  'int[]',
  'int[]',
  'int[]',
  'int[]',
  'int[]',
  'int[]',
  'uuid[]',
  'uuid[]',
  'int[]',
  'int[]',
  'int[]',
  'uuid[]',
  'uuid[]',
  'int[]',
  'int[]',
  'bigint[]',
  'text[]',
  'text[]',
  'text[]',
  'int[]',
] as const
const COLUMNS = {
  n: 'int',
  settled: ['done', 'again', 'expired', 'unknown', null],
  state: ['unknown', 'revoked', 'expired', 'suspended', 'limited', 'owner_limited', 'ok', null],
  outcome: [
    'held',
    'again',
    'settled',
    'key_gone',
    'balance',
    'key_budget',
    'key_period',
    'account_day',
    'conversation',
    'budget',
    'stale',
    'suspended',
    'busy',
    'replay',
    'in_flight',
    'mismatch',
    'rate',
    null,
  ],
  amount: 'bigint?',
  held: 'bigint?',
  limited: 'text?',
  reply_status: 'int?',
  reply_answer: 'text?',
  reply_charged: 'bigint?',
  key_id: 'int?',
  owner_id: 'int?',
  rpm: 'int?',
  remaining: 'int?',
  reset_s: 'int?',
  grants_version: 'int?',
  reason: 'text?',
  short: 'jsonb?',
} as const
const ARGUMENTS = `$1::bytea[], $2::int, $3::uuid[], $4::bigint[], $5::boolean[], $6::text[], $7::jsonb[],
    $8::int[], $9::text[], $10::uuid, $11::uuid[], $12::int[], $13::int[], $14::uuid[], $15::bigint[], $16::bigint[],
    $17::bigint[], $18::text[], $19::text[], $20::text[], $21::text[], $22::bytea[], $23::int, $24::int[], $25::int[],
    $26::int[], $27::int[], $28::int[], $29::int[], $30::uuid[], $31::uuid[], $32::int[],
    $33::int[], $34::int[], $35::uuid[], $36::uuid[], $37::int[], $38::int[], $39::bigint[], $40::text[], $41::text[],
    $42::text[], $43::int[]`

const LEDGER_BATCH = statement({
  name: 'credits_batch',
  sql: `SELECT * FROM credits_batch(${ARGUMENTS})`,
  params: PARAMS,
  columns: COLUMNS,
  isPrepared: true,
})

/** An array of holds, in which those that a rate refuses follow a request that was not let in. */
const exceptRefused = (argument: string, value: string): string =>
  `(SELECT array_agg(CASE WHEN u.i = ANY (none.of) THEN ${value} ELSE (${argument})[u.i] END ORDER BY u.i) FROM generate_series(1, cardinality($11::uuid[])) u (i))`

/**
 * The same where calls count in minutes of budgets: what is beyond them takes no hold. `amount`
 * is then the place of the rate among those that were asked.
 */
const RATED_BATCH = statement({
  name: 'credits_batch_rated',
  sql: `WITH refused AS MATERIALIZED (SELECT * FROM rates_take($44::int[], $45::text[], $46::int[], $47::int[])),
      none AS MATERIALIZED (SELECT array_agg(r.n) AS of FROM refused r)
    SELECT b.* FROM none, LATERAL credits_batch(${ARGUMENTS.replace('$24::int[]', exceptRefused('$24::int[]', '0')).replace('$25::int[]', exceptRefused('$25::int[]', '-1'))}) b
    UNION ALL SELECT r.n, NULL, NULL, 'rate', r.at, r.used, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      jsonb_build_object('resetsAt', r.ends_at) FROM refused r`,
  params: [...PARAMS, 'int[]', 'text[]', 'int[]', 'int[]'],
  columns: COLUMNS,
})

type Row = RowOf<typeof LEDGER_BATCH>

/** What became of a hold that was asked for. */
export type ReservedRow = Pick<Row, 'reply_status' | 'reply_answer' | 'reply_charged' | 'reason' | 'short'> & {
  outcome: NonNullable<Row['outcome']>
  amount: string
  /** Of a refusal: credits that calls in progress hold, where without these it would not be one. */
  held: string | null
  /** Of which rate a minute is used up; `held` is then what it has counted. */
  rate?: BudgetRate
}

/** Requests that were sent to the database: when one fails, its hold may exist nevertheless. */
const sent = new WeakSet<ReserveRequest>()

/** Whether a request's hold may exist although there was no response. */
export const mayBeHeld = (request: ReserveRequest): boolean => sent.has(request)

/** Runs one batch; one response per request, in their order. */
async function runBatch(requests: LedgerRequest[]): Promise<LedgerResponse[]> {
  const toEnd: { at: number | null; settle: SettleRequest }[] = []
  const toEnter: { at: number; hash: Buffer; times: number | null }[] = []
  const toHold: {
    at: number
    reserve: ReserveRequest
    after: number | null
    version: number | null
    named?: NamedLimits
  }[] = []
  const toSplit: Split[] = []
  requests.forEach(({ settle }, at) => {
    if (!settle) return
    toEnd.push({ at, settle })
    if (settle.slice) toSplit.push({ ...settle.slice, id: settle.id, ownerId: settle.ownerId })
  })
  const settling = new Set(toEnd.map(({ settle }) => settle.id))
  const ask = (at: number, { hash, reserve, version, named }: LedgerRequest, times: number | null) => {
    if (hash) toEnter.push({ at, hash, times })
    if (!reserve) return
    sent.add(reserve)
    toHold.push({ at, reserve, after: hash ? toEnter.length : null, version: version ?? null, named })
  }
  // What was admitted before counts before what is asked now.
  requests.forEach(({ owner, work }, at) => {
    if (!work) return
    const { ended, splits, times, ...asked } = work(settling)
    for (const settle of ended) toEnd.push({ at: null, settle })
    toSplit.push(...splits)
    ask(at, { ...asked, owner }, times)
  })
  requests.forEach((request, at) => {
    if (!request.work) ask(at, request, null)
  })
  const holds = toHold.map(({ reserve }) => reserve)
  const { OWNER_RPM, OWNER_CONCURRENCY } = env()
  const rated = toHold.flatMap(({ reserve: { counted }, named }, i) =>
    (named?.rates ?? []).map((rate) => ({ rate, of: i + 1, isCounted: counted?.has(rate.id) ?? false })),
  )
  const values = [
    toEnter.map(({ hash }) => hash),
    OWNER_RPM,
    ...settlementArrays(toEnd.map(({ settle }) => settle)),
    holderId(),
    holds.map((i) => i.id),
    holds.map((i) => i.ownerId),
    holds.map((i) => i.keyId),
    unlessEmpty(holds.map((i) => i.jobId ?? null)),
    holds.map((i) => i.minCredits ?? i.maxCredits),
    holds.map((i) => i.maxCredits),
    holds.map((i) => i.minRemaining ?? 0n),
    holds.map((i) => i.channel),
    holds.map((i) => (i.isRaise ? null : i.product)),
    holds.map((i) => i.what),
    unlessEmpty(holds.map((i) => i.idempotency?.token ?? null)),
    unlessEmpty(holds.map((i) => i.idempotency?.bodyHash ?? null)),
    OWNER_CONCURRENCY,
    unlessEmpty(toHold.map(({ after }) => after)),
    unlessEmpty(toHold.map(({ version }) => version)),
    unlessEmpty(holds.map((i) => i.customerId ?? null)),
    unlessEmpty(toHold.map(({ named }) => named?.version ?? null)),
    ...namedArrays(toHold),
    unlessEmpty(toEnter.map(({ times }) => times)),
    unlessEmpty(holds.map((i) => i.calls ?? null)),
    // Also where a batch has two settlements of a call.
    ...splitArrays([...new Map(toSplit.map((split) => [split.id, split])).values()]),
  ] as const
  const rows = await (rated.length === 0
    ? runStatement(LEDGER_BATCH, values, { shared: true })
    : runStatement(RATED_BATCH, [...values, ...rateArrays(rated)], { shared: true }))
  for (const { id } of toSplit) forgetSliced(id)
  const responses = requests.map((): LedgerResponse => ({}))
  for (const row of rows) {
    const { n, settled, state, outcome } = row
    const amount = row.amount ?? '0'
    if (settled) {
      const ended = toEnd[n - 1]
      if (ended?.at === null) continue
      responseAt(responses, ended).settled = { ...row, outcome: settled, charged: amount, held: row.held ?? '0' }
    } else if (state) responseAt(responses, toEnter[n - 1]).authenticated = { ...row, state }
    else if (outcome) {
      const rate = outcome === 'rate' ? rated[Number(amount) - 1]?.rate : undefined
      responseAt(responses, toHold[n - 1]).reserved = { ...row, outcome, amount, rate }
    }
  }
  return responses
}

/**
 * Rates as arrays for SQL, those of one hold beside each other. What has counted a request already
 * does not again, and is not used up by it.
 */
const rateArrays = (rated: readonly { rate: BudgetRate; of: number; isCounted: boolean }[]) => {
  const adds = rated.map(({ rate, isCounted }) => (rate.unit === 'requests' && !isCounted ? 1 : 0))
  const ofCounted = ({ rate, isCounted }: (typeof rated)[number]) => (rate.unit === 'requests' && isCounted ? 1 : 0)
  return [
    rated.map(({ of }) => of),
    rated.map(({ rate }) => rate.id),
    rated.map((one) => one.rate.max + ofCounted(one)),
    adds,
  ] as const
}

/**
 * Budgets as arrays for SQL: where those of each hold begin and end, and all of them. Holds that
 * meet the same ones share them.
 */
function namedArrays(holds: readonly { named?: NamedLimits }[]) {
  const rows: NamedLimit[] = []
  const places = new Map<string, { first: number; end: number }>()
  const placed = holds.map(({ named }) => {
    if (!named?.rows.length) return null
    const name = named.rows.map(({ id }) => id).join()
    const known = places.get(name)
    if (known) return known
    const place = { first: rows.length + 1, end: rows.push(...named.rows) }
    places.set(name, place)
    return place
  })
  return [
    unlessEmpty(placed.map((place) => place?.first ?? null)),
    unlessEmpty(placed.map((place) => place?.end ?? null)),
    rows.map(({ id }) => id),
    rows.map(({ budgetId }) => budgetId),
    unlessEmpty(rows.map(({ customerId }) => customerId)),
  ] as const
}

/** Calls of slices as arrays for SQL. */
const splitArrays = (splits: readonly Split[]) =>
  [
    splits.map(({ id }) => id),
    splits.map(({ of }) => of),
    splits.map(({ ownerId }) => ownerId),
    splits.map(({ keyId }) => keyId),
    splits.map(({ amount }) => amount),
    splits.map(({ channel }) => channel),
    splits.map(({ product }) => product),
    splits.map(({ what }) => what),
    splits.map(({ afterMs }) => afterMs),
  ] as const

function responseAt(responses: LedgerResponse[], part: { at: number | null } | undefined): LedgerResponse {
  const response = part?.at === undefined || part.at === null ? undefined : responses[part.at]
  if (!response) throw new Error('credits_batch returned a row that was not asked for')
  return response
}

/**
 * Runs a batch; where the database refuses it for what is in it, each of its requests goes alone,
 * so that none fails for another's.
 */
async function runOrSplit(requests: LedgerRequest[]): Promise<(LedgerResponse | PromiseLike<LedgerResponse>)[]> {
  try {
    return await runBatch(requests)
  } catch (error) {
    if (requests.length === 1 || databaseFault(error) !== null) throw error
    log.error({ err: (error as Error).message, requests: requests.length }, 'a ledger batch was refused and is split')
    let last: Promise<unknown> = Promise.resolve()
    return requests.map((request) => {
      const alone = last.then(async () => (await runBatch([request]))[0] ?? {})
      last = alone.catch(() => {})
      return alone
    })
  }
}

/** How long a settlement behind its answer waits for others, milliseconds. */
const BEHIND_MS = 10

/**
 * Asks the ledger together with concurrent callers, of whom one owner's held lock holds up no
 * other. Rejects with the signal's reason when it aborts before the request was sent. Throws
 * `unavailable`.
 */
export const askLedger = sharedBatch(runOrSplit, ({ owner }: LedgerRequest) => owner, {
  delayOf: ({ isBehind }) => (isBehind ? BEHIND_MS : 0),
})

/** Large answers go in few at a time, so that a batch of them has some 32 MiB at most. */
const writeLarge = sharedBatch(runOrSplit, ({ owner }: LedgerRequest) => owner, { maxItems: 8 })
const LARGE_CHARACTERS = 128 * 1024

/** Ends one hold; `isBehind`: its answer has gone out. Throws `unavailable`. */
export async function writeSettlement(settle: SettleRequest, isBehind = false): Promise<SettlementRow> {
  nameSlice(settle)
  const isLarge = settle.answer !== undefined && settle.answer.body.length > LARGE_CHARACTERS
  const { settled } = await (isLarge ? writeLarge : askLedger)({ settle, isBehind, owner: settle.ownerId })
  if (!settled) throw new Error('credits_batch returned no row for a settlement')
  countRateTokens(settle.id, settle.detail)
  return settleSwept(settle, settled)
}
