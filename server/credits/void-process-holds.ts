import { runStatement } from '../db'
import { statement } from '../kit/statement'
import { holderId } from './holder'
import { isSettlementPending } from './pending-settlements'
import { voidHold } from './settle'

const OWN_HOLDS = statement({
  name: 'credits_own_holds',
  sql: 'SELECT id, owner_id AS "ownerId", amount AS held FROM hold WHERE holder_id = $1',
  params: ['uuid'],
  columns: { id: 'uuid', ownerId: 'int', held: 'bigint' },
})

/**
 * Ends every hold of this process without a charge, for a shutdown that cannot wait for their
 * calls. A call that was settled keeps its charge, also where that is not written yet; one that
 * ends later charges nothing. Returns how many holds there were.
 */
export async function voidProcessHolds(): Promise<number> {
  const rows = await runStatement(OWN_HOLDS, [holderId()])
  const detail = { error: 'The service was shut down during the call.' }
  const open = rows.filter(({ id }) => !isSettlementPending(id))
  await Promise.all(open.map(({ id, ownerId, held }) => voidHold({ id, ownerId, held: BigInt(held) }, detail)))
  return open.length
}
