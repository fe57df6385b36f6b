import { inAct } from '../db'
import { keyNotFound } from './create'
import { getKey } from './list'
import type { KeyView } from './shape'

/**
 * Ends a key, on every process at once and for good; a repeat changes nothing. Throws `not_found`.
 */
export const revokeKey = (ownerId: number, id: number): Promise<KeyView> =>
  inAct(async (tx) => {
    const { count } = await tx.key.updateMany({
      where: { id, ownerId, revokedAt: null },
      data: { revokedAt: new Date() },
    })
    const key = await getKey(ownerId, id, tx)
    if (count === 0 && key.revokedAt === null) throw keyNotFound()
    return key
  })
