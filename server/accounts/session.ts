import { encode, getToken } from '@auth/core/jwt'
import { databaseUnavailable, inAct, isDatabaseUnavailable, prisma, type Transaction } from '../db'
import { env } from '../env'
import { AppError } from '../errors'
import { isUuid, uuidv7 } from '../kit/id'
import { log } from '../kit/log'
import type { RequestOrigin } from './audit'
import { hasSecondFactor, mustOperatorsHaveFactor } from './factors/second-factors'
import { firstMembership, membershipRelations, viewMembership } from './members/memberships'
import type { Session, SessionView } from './shape'

/** Days a session lasts, in seconds. */
export const SESSION_SECONDS = 30 * 86_400

/** Cookies are `Secure`, and named so, where clients come over https. */
export const usesSecureCookies = (): boolean => env().PUBLIC_URL.startsWith('https:')

const sessionCookieName = (): string => `${usesSecureCookies() ? '__Secure-' : ''}authjs.session-token`

export type SessionCookie = {
  name: string
  value: string
  options: { httpOnly: true; sameSite: 'lax'; path: '/'; secure: boolean; maxAge: number }
}

const cookie = (value: string, maxAge: number): SessionCookie => ({
  name: sessionCookieName(),
  value,
  options: { httpOnly: true, sameSite: 'lax', path: '/', secure: usesSecureCookies(), maxAge },
})

type SessionOwner = { id: number; email: string; name: string | null }

/** What an issuer says of the sign-in that a session begins with. */
export type IssuerProof = { hasFactor: boolean; authenticatedAt: Date | null }

/**
 * Begins a session of an owner's: a row, which lives until the browser signs out, and what its
 * token says. Rows that have expired go with it. `proof`: of a sign-in through the issuer, which
 * may have asked for the password long before.
 */
export async function createSession(
  { id: ownerId, email, name }: SessionOwner,
  origin?: RequestOrigin,
  proof?: IssuerProof,
) {
  const now = Date.now()
  const sid = uuidv7()
  const expiresAt = new Date(now + SESSION_SECONDS * 1_000)
  await inAct(async (tx) => {
    await tx.session.deleteMany({ where: { ownerId, expiresAt: { lt: new Date(now) } } })
    const accountId = (await firstMembership(tx, ownerId))?.accountId
    const verifiedAt = new Date(Math.min(now, proof?.authenticatedAt?.getTime() ?? now))
    const issuerFactor = proof?.hasFactor ?? false
    await tx.session.create({ data: { id: sid, ownerId, accountId, expiresAt, verifiedAt, issuerFactor, ...origin } })
  })
  return { sub: String(ownerId), email, name, sid }
}

/** A signed-in owner's cookie: Auth.js's own token format, encrypted, for 30 days. */
export async function makeSessionCookie(owner: SessionOwner, origin?: RequestOrigin): Promise<SessionCookie> {
  const token = await createSession(owner, origin)
  const name = sessionCookieName()
  return cookie(
    await encode({ token, secret: env().AUTH_SECRET, salt: name, maxAge: SESSION_SECONDS }),
    SESSION_SECONDS,
  )
}

/** The cookie that takes a session away. */
export const expiredSessionCookie = (): SessionCookie => cookie('', 0)

type Claims = { sub?: unknown; sid?: unknown }

/**
 * Whose session a token's claims name; null when the session has ended or the owner no longer
 * exists. Throws `unavailable`.
 */
export async function findOwnerByClaims({ sub, sid }: Claims) {
  if (typeof sid !== 'string' || !isUuid(sid)) return null
  const session = await prisma()
    .session.findUnique({
      where: { id: sid, expiresAt: { gt: new Date() } },
      include: {
        owner: { omit: { passwordHash: true } },
        member: { include: membershipRelations, omit: { views: true } },
      },
    })
    .catch((error: unknown) => {
      throw isDatabaseUnavailable(error) ? databaseUnavailable(error) : error
    })
  if (!session || String(session.ownerId) !== sub) return null
  if (Date.now() - session.usedAt.getTime() > USED_AT_MS) noteUse(session.id)
  // Without one it was begun by a process of 0.1.0, or the account was deleted.
  const member =
    session.member?.account.deletedAt === null ? session.member : await firstMembership(prisma(), session.ownerId)
  const { id: sessionId, verifiedAt, issuerFactor } = session
  return { ...session.owner, sessionId, verifiedAt, issuerFactor, member }
}

/** How exactly the last use of a session is known, milliseconds. */
const USED_AT_MS = 5 * 60_000

/** Nobody waits for it, and a use that is not noted is no harm. */
function noteUse(id: string): void {
  const noted = prisma().session.updateMany({ where: { id }, data: { usedAt: new Date() } })
  noted.catch((error: Error) => log.debug({ err: error.message }, 'the use of a session was not noted'))
}

/** The sessions of whoever is signed in that have not expired, last used first. */
export async function listSessions({ personId, sessionId }: Session): Promise<SessionView[]> {
  const rows = await prisma().session.findMany({
    where: { ownerId: personId, expiresAt: { gt: new Date() } },
    orderBy: { usedAt: 'desc' },
    take: MAX_LISTED_SESSIONS,
  })
  return rows.map(({ id, address, userAgent, ...times }) => ({
    id,
    isCurrent: id === sessionId,
    createdAt: times.createdAt.toISOString(),
    usedAt: times.usedAt.toISOString(),
    expiresAt: times.expiresAt.toISOString(),
    address,
    userAgent,
  }))
}

const MAX_LISTED_SESSIONS = 200

/** Ends one session of an owner. Throws `not_found`, also for another owner's. */
export async function endOwnerSession(ownerId: number, id: string): Promise<void> {
  await inAct(async (tx) => {
    const { count } = await tx.session.deleteMany({ where: { id, ownerId } })
    if (count === 0) throw new AppError('not_found', 'There is no such session.')
  })
}

/** The value of a cookie in these headers; undefined where it was not sent. */
export function cookieIn(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** The claims of the session cookie in these headers; null if it is missing or not valid. */
async function claimsIn(headers: Headers): Promise<Claims | null> {
  const sent = headers.get('cookie')
  if (!sent?.includes(sessionCookieName())) return null
  // Only the cookie is passed on: getToken would take a bearer header too, and the dashboard takes
  // no keys.
  return getToken({
    req: { headers: { cookie: sent } },
    secret: env().AUTH_SECRET,
    secureCookie: usesSecureCookies(),
    logger: silent,
  })
}

/** Who sent these headers, by the session cookie alone; null when nobody is signed in. */
export async function getSession(headers: Headers): Promise<Session | null> {
  const claims = await claimsIn(headers)
  const owner = claims && (await findOwnerByClaims(claims))
  if (!owner) return null
  const { sessionId, id: personId, email, name, isAdmin, verifiedAt, issuerFactor, member } = owner
  const needsFactor = (isAdmin && mustOperatorsHaveFactor()) || member?.account.requiresFactor === true
  const lacksFactor = needsFactor && !issuerFactor && !(await hasSecondFactor(personId))
  const account = member && viewMembership(member)
  return { sessionId, personId, email, name, isAdmin, account, verifiedAt, lacksFactor }
}

const nothing = () => undefined
const silent = { error: nothing, warn: nothing, debug: nothing }

/** Ends the session of this browser: a copy of its cookie is worth nothing from here on. */
export async function endSession(headers: Headers): Promise<void> {
  const claims = await claimsIn(headers)
  if (claims) await endSessionByClaims(claims)
}

/** Ends the session that a token's claims name. */
export async function endSessionByClaims({ sid }: Claims): Promise<void> {
  if (typeof sid === 'string' && isUuid(sid)) await prisma().session.deleteMany({ where: { id: sid } })
}

/** Ends every session of an owner, on every device. */
export const endAllSessions = (ownerId: number): Promise<void> => endOtherSessions(ownerId, null)

/** Ends every session of an owner but one; null: all of them. */
export const endOtherSessions = (ownerId: number, kept: string | null): Promise<void> =>
  inAct((tx) => endOtherSessionsIn(tx, ownerId, kept))

/** The same in the caller's transaction. */
export async function endOtherSessionsIn(tx: Transaction, ownerId: number, kept: string | null): Promise<void> {
  await tx.session.deleteMany({ where: { ownerId, ...(kept !== null && { id: { not: kept } }) } })
}
