import { afterSlices } from '../credits/slices'
import { inAct } from '../db'
import { getKey } from './list'
import { checkKey, type KeyOwner, lockKey, ownerIdOf } from './lock'
import type { KeyView } from './shape'

/**
 * Ends a key, on every process at once and for good; a repeat changes nothing. Throws `not_found`.
 */
export const revokeKey = (owner: KeyOwner, id: number): Promise<KeyView> =>
  afterSlices(
    inAct(async (tx) => {
      const ownerId = ownerIdOf(owner)
      await lockKey(tx, ownerId, id)
      checkKey(owner, await getKey(ownerId, id, tx))
      await tx.key.updateMany({ where: { id, ownerId, revokedAt: null }, data: { revokedAt: new Date() } })
      return getKey(ownerId, id, tx)
    }),
  )
