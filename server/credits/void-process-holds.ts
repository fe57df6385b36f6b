import { runStatement } from '../db'
import { statement } from '../kit/statement'
import { withTimeout } from '../kit/with-timeout'
import { holderId } from './holder'
import { isSettlementPending } from './pending-settlements'
import { voidHold } from './settle'
import { endSlices } from './slices'

const OWN_HOLDS = statement({
  name: 'credits_own_holds',
  sql: 'SELECT id, owner_id AS "ownerId", amount AS held FROM hold WHERE holder_id = $1 AND calls IS NULL',
  params: ['uuid'],
  columns: { id: 'uuid', ownerId: 'int', held: 'bigint' },
})

/** How long the ends of slices are waited for, milliseconds. */
const SLICES_MS = 1_000

/**
 * Ends every hold of this process without a charge, for a shutdown that cannot wait for their
 * calls. A call that was settled keeps its charge, also where that is not written yet; one that
 * ends later charges nothing. Returns how many holds there were.
 */
export async function voidProcessHolds(): Promise<number> {
  // Calls of slices have holds of their own then. A slice that is left has answered calls: a sweep
  // ends it.
  await withTimeout(endSlices(), SLICES_MS)
  const rows = await runStatement(OWN_HOLDS, [holderId()])
  const detail = { error: 'The service was shut down during the call.' }
  const open = rows.filter(({ id }) => !isSettlementPending(id))
  await Promise.all(open.map(({ id, ownerId, held }) => voidHold({ id, ownerId, held: BigInt(held) }, detail)))
  return open.length
}
