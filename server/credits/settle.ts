import type pg from 'pg'
import { isAppError } from '../errors'
import { batch } from '../kit/batch'
import { log } from '../kit/log'
import { metrics } from '../kit/metrics'
import { once } from '../kit/once'
import { LimitSource, type ReceiptDetail, type ReceiptStatus } from './shape'
import { transact } from './transact'

export type SettleRequest = {
  /** The hold's id; repeating a settlement answers the first one's charge. */
  id: string
  /** What the call really cost, in credits. */
  actual: bigint
  /** Metered calls: a cost above the hold is taken as far as balance, budget and ceiling allow. */
  extend?: boolean
  status: Exclude<ReceiptStatus, 'expired'>
  detail?: ReceiptDetail
  /** What a later request with the same Idempotency-Key is answered: the body without its `service` block. */
  answer?: { status: number; body: string }
}

/**
 * What was charged; whether the hold had been swept: then nothing is, and the call's cost is the operator's loss; and,
 * with `extend`, the limit that left less than the call cost.
 */
export type Settlement = { charged: bigint; expired: boolean; limit: LimitSource | null }

type Row = { n: number; outcome: string; charged: string; held: string; limited: string | null }

const SQL = `SELECT * FROM credits_settle($1::uuid[], $2::bigint[], $3::boolean[], $4::text[], $5::jsonb[], $6::int[],
  $7::text[]) ORDER BY n`

const valuesOf = (items: SettleRequest[]): unknown[] => [
  items.map((i) => i.id),
  items.map((i) => i.actual.toString()),
  items.map((i) => i.extend ?? false),
  items.map((i) => i.status),
  items.map((i) => (i.detail ? JSON.stringify(storable(i.detail)) : null)),
  items.map((i) => i.answer?.status ?? null),
  items.map((i) => i.answer?.body ?? null),
]

const settleMany = (items: SettleRequest[]): Promise<Row[]> => transact<Row>('credits_settle', SQL, valuesOf(items))

/**
 * Ends holds inside a transaction of the caller's, who has locked nothing of the credits room before. What must stand
 * or fall with a charge, such as the step of a run, is written in the same one.
 */
export async function settleIn(db: pg.PoolClient, requests: SettleRequest[]): Promise<Settlement[]> {
  if (requests.length === 0) return []
  const { rows } = await db.query<Row>({ name: 'credits_settle', text: SQL, values: valuesOf(requests) })
  return requests.map((request, i) => settlementOf(request, rows[i] as Row))
}

/** Voids, inside a transaction of the caller's, every hold under a conversation's ceiling. */
export async function voidHoldsUnder(db: pg.PoolClient, limitId: string): Promise<void> {
  const { rows } = await db.query<{ id: string }>('SELECT id FROM hold WHERE limit_id = $1', [limitId])
  const error = 'The run was taken over.'
  await settleIn(
    db,
    rows.map(({ id }) => ({ id, actual: 0n, status: 'void', detail: { error } })),
  )
}

/** Without what PostgreSQL's JSON refuses, NUL and half a surrogate pair: one such text would fail its whole batch. */
const storable = ({ error, ...detail }: ReceiptDetail): ReceiptDetail => ({
  ...detail,
  ...(error !== undefined && { error: error.replaceAll('\0', '').toWellFormed() }),
})

/**
 * Ends a hold with a charge: min(actual, hold), or with `extend` min(actual, hold + what is free). Writes ledger and
 * receipt in the same transaction. A settlement that comes after its hold was swept charges nothing and says so.
 */
export async function settle(request: SettleRequest): Promise<Settlement> {
  const row = await once('settle', () => batch(settleMany))(request).catch((error) => {
    settleLater(request)
    throw error
  })
  return settlementOf(request, row)
}

/** What a settlement came to; counts the charge, and logs and counts what the call cost beyond it. */
function settlementOf({ id, actual, extend }: SettleRequest, { outcome, charged: text, limited }: Row): Settlement {
  const charged = BigInt(text)
  if (outcome === 'done') metrics().charged.inc(Number(charged))
  if (charged < actual && outcome !== 'again') {
    metrics().lost.inc(Number(actual - charged))
    log.warn({ hold: id, actual: Number(actual), charged: Number(charged), outcome }, 'loss')
  }
  const expired = outcome === 'expired' || outcome === 'unknown'
  const ranShort = extend === true && !expired && charged < actual
  return { charged, expired, limit: ranShort ? LimitSource.parse(limited ?? 'balance') : null }
}

const waiting = () => once('unsettled', () => new Map<string, SettleRequest>())

/** Keeps a settlement that could not be written, to be tried again until it is. */
export function settleLater(request: SettleRequest): void {
  if (!waiting().has(request.id)) waiting().set(request.id, request)
}

/** Writes the settlements that a lost database kept waiting. Answers how many still wait. */
export async function settleWaiting(): Promise<number> {
  // One at a time: what the database refuses must not keep the others waiting.
  for (const request of [...waiting().values()]) {
    try {
      for (const row of await settleMany([request])) settlementOf(request, row)
    } catch (error) {
      const isAway = isAppError(error) && error.code === 'unavailable'
      log.error({ hold: request.id, waiting: waiting().size, err: (error as Error).message }, 'a settlement waits')
      if (isAway) break
    }
    waiting().delete(request.id)
  }
  return waiting().size
}

/** Ends a hold with no charge: the call never ran. */
export const voidHold = (id: string, detail?: ReceiptDetail): Promise<Settlement> =>
  settle({ id, actual: 0n, status: 'void', detail })
