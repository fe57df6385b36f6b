import { z } from 'zod'

/** An address as it is stored and compared: trimmed, lower case. */
export const Email = z.string().trim().toLowerCase().pipe(z.email('Enter an e-mail address').max(254, 'Too long'))

export const Password = z.string().min(10, 'Use at least 10 characters').max(200, 'Use at most 200 characters')

/** What someone types to open an account. */
export const SignUp = z.object({ email: Email, password: Password })
export type SignUp = z.infer<typeof SignUp>

/** What someone types to sign in. It does not reveal the rules of a new password. */
export const SignIn = z.object({ email: Email, password: z.string().min(1, 'Enter your password').max(200) })
export type SignIn = z.infer<typeof SignIn>

export const IdentityProviderId = z.enum(['github', 'google'])
export type IdentityProviderId = z.infer<typeof IdentityProviderId>

/** A way in through somebody else's account, set up here. */
export type IdentityProviderChoice = { id: IdentityProviderId; name: string }

/** Someone at an identity provider, as they come back from it. */
export type ProviderIdentity = {
  provider: IdentityProviderId
  subject: string
  email: string | null
  name: string | null
}

/** A new password, and the current one where the owner has one. */
export const PasswordChange = z.object({ current: z.string().max(200), password: Password })
export type PasswordChange = z.infer<typeof PasswordChange>

/** Who is signed in at the dashboard, in which session. */
export type Session = { sessionId: string; ownerId: number; email: string; name: string | null; isAdmin: boolean }

/** Why the sign-in page is shown again, by its `error` parameter. */
const SIGN_IN_ERRORS: Record<string, string> = {
  email_taken: 'An account with this e-mail address exists already. Sign in the way you did before.',
  email_missing: 'The provider sent no verified e-mail address, so no account could be created.',
  closed: 'Sign-up is closed. Contact the operator.',
  AccessDenied: 'The provider did not let you in.',
  CredentialsSignin: 'The e-mail address or the password is wrong.',
  MissingCSRF: 'The form was too old. Try again.',
}

/** The sentence for an `error` parameter, also for one not known. */
export const signInErrorText = (code: string): string =>
  (Object.hasOwn(SIGN_IN_ERRORS, code) && SIGN_IN_ERRORS[code]) || 'Signing in did not work. Try again.'

/**
 * When a run asks before it sends out what its goal does not say: after text of strangers and
 * private data, after text of strangers alone, or never.
 */
export const OutsideApproval = z.enum(['ask', 'always', 'never'])
export type OutsideApproval = z.infer<typeof OutsideApproval>

/** What an owner chose for agent runs. */
export const OwnerAgentSettings = z.object({
  defaultModel: z.string().nullable().describe("A chat model's id; null: the first that is served"),
  disabledTools: z.array(z.string()).describe('Tools no run may use'),
  outsideApproval: OutsideApproval.describe('When a run asks before it sends something out'),
  databaseLabel: z.string().nullable().describe('The connected database: host, port and name'),
})
export type OwnerAgentSettings = z.infer<typeof OwnerAgentSettings>
