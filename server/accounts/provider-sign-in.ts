import { prisma } from '../db'
import { AppError } from '../errors'
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
 * Lets a visitor from a provider in: known by (provider, subject), else a new account. Never linked to an existing
 * owner by e-mail, or whoever holds that address at a provider would hold the account.
 * Answers null when welcome, else a code of SIGNIN_ERRORS.
 */
export async function checkProviderSignIn(visitor: ProviderIdentity): Promise<string | null> {
  if (await findOwnerByIdentity(visitor)) return null
  const email = Email.safeParse(visitor.email ?? '')
  if (!email.success) return 'email_missing'
  try {
    await signUpWithProvider(visitor, email.data)
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // Two callbacks of the same visitor at once: the second finds the first one's account.
    if (await findOwnerByIdentity(visitor)) return null
    return error.code === 'forbidden' ? 'closed' : 'email_taken'
  }
}
