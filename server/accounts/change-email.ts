import { Prisma } from '../../prisma/generated/client'
import { inTransaction, prisma, type Transaction } from '../db'
import { invalidRequest } from '../errors'
import { runInBackground } from '../kit/background'
import { log } from '../kit/log'
import { originOf, type RequestOrigin, recordAudit } from './audit'
import { addressTaken } from './create'
import { rememberIdentity } from './former-identity'
import { createLink, deadLink, findLink, takeLink } from './link'
import { canSendMail, sendMail } from './mail'
import { countEmailChange, countLinkUse } from './rate-limit'
import type { EmailChange, Session } from './shape'

const confirmText = (url: string): string =>
  `This address is to be the one of a Tollgate account. Open this link to confirm that; it works once, within an hour:

${url}

If you did not ask for it, ignore this message: nothing is changed.
`

const noticeText = (email: string): string =>
  `Somebody who is signed in to your Tollgate account asked to change its e-mail address to
${email}. That happens once the new address is confirmed.

If it was not you, change your password now: that signs out every other browser, and the link no longer works.
`

type Asked = { ownerId: number; email: string; from: string }

/** What the owner does not wait for, because it depends on whether the address is taken. */
async function sendConfirmation({ ownerId, email, from }: Asked): Promise<void> {
  await sendMail({ to: from, subject: 'Your Tollgate account gets another e-mail address', text: noticeText(email) })
  if ((await prisma().owner.count({ where: { email } })) > 0) return
  const { url } = await createLink(ownerId, 'email', { email })
  await sendMail({ to: email, subject: 'Confirm your e-mail address for Tollgate', text: confirmText(url) })
}

/**
 * Changes the e-mail address of whoever is signed in. Where e-mail can be sent, it changes when the
 * new address is confirmed by a link, and nothing says whether another account has it. Throws
 * `invalid_request`, `rate_limited`, and without e-mail `conflict` for an address that is taken.
 */
export async function changeEmail(
  { personId: ownerId, email: from }: Session,
  { email }: EmailChange,
  origin: RequestOrigin,
): Promise<{ isChanged: boolean }> {
  await countEmailChange(ownerId)
  if (email === from) throw invalidRequest([{ path: ['email'], message: 'This is your e-mail address already.' }])
  if (canSendMail()) {
    const actor = { kind: 'owner', email: from } as const
    const detail = { to: email }
    await inTransaction(async (tx) => {
      await tx.accountLink.deleteMany({ where: { ownerId, kind: 'email' } })
      await recordAudit(tx, { ownerId, action: 'email_change_requested', actor, origin, detail })
    })
    const sent = sendConfirmation({ ownerId, email, from })
    runInBackground(sent.catch((error: Error) => log.error({ err: error.message }, 'an address was not confirmed')))
    return { isChanged: false }
  }
  await inTransaction((tx) => setEmail(tx, { ownerId, email }, origin))
  return { isChanged: true }
}

/** Links that went to the old address work no longer. */
async function setEmail(
  tx: Transaction,
  { ownerId: id, email }: { ownerId: number; email: string },
  origin: RequestOrigin,
): Promise<void> {
  const before = await tx.owner.findUniqueOrThrow({ where: { id }, select: { email: true } })
  try {
    await tx.owner.update({ where: { id }, data: { email } })
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') throw addressTaken()
    throw error
  }
  await tx.accountLink.deleteMany({ where: { ownerId: id } })
  await rememberIdentity(tx, before)
  const actor = { kind: 'owner', email } as const
  const detail = { from: before.email, to: email }
  await recordAudit(tx, { ownerId: id, action: 'email_changed', actor, detail, origin })
}

/** The address that a link confirms; null where the link does not work. Uses nothing up. */
export const addressToConfirm = async (token: string): Promise<string | null> =>
  (await findLink('email', token))?.email ?? null

/**
 * Confirms a new address by its link; sessions stay. Throws `rate_limited`, and `conflict` for a
 * link that does not work, or where another account has taken the address meanwhile.
 */
export async function confirmEmail(token: string, headers: Headers): Promise<{ email: string }> {
  await countLinkUse(headers)
  return inTransaction(async (tx) => {
    const { ownerId, email } = await takeLink(tx, 'email', token)
    if (email === null) throw deadLink()
    await setEmail(tx, { ownerId, email }, originOf(headers))
    return { email }
  })
}
