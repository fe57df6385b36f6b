import { type Hold, settleHold } from '../../server/credits/settle'
import type { Settlement, SettleRequest } from '../../server/credits/settlement'
import type { ReceiptDetail } from '../../server/credits/shape'
import { mainPool } from '../../server/db'

/** A hold as the database has it, or, when it has ended, as its receipt has it. */
export async function findHold(id: string): Promise<Hold> {
  const { rows } = await mainPool().query<{ ownerId: number; held: string }>(
    `SELECT owner_id AS "ownerId", amount AS held FROM hold WHERE id = $1
     UNION ALL SELECT owner_id, held FROM receipt WHERE id = $1 LIMIT 1`,
    [id],
  )
  const { ownerId = 0, held = '0' } = rows[0] ?? {}
  return { id, ownerId, held: BigInt(held) }
}

type Given = Omit<SettleRequest, 'ownerId' | 'held'>

/** Ends a hold that a test knows by its id alone. */
export const settleById = async (request: Given): Promise<Settlement> =>
  settleHold({ ...(await findHold(request.id)), ...request })

/** The same with no charge. */
export const voidHoldById = (id: string, detail?: ReceiptDetail): Promise<Settlement> =>
  settleById({ id, actual: 0n, status: 'void', detail })
