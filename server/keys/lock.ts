import { runIn, type Transaction } from '../db'
import { statement } from '../kit/statement'

const LOCK_KEY = statement({
  name: 'keys_lock',
  sql: 'SELECT id FROM "key" WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE',
  params: ['int', 'int'],
  columns: { id: 'int' },
})

/**
 * Waits for the row of an owner's key, so that what is read next stays until the transaction ends.
 */
export const lockKey = async (tx: Transaction, ownerId: number, id: number): Promise<void> => {
  await runIn(tx, LOCK_KEY, [id, ownerId])
}
