import { batch } from '../kit/batch'
import { log } from '../kit/log'
import { once } from '../kit/once'
import type { ReceiptDetail, ReceiptStatus } from './shape'
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

/** What was charged, and whether the hold had been swept: then nothing is, and the call's cost is the operator's loss. */
export type Settlement = { charged: bigint; expired: boolean }

type Row = { n: number; outcome: string; charged: string; held: string }

const SQL = `SELECT * FROM credits_settle($1::uuid[], $2::bigint[], $3::boolean[], $4::text[], $5::jsonb[], $6::int[],
  $7::text[]) ORDER BY n`

const settleMany = (items: SettleRequest[]): Promise<Row[]> =>
  transact<Row>('credits_settle', SQL, [
    items.map((i) => i.id),
    items.map((i) => i.actual.toString()),
    items.map((i) => i.extend ?? false),
    items.map((i) => i.status),
    items.map((i) => (i.detail ? JSON.stringify(i.detail) : null)),
    items.map((i) => i.answer?.status ?? null),
    items.map((i) => i.answer?.body ?? null),
  ])

/**
 * Ends a hold with a charge: min(actual, hold), or with `extend` min(actual, hold + what is free). Writes ledger and
 * receipt in the same transaction. A settlement that comes after its hold was swept charges nothing and says so.
 */
export async function settle(request: SettleRequest): Promise<Settlement> {
  const row = await once('settle', () => batch(settleMany))(request).catch((error) => {
    settleLater(request)
    throw error
  })
  const charged = BigInt(row.charged)
  const expired = row.outcome === 'expired' || row.outcome === 'unknown'
  if (charged < request.actual && row.outcome !== 'again') {
    log.warn(
      { hold: request.id, actual: Number(request.actual), charged: Number(charged), outcome: row.outcome },
      'loss',
    )
  }
  return { charged, expired }
}

const waiting = () => once('unsettled', () => new Map<string, SettleRequest>())

/** Keeps a settlement that could not be written, to be tried again until it is. */
export function settleLater(request: SettleRequest): void {
  if (!waiting().has(request.id)) waiting().set(request.id, request)
}

/** Writes the settlements that a lost database kept waiting. Answers how many still wait. */
export async function settleWaiting(): Promise<number> {
  const now = [...waiting().values()]
  if (now.length === 0) return 0
  await settleMany(now).then(
    () => now.map(({ id }) => waiting().delete(id)),
    (error: Error) => log.error({ waiting: now.length, err: error.message }, 'settlements wait for the database'),
  )
  return waiting().size
}

/** Ends a hold with no charge: the call never ran. */
export const voidHold = (id: string, detail?: ReceiptDetail): Promise<Settlement> =>
  settle({ id, actual: 0n, status: 'void', detail })
