import { createHash, randomBytes } from 'node:crypto'
import { executeStatement, inAct, inTransaction, prisma, runRead } from '../../db'
import { env } from '../../env'
import { AppError, invalidRequest, readCursor } from '../../errors'
import { runInBackground } from '../../kit/background'
import { paginate } from '../../kit/cursor'
import { isUuid, uuidv7 } from '../../kit/id'
import { log } from '../../kit/log'
import { deletionTask, type RetentionTask } from '../../kit/retention-task'
import { statement } from '../../kit/statement'
import { originOf, recordAudit } from '../audit'
import { type CreatedOwner, insertPerson } from '../create'
import { deadLink } from '../link'
import { canSendMail, sendMail } from '../mail'
import { hashPassword } from '../password'
import { countLinkUse } from '../rate-limit'
import { type Role, type Session, SignUp } from '../shape'
import { addMember, requireOverRole } from './change'
import { accountNameOf } from './memberships'
import { Invitation, type InvitationPage, type MadeInvitation, MemberRole, type NewInvitation } from './shape'

const LIFETIME_MS = 7 * 86_400_000
const TOKEN_BYTES = 32
/** Links of one account that nobody has opened yet. */
const MAX_OPEN = 100

const hashOf = (token: string): Uint8Array<ArrayBuffer> => new Uint8Array(createHash('sha256').update(token).digest())

const linkText = (account: string, url: string): string =>
  `You are invited to the Tollgate account ${account}. Open this link to join; it works once, within seven days:

${url}

If you did not expect it, ignore this message.
`

type Row = { id: string; role: string; email: string | null; madeBy: string; createdAt: Date; expiresAt: Date }
const view = ({ id, role, email, madeBy, createdAt, expiresAt }: Row): Invitation =>
  Invitation.parse({ id, role, email, madeBy, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() })

/** Who invites: into which account, with which role of their own, and by which name. */
export type Inviter = { accountId: number; by: Role; madeBy: string }

/**
 * Makes a link that lets one person into an account. Where e-mail can be sent and there is an
 * address, it goes there and is not answered. Throws `forbidden` for an owner by somebody else,
 * `conflict` where too many links are open.
 */
export async function invite(
  { accountId, by, madeBy }: Inviter,
  { role, email }: NewInvitation,
): Promise<MadeInvitation> {
  requireOverRole(by, role)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const url = `${env().PUBLIC_URL}/join?token=${token}`
  const isMailed = email !== null && canSendMail()
  const made = await inAct(async (tx) => {
    const open = await tx.invitation.count({ where: { accountId, expiresAt: { gt: new Date() } } })
    if (open >= MAX_OPEN) throw new AppError('conflict', `There are ${MAX_OPEN} open invitations. Withdraw some first.`)
    const expiresAt = new Date(Date.now() + LIFETIME_MS)
    const row = await tx.invitation.create({
      data: { id: uuidv7(), hash: hashOf(token), accountId, role, email, madeBy, expiresAt },
    })
    return { ...view(row), url: isMailed ? null : url }
  })
  if (!isMailed) return made
  const owner = await prisma().owner.findUniqueOrThrow({ where: { id: accountId } })
  const mail = {
    to: email,
    subject: 'You are invited to a Tollgate account',
    text: linkText(accountNameOf(owner), url),
  }
  runInBackground(
    sendMail(mail).catch((error: Error) => log.error({ err: error.message }, 'an invitation was not sent')),
  )
  return made
}

/** The links of an account that nobody has opened yet, newest first. */
export async function listInvitations(accountId: number): Promise<Invitation[]> {
  const rows = await prisma().invitation.findMany({
    where: { accountId, expiresAt: { gt: new Date() } },
    orderBy: { createdAt: 'desc' },
  })
  return rows.map(view)
}

/** The same a page at a time. Throws `invalid_request` for an invalid cursor. */
export async function pageOfInvitations(accountId: number, { limit, cursor }: InvitationPage) {
  const after = readCursor(cursor, isUuid)
  const found = await prisma().invitation.findMany({
    where: { accountId, expiresAt: { gt: new Date() }, ...(after && { id: { lt: after.id } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  })
  const page = paginate(found, limit, ({ id, createdAt: at }) => ({ id, at }))
  return { rows: page.rows.map(view), nextCursor: page.nextCursor }
}

/** Withdraws a link. Throws `not_found`, also for another account's. */
export function withdrawInvitation(accountId: number, id: string): Promise<Invitation> {
  return inAct(async (tx) => {
    const row = isUuid(id) ? await tx.invitation.findFirst({ where: { id, accountId } }) : null
    if (!row) throw new AppError('not_found', 'There is no such invitation.')
    await tx.invitation.delete({ where: { id } })
    return view(row)
  })
}

const findUsable = (token: string) =>
  prisma().invitation.findFirst({
    where: { hash: hashOf(token), expiresAt: { gt: new Date() }, account: { deletedAt: null } },
    include: { account: true },
  })

/** What a link offers. `signsUp`: whether a person who has no sign-in yet gets one by it. */
export type Offer = { account: string; role: Role; madeBy: string; email: string | null; signsUp: boolean }

/** What the link with this token offers; null where it does not work. Uses nothing up. */
export async function readInvitation(token: string): Promise<Offer | null> {
  const row = await findUsable(token)
  if (!row) return null
  const { email, madeBy, account } = row
  // Where addresses are confirmed by e-mail, only a link that came by e-mail confirms one.
  const signsUp = email === null ? !canSendMail() : true
  return { account: accountNameOf(account), role: MemberRole.parse(row.role), madeBy, email, signsUp }
}

type Joining = { token: string; person: { id: number; email: string }; headers: Headers }

/** Uses a link up: of two who open it at once, one joins. */
async function joinIn(tx: Parameters<typeof addMember>[0], { token, person, headers }: Joining): Promise<number> {
  const row = await tx.invitation.findFirst({ where: { hash: hashOf(token), expiresAt: { gt: new Date() } } })
  const { count } = await tx.invitation.deleteMany({ where: { hash: hashOf(token) } })
  if (!row || count === 0) throw deadLink()
  const { accountId } = row
  const role = MemberRole.parse(row.role)
  await addMember(tx, { accountId, personId: person.id, role })
  const actor = { kind: 'owner', email: person.email } as const
  const detail = { role, invitedBy: row.madeBy }
  await recordAudit(tx, {
    ownerId: accountId,
    action: 'member_joined',
    actor,
    subject: person.email,
    detail,
    origin: originOf(headers),
  })
  return accountId
}

/**
 * Makes whoever is signed in a member by a link; their session looks at the account from then on.
 * Throws `rate_limited`, and `conflict` for a link that does not work, or for a member.
 */
export async function joinByLink(
  { sessionId, personId, email }: Session,
  token: string,
  headers: Headers,
): Promise<void> {
  await countLinkUse(headers)
  await inTransaction(async (tx) => {
    const accountId = await joinIn(tx, { token, person: { id: personId, email }, headers })
    await tx.session.updateMany({ where: { id: sessionId, ownerId: personId }, data: { accountId } })
  })
}

/**
 * Makes a person who signs up by a link, and a member: without an account of their own, also where
 * sign-up is closed. Throws `invalid_request`, `rate_limited`, and `conflict` for a link that does
 * not work, or an address that has a sign-in.
 */
export async function signUpByInvitation(input: unknown, token: string, headers: Headers): Promise<CreatedOwner> {
  await countLinkUse(headers)
  const offer = await readInvitation(token)
  if (!offer?.signsUp) throw deadLink()
  const parsed = SignUp.safeParse({ ...(input as object), ...(offer.email !== null && { email: offer.email }) })
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const { email, password } = parsed.data
  const passwordHash = await hashPassword(password)
  return inTransaction(async (tx) => {
    const person = await insertPerson(tx, { email, passwordHash, isAdmin: false })
    await joinIn(tx, { token, person, headers })
    return person
  })
}

const STEP = 500
const EXPIRED = 'SELECT id FROM invitation WHERE expires_at < now()'
const COUNT = statement({
  name: 'expired_invitations_count',
  sql: `SELECT count(*)::int AS n FROM (${EXPIRED}) o`,
  params: [],
  columns: { n: 'int' },
})
const DELETE = statement({
  name: 'expired_invitations_delete',
  sql: `DELETE FROM invitation WHERE id IN (${EXPIRED} LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

/** Invitations that nobody opened in time. */
export const expiredInvitations = (): RetentionTask =>
  deletionTask('invitations', {
    count: () => runRead(COUNT, []),
    remove: () => executeStatement(DELETE, []),
    perStep: STEP,
  })
