import { inAct, prisma } from '../db'
import { AppError, invalidRequest } from '../errors'
import { hashPassword, verifyPassword } from './password'
import { endOtherSessionsIn } from './session'
import { Password, PasswordChange, type Session } from './shape'

/**
 * Changes the password of whoever is signed in and ends every other session of theirs. An owner who
 * came through a provider and has no password yet sets the first one. Throws `invalid_request` when
 * the current one is wrong.
 */
export async function changePassword({ personId, sessionId }: Session, input: PasswordChange): Promise<void> {
  const { current, password } = PasswordChange.parse(input)
  if (await hasPassword(personId)) await checkOwnPassword(personId, { password: current, field: 'current' })
  await setPassword(personId, { password, keptSession: sessionId })
}

/** Whether an owner has a password; one who came through a provider has none at first. */
export async function hasPassword(id: number): Promise<boolean> {
  return (await prisma().owner.count({ where: { id, passwordHash: { not: null } } })) > 0
}

/**
 * Checks that whoever is signed in knows the account's password. `field`: where the input has it.
 * Throws `invalid_request`, also where the account has no password yet.
 */
export async function checkOwnPassword(
  id: number,
  { password, field }: { password: string; field: string },
): Promise<void> {
  const { passwordHash } = await prisma().owner.findUniqueOrThrow({ where: { id }, select: { passwordHash: true } })
  if (passwordHash === null) throw invalidRequest([{ path: [field], message: 'Set a password first.' }])
  if (!(await verifyPassword(passwordHash, password)))
    throw invalidRequest([{ path: [field], message: 'This is not your current password.' }])
}

/**
 * Sets an owner's password for the operator and ends all sessions. Throws `invalid_request`,
 * `not_found`.
 */
export async function resetPassword(email: string, password: string): Promise<void> {
  const parsed = Password.safeParse(password)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const owner = await prisma().owner.findUnique({ where: { email }, select: { id: true } })
  if (!owner) throw new AppError('not_found', `There is no owner ${email}.`)
  await setPassword(owner.id, { password: parsed.data, keptSession: null })
}

/** Ends every other session. Links that were sent before set no other password afterwards. */
async function setPassword(
  id: number,
  { password, keptSession }: { password: string; keptSession: string | null },
): Promise<void> {
  const passwordHash = await hashPassword(password)
  await inAct(async (tx) => {
    await tx.owner.update({ where: { id }, data: { passwordHash } })
    await tx.accountLink.deleteMany({ where: { ownerId: id } })
    await endOtherSessionsIn(tx, id, keptSession)
  })
}
