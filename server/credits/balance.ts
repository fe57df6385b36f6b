import { prisma } from '../db'
import type { CreditBalance } from './shape'

/** An owner's credits: available to spend, and held by calls in progress. */
export async function getBalance(ownerId: number): Promise<CreditBalance> {
  const account = await prisma().account.findUnique({ where: { ownerId } })
  return { available: Number(account?.available ?? 0), held: Number(account?.held ?? 0) }
}
