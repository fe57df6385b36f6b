import { originOf } from '../accounts/audit'
import { addressToConfirm, confirmEmail } from '../accounts/change-email'
import { makeDeviceCookie } from '../accounts/device'
import { canSendMail } from '../accounts/mail'
import { joinByLink, type Offer, readInvitation, signUpByInvitation } from '../accounts/members/invitations'
import { type ResetLink, readResetLink, requestPasswordReset, resetPasswordByLink } from '../accounts/password-reset'
import { getSession, makeSessionCookie, type SessionCookie } from '../accounts/session'
import { AppError } from '../errors'
import { requireSameOrigin, withDatabaseErrors } from './auth'

/** Whether a link to set a new password can be asked for by e-mail. */
export const canSendLinks = canSendMail

/** Asks for a link to set a new password. Throws as `requestPasswordReset` does. */
export const forgotPassword = (input: { email: string }, headers: Headers): Promise<void> =>
  withDatabaseErrors(async () => {
    requireSameOrigin(headers)
    await requestPasswordReset(input, headers)
  })

/** The link with this token that still sets a password; null: it does not. */
export const findResetLink = (token: string): Promise<ResetLink | null> =>
  withDatabaseErrors(() => readResetLink(token))

/** Sets a password by a link. Throws as `resetPasswordByLink` does. */
export const setPasswordByLink = (
  input: { token: string; password: string },
  headers: Headers,
): Promise<{ email: string }> =>
  withDatabaseErrors(async () => {
    requireSameOrigin(headers)
    return resetPasswordByLink(input, headers)
  })

/** The address that the link with this token confirms; null where it does not work. */
export const addressOfLink = (token: string): Promise<string | null> =>
  withDatabaseErrors(() => addressToConfirm(token))

/** Confirms an address by a link. Throws as `confirmEmail` does. */
export const confirmAddress = (token: string, headers: Headers): Promise<{ email: string }> =>
  withDatabaseErrors(async () => {
    requireSameOrigin(headers)
    return confirmEmail(token, headers)
  })

/** What the invitation with this token offers; null where it does not work. */
export const findInvitation = (token: string): Promise<Offer | null> => withDatabaseErrors(() => readInvitation(token))

/** Joins an account as whoever is signed in. Throws `unauthorized`, and as `joinByLink` does. */
export const acceptInvitation = (token: string, headers: Headers): Promise<void> =>
  withDatabaseErrors(async () => {
    requireSameOrigin(headers)
    const session = await getSession(headers)
    if (!session) throw new AppError('unauthorized', 'Sign in first.')
    await joinByLink(session, token, headers)
  })

/** Joins as a new person. Returns cookies. Throws as `signUpByInvitation` does. */
export const signUpInvited = (
  { token, ...input }: { token: string; email: string; password: string },
  headers: Headers,
): Promise<SessionCookie[]> =>
  withDatabaseErrors(async () => {
    requireSameOrigin(headers)
    const { id, email } = await signUpByInvitation(input, token, headers)
    const cookie = await makeSessionCookie({ id, email, name: null }, originOf(headers))
    return [cookie, makeDeviceCookie(headers, email)]
  })
