import { executeStatement } from '../db'
import { statement } from '../kit/statement'

const STEP = 500
/** Whoever turns the log off waits no longer: retention deletes the rest. */
const MAX_STEPS = 40

const DELETE_OF_OWNER = statement({
  name: 'request_log_delete_of_owner',
  sql: `DELETE FROM request_log WHERE id IN (
    SELECT l.id FROM request_log l WHERE l.owner_id = $1 LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: ['int'],
})

/** Deletes what is kept of an owner, up to 20,000 calls. */
export async function deleteLogOf(ownerId: number): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    if ((await executeStatement(DELETE_OF_OWNER, [ownerId])) < STEP) return
  }
}
