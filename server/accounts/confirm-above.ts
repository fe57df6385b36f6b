import { z } from 'zod'
import { inAct, prisma } from '../db'

/** Credits above which pages ask before they spend; 0: always, null: never. */
export const ConfirmAbove = z.int().min(0).max(1_000_000_000).nullable()

/** Above how many credits an owner wants to be asked. */
export async function getConfirmAbove(ownerId: number): Promise<number | null> {
  const { confirmAbove } = await prisma().owner.findUniqueOrThrow({
    where: { id: ownerId },
    select: { confirmAbove: true },
  })
  return confirmAbove === null ? null : Number(confirmAbove)
}

export async function setConfirmAbove(ownerId: number, credits: number | null): Promise<void> {
  await inAct((tx) => tx.owner.update({ where: { id: ownerId }, data: { confirmAbove: credits } }))
}
