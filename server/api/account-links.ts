import { addressToConfirm, confirmEmail } from '../accounts/change-email'
import { canSendMail } from '../accounts/mail'
import { type ResetLink, readResetLink, requestPasswordReset, resetPasswordByLink } from '../accounts/password-reset'
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
