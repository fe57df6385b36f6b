import { prisma } from '../db'
import { AppError } from '../errors'
import type { RequestOrigin } from './audit'
import { Email, type ProviderIdentity } from './shape'
import { signUpWithProvider } from './sign-up'

/** The owner a provider's account is linked to, or null. */
export async function findOwnerByIdentity({ provider, subject }: Pick<ProviderIdentity, 'provider' | 'subject'>) {
  const login = await prisma().login.findUnique({
    where: { provider_subject: { provider, subject } },
    include: { owner: true },
  })
  return login?.owner ?? null
}

/**
 * Checks whether someone from an identity provider may sign in: known by (provider, subject), or
 * with a new account. An existing owner is never linked by e-mail: whoever has that address at a
 * provider would get the account. Returns null when they may sign in, else a code of
 * SIGN_IN_ERRORS.
 */
export async function checkProviderSignIn(visitor: ProviderIdentity, origin?: RequestOrigin): Promise<string | null> {
  if (await findOwnerByIdentity(visitor)) return null
  const email = Email.safeParse(visitor.email ?? '')
  if (!email.success) return 'email_missing'
  try {
    await signUpWithProvider({ ...visitor, email: email.data }, origin)
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // Two callbacks of the same visitor at once: the second finds the first one's account.
    if (await findOwnerByIdentity(visitor)) return null
    return error.code === 'forbidden' ? 'closed' : 'email_taken'
  }
}
