import { runStatement } from '../db'
import { log } from '../kit/log'
import { type Statement, statement } from '../kit/statement'
import { creditsFreed } from './limit-queue'
import { type LimitState, parseLimit } from './limit-state'
import { countCharge, creditsLost } from './metrics'
import { type CallChannel, LimitSource, type ReceiptDetail, type ReceiptStatus } from './shape'
import type { SlicedCall } from './sliced-calls'
import type { StoredAnswer } from './stored-response'

export type SettleRequest = {
  /** The hold's id; repeating a settlement returns the first one's charge. */
  id: string
  /** Whose hold it is. */
  ownerId: number
  /** How the call came in, as its hold says: the charge is counted by it. */
  channel?: CallChannel
  /** Credits the hold took. A charge up to this needs no database to be known. */
  held: bigint
  /** What the call really cost, in credits. */
  actual: bigint
  /**
   * Metered calls: a cost above the hold is taken as far as balance, budget and spend limit allow.
   */
  extend?: boolean
  /** How long the caller may wait for a charge that only the database knows, milliseconds. */
  patienceMs?: number
  status: Exclude<ReceiptStatus, 'expired'>
  detail?: ReceiptDetail
  /** What a later request with the same Idempotency-Key is answered, if this one is charged. */
  answer?: StoredAnswer
  /** Of a call that was admitted from a slice, and may have no hold of its own. */
  slice?: SlicedCall
}

/**
 * What was charged; whether the hold had been swept for good: then nothing is, and the call's cost
 * is the operator's loss; and, with `extend`, the limit that left less than the call cost.
 */
export type Settlement = {
  charged: bigint
  expired: boolean
  limit: LimitSource | null
  /** That limit as it was then, where the ledger said so. */
  shown?: LimitState
}

/** What the span of a settlement says. */
export const settlementAttributes = ({ id, held, status }: SettleRequest, charged: bigint) => ({
  'tollgate.hold.id': id,
  'tollgate.credits.held': Number(held),
  'tollgate.credits.charged': Number(charged),
  'tollgate.receipt.status': status,
})

/** How the database ended one hold: `again` is a repeat, `unknown` has no such hold. */
type SettlementOutcome = 'done' | 'again' | 'expired' | 'unknown'

export type SettlementRow = {
  n: number
  outcome: SettlementOutcome
  charged: string
  held: string
  limited: string | null
  short?: unknown
}

/**
 * `credits_settle` over seven arrays, one item a hold. Arrays, because one JSON array of items
 * costs more: see `credits_batch`.
 */
/** What each of these statements says of a settlement. */
const SETTLED = {
  n: 'int',
  outcome: ['done', 'again', 'expired', 'unknown'],
  charged: 'bigint',
  held: 'bigint',
  limited: 'text?',
} as const

const SETTLE = statement({
  name: 'credits_settle',
  sql: `SELECT * FROM credits_settle($1::uuid[], $2::bigint[], $3::boolean[], $4::text[], $5::jsonb[],
    $6::int[], $7::text[]) ORDER BY n`,
  params: ['uuid[]', 'bigint[]', 'boolean[]', 'text[]', 'jsonb[]', 'int[]', 'text[]'],
  columns: SETTLED,
  isPrepared: true,
})

/**
 * Without NUL and half surrogate pairs, which PostgreSQL's JSON refuses: one such text would fail
 * the whole batch.
 */
const sanitizeDetail = ({ error, ...detail }: ReceiptDetail): ReceiptDetail => ({
  ...detail,
  ...(error !== undefined && { error: error.replaceAll('\0', '').toWellFormed() }),
})

/** A receipt's detail as JSON. */
const detailToStore = ({ detail }: SettleRequest): string | null =>
  detail ? JSON.stringify(sanitizeDetail(detail)) : null

/** An array, or one without items where none is set. */
export const unlessEmpty = <T>(items: (T | null)[]): (T | null)[] => (items.some((item) => item !== null) ? items : [])

/** Settlements as the arrays that SQL takes. */
export function settlementArrays(items: SettleRequest[]) {
  return [
    items.map((i) => i.id),
    items.map((i) => i.actual),
    items.map((i) => i.extend ?? false),
    items.map((i) => i.status),
    items.map(detailToStore),
    unlessEmpty(items.map(({ answer }) => answer?.status ?? null)),
    unlessEmpty(items.map(({ answer }) => answer?.body ?? null)),
  ] as const
}

/**
 * Ends holds in one transaction, one row per request in their order. Throws `unavailable`, or what
 * the database refused.
 */
export const writeSettlements = (items: SettleRequest[]): Promise<SettlementRow[]> =>
  runStatement(SETTLE, settlementArrays(items))

// As Prisma sends them, whole numbers and ids need casts.
const SETTLE_ONE = statement({
  name: 'credits_settle_one',
  sql: `SELECT * FROM credits_settle(ARRAY[$1::uuid], ARRAY[$2::bigint], ARRAY[$3::boolean], ARRAY[$4::text],
    ARRAY[$5::jsonb], ARRAY[$6::int], ARRAY[$7::text])`,
  params: ['uuid', 'bigint', 'boolean', 'text', 'jsonb', 'int', 'text'],
  columns: SETTLED,
})

/** The same for a call of a slice, which may have no hold of its own. */
const SETTLE_SLICED = statement({
  name: 'credits_settle_sliced',
  sql: `SELECT b.n, b.settled AS outcome, b.amount AS charged, b.held, b.limited FROM credits_batch('{}', NULL, ARRAY[$1::uuid],
    ARRAY[$2::bigint], ARRAY[$3::boolean], ARRAY[$4::text], ARRAY[$5::jsonb], ARRAY[$6::int], ARRAY[$7::text], NULL,
    '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
    ARRAY[$1::uuid], ARRAY[$8::uuid], ARRAY[$9::int], ARRAY[$10::int], ARRAY[$11::bigint], ARRAY[$12::text], ARRAY[$13::text],
    ARRAY[$14::text], ARRAY[$15::int]) b`,
  params: [
    ...(['uuid', 'bigint', 'boolean', 'text', 'jsonb', 'int', 'text'] as const),
    ...(['uuid', 'int', 'int', 'bigint', 'text', 'text', 'text', 'int'] as const),
  ],
  columns: SETTLED,
})

const SETTLE_LATE = statement({
  name: 'credits_settle_late',
  sql: `SELECT 1 AS n, l.* FROM credits_settle_late($1::uuid, $2::bigint, $3, $4, $5::jsonb, $6::int, $7) l`,
  params: ['uuid', 'bigint', 'boolean', 'text', 'jsonb', 'int', 'text'],
  columns: SETTLED,
})

/**
 * The final row of a settlement: one whose hold had been swept although its call was delivered is
 * charged now, as far as its limits allow.
 */
export async function settleSwept(
  request: SettleRequest,
  row: SettlementRow,
  run: Run = runStatement,
): Promise<SettlementRow> {
  if (row.outcome !== 'expired' || request.status === 'void') return row
  const [late] = await run(SETTLE_LATE, settlementValues(request))
  return late ?? row
}

const settlementValues = (request: SettleRequest) =>
  [
    request.id,
    request.actual,
    request.extend ?? false,
    request.status,
    detailToStore(request),
    request.answer?.status ?? null,
    request.answer?.body ?? null,
  ] as const

type Run = <V extends readonly unknown[], R>(statement: Statement<V, R>, values: NoInfer<V>) => Promise<R[]>

/**
 * Ends one hold by itself, or in the transaction that `run` runs in. Throws `unavailable`, or what
 * the database refused.
 */
export async function settleAlone(request: SettleRequest, run: Run = runStatement): Promise<SettlementRow> {
  const { slice, ownerId } = request
  const [row] = slice
    ? await run(SETTLE_SLICED, [
        ...settlementValues(request),
        ...([
          slice.of,
          ownerId,
          slice.keyId,
          slice.amount,
          slice.channel,
          slice.product,
          slice.what,
          slice.afterMs,
        ] as const),
      ])
    : await run(SETTLE_ONE, settlementValues(request))
  if (!row) throw new Error('credits_settle returned no row')
  return settleSwept(request, row, run)
}

/**
 * What a settlement comes to without asking the database: everything but a metered cost above its
 * hold, which may take more of the balance. Null where it is not known.
 */
export function knownSettlement({ actual, held, extend }: SettleRequest): Settlement | null {
  if (extend && actual > held) return null
  const charged = actual < 0n ? 0n : actual < held ? actual : held
  return { charged, expired: false, limit: null }
}

/**
 * What a settlement came to; counts the charge, and logs and counts what the call cost beyond it.
 */
export function recordSettlement(
  { id, ownerId, actual, extend, channel }: SettleRequest,
  { outcome, charged: text, limited, short }: SettlementRow,
): Settlement {
  const charged = BigInt(text)
  creditsFreed(ownerId)
  if (outcome === 'done') countCharge(charged, channel)
  if (charged < actual && outcome !== 'again') {
    creditsLost.inc(Number(actual - charged))
    log.warn({ hold: id, actual: Number(actual), charged: Number(charged), outcome }, 'loss')
  }
  const expired = outcome === 'expired' || outcome === 'unknown'
  const shown = parseLimit(short)
  const ranShort = extend === true && !expired && charged < actual
  return { charged, expired, limit: ranShort ? LimitSource.parse(limited ?? 'balance') : null, ...(shown && { shown }) }
}
