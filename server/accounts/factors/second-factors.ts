import { inAct, prisma, type Transaction } from '../../db'
import { env } from '../../env'
import { AppError } from '../../errors'
import type { Session } from '../shape'
import { checkAppCode } from './authenticator-app'
import { takeRecoveryCode } from './recovery-codes'
import type { Proofs, SecondFactors } from './shape'

/**
 * Whether operators must have a second factor: outside the sandbox mode, which is somebody trying
 * the service on their own machine.
 */
export const mustOperatorsHaveFactor = (): boolean => !env().sandbox

const isApp = (ownerId: number) => ({ ownerId, confirmedAt: { not: null } })

async function countFactors(tx: Transaction, ownerId: number): Promise<number> {
  return (await tx.passkey.count({ where: { ownerId } })) + (await tx.authenticatorApp.count({ where: isApp(ownerId) }))
}

/** Whether an owner signs in with a second factor. */
export const hasSecondFactor = async (ownerId: number): Promise<boolean> => (await countFactors(prisma(), ownerId)) > 0

/** The second factors of an owner. */
export async function readSecondFactors(ownerId: number): Promise<SecondFactors> {
  const [passkeys, app, recoveryCodes] = await Promise.all([
    prisma().passkey.findMany({ where: { ownerId }, orderBy: { createdAt: 'asc' } }),
    prisma().authenticatorApp.findFirst({ where: isApp(ownerId) }),
    prisma().recoveryCode.count({ where: { ownerId } }),
  ])
  return {
    passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      usedAt: usedAt?.toISOString() ?? null,
    })),
    appSince: app?.confirmedAt?.toISOString() ?? null,
    recoveryCodes,
  }
}

/** How an owner can show who they are. */
export async function readProofs(ownerId: number): Promise<Proofs> {
  const [password, app, passkey, recoveryCode] = await Promise.all([
    prisma().owner.count({ where: { id: ownerId, passwordHash: { not: null } } }),
    prisma().authenticatorApp.count({ where: isApp(ownerId) }),
    prisma().passkey.count({ where: { ownerId } }),
    prisma().recoveryCode.count({ where: { ownerId } }),
  ])
  return { password: password > 0, app: app > 0, passkey: passkey > 0, recoveryCode: recoveryCode > 0 }
}

/** Which second factor a code is of, which it uses up; null for a wrong one. */
export async function checkFactorCode(ownerId: number, code: string): Promise<'app' | 'recovery code' | null> {
  const digits = code.replace(/[\s-]/g, '')
  if (/^\d{6}$/.test(digits)) return (await checkAppCode(ownerId, digits)) ? 'app' : null
  return (await takeRecoveryCode(ownerId, code)) ? 'recovery code' : null
}

/** Whether an account of a person asks its members for a second factor. */
const isAskedOf = async (tx: Transaction, personId: number): Promise<boolean> =>
  (await tx.member.count({ where: { personId, account: { requiresFactor: true, deletedAt: null } } })) > 0

/** Whether a person must have a second factor: as an operator, or in one of their accounts. */
export const mustHaveFactor = async ({ personId, isAdmin }: Pick<Session, 'personId' | 'isAdmin'>): Promise<boolean> =>
  (isAdmin && mustOperatorsHaveFactor()) || (await isAskedOf(prisma(), personId))

/**
 * Removes a second factor; without one, recovery codes go, too. Throws `not_found`, and `conflict`
 * for the last one of a person who must have one.
 */
export function removeFactor(
  { personId: ownerId, isAdmin }: Pick<Session, 'personId' | 'isAdmin'>,
  remove: (tx: Transaction) => Promise<{ count: number }>,
): Promise<void> {
  return inAct(async (tx) => {
    const { count } = await remove(tx)
    if (count === 0) throw new AppError('not_found', 'There is no such second factor.')
    if ((await countFactors(tx, ownerId)) > 0) return
    if (isAdmin && mustOperatorsHaveFactor())
      throw new AppError('conflict', 'Operators need a second factor. Add another one first.')
    if (await isAskedOf(tx, ownerId))
      throw new AppError('conflict', 'Your account asks its members for a second factor. Add another one first.')
    await tx.recoveryCode.deleteMany({ where: { ownerId } })
  })
}

/** Removes all second factors of an owner who lost them. Returns whether there were any. */
export async function removeAllFactors(tx: Transaction, ownerId: number): Promise<boolean> {
  const had = await countFactors(tx, ownerId)
  await tx.passkey.deleteMany({ where: { ownerId } })
  await tx.authenticatorApp.deleteMany({ where: { ownerId } })
  await tx.recoveryCode.deleteMany({ where: { ownerId } })
  return had > 0
}
