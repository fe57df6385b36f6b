import { prisma } from '../db'
import { keyNotFound } from './create'
import { getKey } from './list'
import type { KeyView } from './shape'

/** Renames an owner's key. Throws `not_found`. */
export async function renameKey(ownerId: number, id: number, name: string): Promise<KeyView> {
  const { count } = await prisma().key.updateMany({ where: { id, ownerId }, data: { name } })
  if (count === 0) throw keyNotFound()
  return getKey(ownerId, id)
}
