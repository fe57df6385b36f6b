import { prisma } from '../db'
import { AppError, invalidRequest } from '../errors'
import { changeKey } from '../keys/change'
import { revokeKey } from '../keys/revoke'
import type { KeyView } from '../keys/shape'
import { type Operator, recordAct } from './operator'
import type { KeyLimitsRequest } from './views'

/** Whose key it is. Throws `not_found`. */
async function ownerOfKey(id: number): Promise<number> {
  const row = await prisma().key.findUnique({ where: { id }, select: { ownerId: true } })
  if (!row) throw new AppError('not_found', `There is no key ${id}.`)
  return row.ownerId
}

/**
 * Changes budgets, rate or expiry of any owner's key. Throws `not_found`, `conflict` for a revoked
 * key, and `invalid_request`, also where nothing is named.
 */
export async function changeKeyLimits(operator: Operator, { id, changes }: KeyLimitsRequest): Promise<KeyView> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length === 0) throw invalidRequest([{ path: ['changes'], message: 'Name at least one limit' }])
  const ownerId = await ownerOfKey(id)
  const key = await changeKey(ownerId, id, given)
  await recordAct(operator, { ownerId, action: 'key_changed', subject: key.name, detail: given })
  return key
}

/** Revokes any owner's key. Throws `not_found`. */
export async function revokeKeyOf(operator: Operator, id: number): Promise<KeyView> {
  const ownerId = await ownerOfKey(id)
  const key = await revokeKey(ownerId, id)
  await recordAct(operator, { ownerId, action: 'key_revoked', subject: key.name })
  return key
}
