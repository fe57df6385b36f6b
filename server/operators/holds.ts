import { findDeadSettlement, listDeadSettlements, retryDeadSettlement } from '../credits/dead-settlement'
import { readKeptJournals } from '../credits/kept-journals'
import { countPendingSettlements } from '../credits/pending-settlements'
import { recordSettlement } from '../credits/settlement'
import { inTransaction, runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { type RowOf, statement } from '../kit/statement'
import { type Operator, recordAct } from './operator'
import type { HoldsView } from './state-views'

const MAX_ROWS = 50

/** No call takes longer: what is older was lost. */
const OLD_AFTER = `interval '10 minutes'`

const SUMS = statement({
  name: 'operators_hold_sums',
  sql: `SELECT product, count(*)::int AS holds, coalesce(sum(amount), 0)::bigint AS credits,
      (count(*) FILTER (WHERE created_at > now() - interval '1 minute'))::int AS fresh,
      (count(*) FILTER (WHERE created_at < now() - ${OLD_AFTER}))::int AS old,
      min(created_at) AS oldest
    FROM hold GROUP BY product ORDER BY product`,
  params: [],
  columns: { product: 'text', holds: 'int', credits: 'bigint', fresh: 'int', old: 'int', oldest: 'timestamptz' },
})

const OLDEST = statement({
  name: 'operators_oldest_holds',
  sql: `SELECT h.id, h.owner_id AS "ownerId", o.email, h.amount, h.created_at AS "createdAt", h.product, h.what, h.channel,
      h.holder_id AS "processId", coalesce(p.lease_until > now(), false) AS "isAlive"
    FROM hold h LEFT JOIN owner o ON o.id = h.owner_id LEFT JOIN holder p ON p.id = h.holder_id
    ORDER BY h.created_at, h.id LIMIT $1`,
  params: ['bigint'],
  columns: {
    id: 'uuid',
    ownerId: 'int',
    email: 'text?',
    amount: 'bigint',
    createdAt: 'timestamptz',
    product: 'text',
    what: 'text',
    channel: 'text',
    processId: 'uuid',
    isAlive: 'boolean',
  },
})

const viewHold = ({ amount, createdAt, email, ...hold }: RowOf<typeof OLDEST>) => ({
  ...hold,
  ownerEmail: email,
  credits: Number(amount),
  createdAt: createdAt.toISOString(),
})

/**
 * Credits reserved now, by product and the oldest one by one; settlements that wait in this process
 * or in the journals of its folder; and what was put aside.
 */
export async function readHolds(options?: ReadOptions): Promise<HoldsView> {
  const [sums, oldest, dead, { inJournals, kept }] = await Promise.all([
    runRead(SUMS, [], options),
    runRead(OLDEST, [BigInt(MAX_ROWS)], options),
    listDeadSettlements(MAX_ROWS, options),
    readKeptJournals(options),
  ])
  return {
    byProduct: sums.map(({ credits, oldest: at, ...sum }) => ({
      ...sum,
      credits: Number(credits),
      oldest: at.toISOString(),
    })),
    oldest: oldest.map(viewHold),
    waiting: countPendingSettlements(),
    inJournals,
    keptJournals: kept,
    putAside: {
      all: dead[0]?.all ?? 0,
      rows: dead.map(({ all: _, email, held, at, ...row }) => ({
        ...row,
        ownerEmail: email,
        held: held === null ? null : Number(held),
        at: at.toISOString(),
      })),
    },
  }
}

/**
 * Tries a settlement again that was put aside. Returns what it charged, in credits. Throws
 * `not_found`, and `conflict` while the database refuses it.
 */
export async function retrySettlement(operator: Operator, id: string): Promise<number> {
  const { ownerId, request } = await findDeadSettlement(id)
  const settled = await inTransaction(async (tx) => {
    const row = await retryDeadSettlement(tx, request)
    const detail = { charged: Number(row.charged) }
    await recordAct(tx, operator, { ownerId, action: 'settlement_retried', subject: id, detail })
    return row
  })
  return Number(recordSettlement(request, settled).charged)
}
