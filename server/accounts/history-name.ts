import { createHash } from 'node:crypto'
import { prisma } from '../db'

/** A name that belongs to one account and says nothing about it. */
export async function historyName(ownerId: number): Promise<string> {
  const { createdAt } = await prisma().owner.findUniqueOrThrow({ where: { id: ownerId }, select: { createdAt: true } })
  return createHash('sha256').update(`${ownerId} ${createdAt.toISOString()}`).digest('hex').slice(0, 20)
}
