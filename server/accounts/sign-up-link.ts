import { createHash, randomBytes } from 'node:crypto'
import { executeStatement, prisma, runRead } from '../db'
import { env } from '../env'
import { AppError, invalidRequest } from '../errors'
import { runInBackground } from '../kit/background'
import { log } from '../kit/log'
import { deletionTask, type RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'
import { originOf } from './audit'
import type { CreatedOwner } from './create'
import { deadLink } from './link'
import { canSendMail, sendMail } from './mail'
import { countLinkUse, countSignUpRequest } from './rate-limit'
import { PasswordReset, ResetRequest } from './shape'
import { isSignUpOpen, signUpOwner } from './sign-up'

const LIFETIME_MS = 3_600_000
const TOKEN_BYTES = 32

const hashOf = (token: string): Uint8Array<ArrayBuffer> => new Uint8Array(createHash('sha256').update(token).digest())

const linkText = (url: string): string =>
  `Open this link to create your Tollgate account. It works once, within an hour:

${url}

If you did not ask for it, ignore this message: there is no account.
`

const knownText = (): string =>
  `Somebody, probably you, tried to create a Tollgate account with this address. You have one already: sign in at

${env().PUBLIC_URL}/signin

If you forgot the password, that page leads to a new one. If it was not you, ignore this message: nothing was changed.
`

/** What the visitor does not wait for, because it depends on whether the address is taken. */
async function sendSignUpMail(email: string): Promise<void> {
  if ((await prisma().owner.count({ where: { email } })) > 0) {
    await sendMail({ to: email, subject: 'You have a Tollgate account already', text: knownText() })
    return
  }
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = new Date(Date.now() + LIFETIME_MS)
  await prisma().signUpLink.create({ data: { hash: hashOf(token), email, expiresAt } })
  const url = `${env().PUBLIC_URL}/signup/password?token=${token}`
  await sendMail({ to: email, subject: 'Create your Tollgate account', text: linkText(url) })
}

const closed = () => new AppError('forbidden', 'Sign-up is closed. Contact the operator.')

/** Whether accounts are opened by a link that is e-mailed. */
export const signsUpByLink = canSendMail

/**
 * Sends a link that opens an account, or says by e-mail that there is one. Neither the answer nor
 * its time says which. Throws `invalid_request`, `rate_limited`, and `forbidden` when sign-up is
 * closed.
 */
export async function requestSignUp(input: unknown, headers: Headers): Promise<void> {
  if (!canSendMail() || !(await isSignUpOpen())) throw closed()
  const parsed = ResetRequest.safeParse(input)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  await countSignUpRequest(headers, parsed.data.email)
  const sent = sendSignUpMail(parsed.data.email)
  runInBackground(sent.catch((error: Error) => log.error({ err: error.message }, 'a sign-up was not answered')))
}

const findUsable = (token: string) =>
  prisma().signUpLink.findFirst({ where: { hash: hashOf(token), expiresAt: { gt: new Date() } } })

/** The address that a link opens an account for; null where it does not work. Uses nothing up. */
export const addressToSignUp = async (token: string): Promise<string | null> => (await findUsable(token))?.email ?? null

/**
 * Opens the account of a link's address, with the password that its reader chooses. Throws
 * `invalid_request`, `rate_limited`, and `conflict` for a link that does not work, or whose address
 * has an account meanwhile.
 */
export async function signUpByLink(input: unknown, headers: Headers): Promise<CreatedOwner> {
  const parsed = PasswordReset.safeParse(input)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const { token, password } = parsed.data
  await countLinkUse(headers)
  const link = await findUsable(token)
  if (!link) throw deadLink()
  const owner = await signUpOwner({ email: link.email, password }, originOf(headers))
  await prisma().signUpLink.deleteMany({ where: { email: link.email } })
  return owner
}

const STEP = 500
const EXPIRED = 'SELECT hash FROM sign_up_link WHERE expires_at < now()'
const COUNT = statement({
  name: 'expired_sign_up_links_count',
  sql: `SELECT count(*)::int AS n FROM (${EXPIRED}) o`,
  params: [],
  columns: { n: 'int' },
})
const DELETE = statement({
  name: 'expired_sign_up_links_delete',
  sql: `DELETE FROM sign_up_link WHERE hash IN (${EXPIRED} LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

/** Links to open an account that were not used in time. */
export const expiredSignUpLinks = (): RetentionTask =>
  deletionTask('links to sign up', {
    count: () => runRead(COUNT, []),
    remove: () => executeStatement(DELETE, []),
    perStep: STEP,
  })
