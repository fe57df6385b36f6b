import { Prisma } from '../../prisma/generated/client'
import { AppError, invalidRequest } from '../errors'
import { hashPassword } from './password'
import { type ProviderIdentity, SignUp } from './shape'

export type PrismaTransaction = Prisma.TransactionClient

/** A new owner's row: enters by password, or through a provider. */
export type NewOwner = {
  email: string
  isAdmin: boolean
  name?: string | null
  passwordHash?: string
  login?: Pick<ProviderIdentity, 'provider' | 'subject'>
}

export type CreatedOwner = { id: number; email: string; isAdmin: boolean }

/** The refusal of an address that another account has. */
export const addressTaken = (): AppError =>
  new AppError('conflict', 'An account with this e-mail address exists already.')

/**
 * Writes an owner and its empty account, of which the database makes them the owner. Throws
 * `conflict` when the address has one, also in a race.
 */
export const insertOwner = (tx: PrismaTransaction, owner: NewOwner): Promise<CreatedOwner> => insert(tx, owner, true)

/** Writes a person without an account, for one that they join. Throws as `insertOwner` does. */
export const insertPerson = (tx: PrismaTransaction, person: NewOwner): Promise<CreatedOwner> =>
  insert(tx, person, false)

async function insert(
  tx: PrismaTransaction,
  { login, ...owner }: NewOwner,
  hasAccount: boolean,
): Promise<CreatedOwner> {
  try {
    return await tx.owner.create({
      data: { ...owner, ...(hasAccount && { account: { create: {} } }), ...(login && { logins: { create: login } }) },
      select: { id: true, email: true, isAdmin: true },
    })
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') throw addressTaken()
    throw error
  }
}

/** An owner whom an operator makes. Throws `invalid_request` for an invalid address or password. */
export async function newOwnerRow(input: SignUp & { admin?: boolean }): Promise<NewOwner> {
  const parsed = SignUp.safeParse(input)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const passwordHash = await hashPassword(parsed.data.password)
  return { email: parsed.data.email, passwordHash, isAdmin: input.admin ?? false }
}
