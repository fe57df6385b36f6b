import { inTransaction, prisma } from '../db'
import { AppError, invalidRequest } from '../errors'
import { runInBackground } from '../kit/background'
import { log } from '../kit/log'
import { asAudited, originOf, type RequestOrigin, recordAudit } from './audit'
import { createLink, deadLink, findLink, takeLink } from './link'
import { canSendMail, sendMail } from './mail'
import { hashPassword } from './password'
import { countLinkUse, countResetRequest } from './rate-limit'
import { PasswordReset, ResetRequest } from './shape'

/** Whoever asks has not shown who they are. */
const VISITOR = { kind: 'system', email: null } as const

const textOf = (url: string): string =>
  `Somebody asked for a link to set a new password for your Tollgate account. This link works once, within an hour:

${url}

If it was not you, ignore this message: your password is unchanged.
`

async function sendResetLink(email: string, origin: RequestOrigin): Promise<void> {
  const owner = await prisma().owner.findUnique({ where: { email }, select: { id: true } })
  if (!owner) return
  const asked = { ownerId: owner.id, action: 'password_reset_requested', actor: VISITOR, origin } as const
  const { url } = await asAudited(asked, () => createLink(owner.id, 'password'))
  await sendMail({ to: email, subject: 'Set a new password for Tollgate', text: textOf(url) })
}

/**
 * Sends a link to set a new password to an e-mail address, if it has an account. Neither the answer
 * nor its time says whether it has one: what depends on that happens afterwards. Throws
 * `invalid_request`, `rate_limited`, and `forbidden` where no mail server is set.
 */
export async function requestPasswordReset(input: unknown, headers: Headers): Promise<void> {
  if (!canSendMail())
    throw new AppError('forbidden', 'No e-mail can be sent here. Ask the operator for a link to set a new password.')
  const parsed = ResetRequest.safeParse(input)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  await countResetRequest(headers, parsed.data.email)
  const sent = sendResetLink(parsed.data.email, originOf(headers))
  runInBackground(sent.catch((error: Error) => log.error({ err: error.message }, 'a reset link was not made')))
}

const noticeText = (madeBy: string): string =>
  `${madeBy} made a link with which a new password can be set for your Tollgate account. It works once, within an hour.
Your password is unchanged until then.

If you did not ask for it, change your password: the link then works no longer. Ask the operator of the service who it was.
`

/** How owners read who made a link where it was not a person with an account. */
const COMMAND = 'An operator, by command,'

/**
 * A link to set a new password, for the operator to pass on. The owner reads who made it: in the
 * audit log, on the page of the link, and where possible by e-mail. Throws `not_found` for an
 * address without an account.
 */
export async function createResetLink(
  email: string,
  operator: string | null,
): Promise<{ ownerId: number; url: string; expiresAt: Date }> {
  const owner = await prisma().owner.findUnique({ where: { email }, select: { id: true } })
  if (!owner) throw new AppError('not_found', `There is no owner ${email}.`)
  const madeBy = operator ?? COMMAND
  const link = await createLink(owner.id, 'password', { madeBy })
  if (canSendMail()) {
    const subject = 'A link to set your Tollgate password was made'
    runInBackground(sendMail({ to: email, subject, text: noticeText(madeBy) }))
  }
  return { ownerId: owner.id, ...link }
}

/** A link to set a password that still works: which operator made it and when, or the owner did. */
export type ResetLink = { madeBy: string | null; madeAt: string }

/** The link with this token; null where it does not work. Looking uses nothing up. */
export async function readResetLink(token: string): Promise<ResetLink | null> {
  const link = await findLink('password', token)
  return link && { madeBy: link.madeBy, madeAt: link.createdAt.toISOString() }
}

/**
 * Sets the password of the owner whose link this is, and ends all their sessions. Throws
 * `invalid_request`, `rate_limited`, and `conflict` for a link that does not work.
 */
export async function resetPasswordByLink(input: unknown, headers: Headers): Promise<{ email: string }> {
  const parsed = PasswordReset.safeParse(input)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const { token, password } = parsed.data
  await countLinkUse(headers)
  // A password is hashed only for a link that works.
  if (!(await findLink('password', token))) throw deadLink()
  const passwordHash = await hashPassword(password)
  return inTransaction(async (tx) => {
    const { ownerId } = await takeLink(tx, 'password', token)
    await tx.session.deleteMany({ where: { ownerId } })
    const { email } = await tx.owner.update({ where: { id: ownerId }, data: { passwordHash } })
    const actor = { kind: 'owner', email } as const
    await recordAudit(tx, { ownerId, action: 'password_reset', actor, origin: originOf(headers) })
    return { email }
  })
}
