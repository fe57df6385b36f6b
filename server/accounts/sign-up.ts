import { grantIn } from '../credits/grant'
import { inTransaction, prisma, runIn } from '../db'
import { env } from '../env'
import { AppError } from '../errors'
import { statement } from '../kit/statement'
import { type RequestOrigin, recordAudit } from './audit'
import { type CreatedOwner, insertOwner, type NewOwner } from './create'
import { isFormerIdentity } from './former-identity'
import { hashPassword } from './password'
import type { ProviderIdentity, SignUp } from './shape'

// Any number does, as long as nothing else here locks it: 'own' in ASCII.
const FIRST_OWNER_LOCK = 0x6f776en
const LOCK_FIRST_OWNER = statement({
  name: 'sign_up_lock',
  sql: 'SELECT pg_advisory_xact_lock($1::bigint)::text AS locked',
  params: ['bigint'],
  columns: { locked: 'text' },
})

const closed = () => new AppError('forbidden', 'Sign-up is closed. Contact the operator.')

/**
 * Whether a visitor may open an account now: when sign-up is open, or in sandbox mode while no
 * owner exists. Not so in live mode: whoever finds a fresh install first would own it. Its first
 * admin is made by the operator's command.
 */
export const isSignUpOpen = async (): Promise<boolean> =>
  env().SIGNUP === 'open' || (env().sandbox && (await prisma().owner.count({ take: 1 })) === 0)

/**
 * Opens an account for whoever asks. In sandbox mode the first owner of an empty database becomes
 * admin, also where sign-up is closed; two at once cannot both be first. Owner, account and
 * starting credits are one transaction: all or nothing. An address or login that an owner gave up
 * before gets no credits again.
 */
function open(owner: Omit<NewOwner, 'isAdmin'>, origin?: RequestOrigin): Promise<CreatedOwner> {
  return inTransaction(async (tx) => {
    await runIn(tx, LOCK_FIRST_OWNER, [FIRST_OWNER_LOCK])
    const isAdmin = env().sandbox && (await tx.owner.count({ take: 1 })) === 0
    if (!isAdmin && env().SIGNUP === 'closed') throw closed()
    const created = await insertOwner(tx, { ...owner, isAdmin })
    const actor = { kind: 'owner', email: owner.email } as const
    await recordAudit(tx, { ownerId: created.id, action: 'account_created', actor, origin })
    const logins = owner.login && [owner.login]
    if (env().SIGNUP_CREDITS > 0 && !(await isFormerIdentity(tx, { email: owner.email, logins })))
      await grantIn(tx, { ownerId: created.id, credits: BigInt(env().SIGNUP_CREDITS), note: 'sign-up' })
    return created
  })
}

/**
 * Opens an account with an e-mail address and a password, both checked before.
 * Throws `forbidden` when sign-up is closed, `conflict` when the address has an account.
 */
export async function signUpOwner({ email, password }: SignUp, origin?: RequestOrigin): Promise<CreatedOwner> {
  if (!(await isSignUpOpen())) throw closed()
  return open({ email, passwordHash: await hashPassword(password) }, origin)
}

/** Opens an account for a visitor from a provider, linked to it. Throws as `signUp` does. */
export const signUpWithProvider = (
  { provider, subject, name, email }: ProviderIdentity & { email: string },
  origin?: RequestOrigin,
): Promise<CreatedOwner> => open({ email, name, login: { provider, subject } }, origin)
