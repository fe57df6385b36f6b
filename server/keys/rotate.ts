import { afterSlices } from '../credits/slices'
import { inAct } from '../db'
import { AppError } from '../errors'
import { keyNotFound, secretRow } from './create'
import { readLastUse } from './last-use'
import { checkKey, type KeyOwner, lockKey, ownerIdOf } from './lock'
import { MANAGEMENT_PREFIX, makeSecret } from './secret'
import type { KeyWithSecret } from './shape'
import { keyRelations, viewKey } from './view'

/**
 * Gives a key a new secret: id, spend, budget and rate window stay. The old secret works for
 * `overlapMinutes` more; one from an earlier rotation ends now. Throws `not_found`, or `conflict`
 * for a revoked or expired key, and for one whose secret an application renews.
 */
export async function rotateKey(owner: KeyOwner, id: number, overlapMinutes: number): Promise<KeyWithSecret> {
  const ownerId = ownerIdOf(owner)
  const lastUsedAt = (await readLastUse([id])).get(id)
  return afterSlices(
    inAct(async (tx) => {
      await lockKey(tx, ownerId, id)
      // Read only now: of two rotations at once the later one must have the later time.
      const now = new Date()
      const key = await tx.key.findFirst({ where: { id, ownerId }, include: keyRelations })
      if (!key) throw keyNotFound()
      checkKey(owner, viewKey(key, { now }))
      if (viewKey(key, { now }).state === 'revoked') throw new AppError('conflict', 'A revoked key cannot be rotated.')
      if (viewKey(key, { now }).state === 'expired') throw new AppError('conflict', 'An expired key cannot be rotated.')
      const secret = makeSecret(key.management === null ? undefined : MANAGEMENT_PREFIX)
      const [newest, ...older] = key.secrets
      if (key.client && newest?.expiresAt)
        throw new AppError(
          'conflict',
          'The application that has this key renews its secret itself. Revoke the key to end its access.',
        )
      await tx.keySecret.deleteMany({ where: { hash: { in: older.map((s) => s.hash) } } })
      if (newest) {
        const expiresAt = new Date(now.getTime() + overlapMinutes * 60_000)
        await tx.keySecret.update({ where: { hash: newest.hash }, data: { expiresAt } })
      }
      await tx.keySecret.create({ data: { ...secretRow(secret), keyId: id, createdAt: now } })
      const row = await tx.key.findFirstOrThrow({ where: { id, ownerId }, include: keyRelations })
      return { ...viewKey(row, { now, lastUsedAt }), key: secret }
    }),
  )
}
