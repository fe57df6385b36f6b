import { runIn, type Transaction } from '../db'
import { statement } from '../kit/statement'
import type { KeyView } from './shape'

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

/**
 * Whose key is changed. `check` is called with the key while its row is locked, and throws where
 * whoever asks may not have it, or has seen another version of it.
 */
export type KeyOwner = number | { ownerId: number; check: (key: KeyView) => void }

export const ownerIdOf = (owner: KeyOwner): number => (typeof owner === 'number' ? owner : owner.ownerId)

/** Throws what the `check` of a key's owner throws. */
export function checkKey(owner: KeyOwner, key: KeyView): void {
  if (typeof owner !== 'number') owner.check(key)
}
