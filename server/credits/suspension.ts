import { prisma, type Transaction } from '../db'
import { AppError } from '../errors'

/** The refusal of everything that a suspended account would do. */
export const accountSuspended = (reason: string | null): AppError =>
  new AppError('forbidden', `This account is suspended${reason ? `: ${reason}` : ''}. Contact the operator.`, {
    reason: 'suspended',
  })

/** The refusal of every call for a customer whom its account has suspended. */
export const customerSuspended = (): AppError =>
  new AppError('forbidden', 'This customer is suspended by the account that serves it.', {
    reason: 'customer_suspended',
  })

/** Why an owner's account is suspended, or null: it may spend. */
export async function readSuspension(ownerId: number): Promise<string | null> {
  const account = await prisma().account.findUnique({ where: { ownerId }, select: { suspendedFor: true } })
  return account?.suspendedFor ?? null
}

/**
 * Suspends an owner's account, with a reason that its callers read, or with null lets it spend
 * again. Keys are refused at once, in every process; calls in progress end and are charged.
 * Returns false for an owner without an account.
 */
export async function suspendAccount(tx: Transaction, ownerId: number, reason: string | null): Promise<boolean> {
  const { count } = await tx.account.updateMany({
    where: { ownerId },
    data: { suspendedFor: reason, suspendedAt: reason === null ? null : new Date() },
  })
  return count > 0
}
