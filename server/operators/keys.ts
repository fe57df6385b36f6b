import { prisma } from '../db'
import { AppError, invalidRequest } from '../errors'
import { changeKey } from '../keys/change'
import { revokeKey } from '../keys/revoke'
import type { KeyView } from '../keys/shape'
import { actAs, type Operator } from './operator'
import type { KeyLimitsRequest } from './views'

/** Whose key it is, and its name. Throws `not_found`. */
async function findKey(id: number): Promise<{ ownerId: number; subject: string }> {
  const row = await prisma().key.findUnique({ where: { id }, select: { ownerId: true, name: true } })
  if (!row) throw new AppError('not_found', `There is no key ${id}.`)
  return { ownerId: row.ownerId, subject: row.name }
}

/**
 * Changes budgets, rate or expiry of any owner's key. Throws `not_found`, `conflict` for a revoked
 * key, and `invalid_request`, also where nothing is named.
 */
export async function changeKeyLimits(operator: Operator, { id, changes }: KeyLimitsRequest): Promise<KeyView> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length === 0) throw invalidRequest([{ path: ['changes'], message: 'Name at least one limit' }])
  const key = await findKey(id)
  const act = { ...key, action: 'key_changed', detail: given } as const
  return actAs(operator, act, () => changeKey(key.ownerId, id, given))
}

/** Revokes any owner's key. Throws `not_found`. */
export async function revokeKeyOf(operator: Operator, id: number): Promise<KeyView> {
  const key = await findKey(id)
  return actAs(operator, { ...key, action: 'key_revoked' }, () => revokeKey(key.ownerId, id))
}
