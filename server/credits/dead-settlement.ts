import { isDatabaseUnavailable, runIn, runRead, runStatement, type Transaction } from '../db'
import { AppError } from '../errors'
import { isUuid } from '../kit/id'
import type { ReadOptions } from '../kit/pg-read'
import { type RowOf, statement } from '../kit/statement'
import { StoredSettlement } from './journal-entry'
import { type SettlementRow, settleAlone } from './settlement'

const DEAD = statement({
  name: 'settlements_dead',
  sql: `SELECT d.id, d.owner_id AS "ownerId", o.email, d.error, d.attempts, d.at, h.amount AS held,
      (count(*) OVER ())::int AS "all"
    FROM settlement_dead d LEFT JOIN owner o ON o.id = d.owner_id LEFT JOIN hold h ON h.id = d.id
    ORDER BY d.at LIMIT $1`,
  params: ['bigint'],
  columns: {
    id: 'uuid',
    ownerId: 'int',
    email: 'text?',
    error: 'text',
    attempts: 'int',
    at: 'timestamptz',
    held: 'bigint?',
    all: 'int',
  },
})

/** Settlements that the database refused repeatedly, oldest first; `all` is their number. */
export const listDeadSettlements = (max: number, options?: ReadOptions): Promise<RowOf<typeof DEAD>[]> =>
  runRead(DEAD, [BigInt(max)], options)

const DEAD_REQUEST = statement({
  name: 'settlement_dead_request',
  sql: 'SELECT owner_id AS "ownerId", request FROM settlement_dead WHERE id = $1',
  params: ['uuid'],
  columns: { ownerId: 'int', request: 'jsonb' },
})

const FORGET_DEAD = statement({
  name: 'settlement_dead_forget',
  sql: 'DELETE FROM settlement_dead WHERE id = $1::uuid',
  params: ['uuid'],
})

/** A settlement that was put aside. Throws `not_found`. */
export async function findDeadSettlement(id: string): Promise<{ ownerId: number; request: StoredSettlement }> {
  const [row] = isUuid(id) ? await runStatement(DEAD_REQUEST, [id]) : []
  if (!row) throw new AppError('not_found', 'No settlement of this id was put aside.')
  return { ownerId: row.ownerId, request: StoredSettlement.parse(row.request) }
}

/**
 * Tries a settlement again that was put aside, and forgets it once its hold has ended. Repeated, it
 * charges nothing more. What it returns is for `recordSettlement`, once the transaction is
 * committed. Throws `conflict` while the database refuses it.
 */
export async function retryDeadSettlement(tx: Transaction, request: StoredSettlement): Promise<SettlementRow> {
  const settled = await settleAlone(request, (statement, values) => runIn(tx, statement, values)).catch(
    (cause: Error) => {
      if (cause instanceof AppError || isDatabaseUnavailable(cause)) throw cause
      throw new AppError('conflict', `The database still refuses it: ${cause.message}`, { cause })
    },
  )
  await runIn(tx, FORGET_DEAD, [request.id])
  return settled
}
