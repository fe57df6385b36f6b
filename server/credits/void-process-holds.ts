import { mainPool } from '../db'
import { holderId } from './holder'
import { isSettlementPending } from './pending-settlements'
import { voidHold } from './settle'

/**
 * Ends every hold of this process without a charge, for a shutdown that cannot wait for the calls behind them. A call
 * that was settled keeps its charge, also where that waits to be written; one that ends later charges nothing. Returns how many there were.
 */
export async function voidProcessHolds(): Promise<number> {
  const { rows } = await mainPool().query<{ id: string; ownerId: number; held: string }>(
    'SELECT id, owner_id AS "ownerId", amount AS held FROM hold WHERE holder_id = $1',
    [holderId()],
  )
  const detail = { error: 'The service was shut down during the call.' }
  const open = rows.filter(({ id }) => !isSettlementPending(id))
  await Promise.all(open.map(({ id, ownerId, held }) => voidHold({ id, ownerId, held: BigInt(held) }, detail)))
  return open.length
}
