import { decode, encode } from '@auth/core/jwt'
import { inAct, prisma } from '../../db'
import { env } from '../../env'
import { AppError } from '../../errors'
import { cookieIn, type SessionCookie, usesSecureCookies } from '../session'
import type { Session } from '../shape'
import { issuerChoice } from './provider'
import type { IssuerLink } from './shape'

/** How long somebody has to sign in the way they did before, seconds. */
const LINK_SECONDS = 900

const cookieName = (): string => `${usesSecureCookies() ? '__Secure-' : ''}tollgate.link`

/** Somebody from the issuer whose verified address a person has here. */
export type PendingLink = { personId: number; subject: string; email: string }

/** The cookie of a browser that came from the issuer, to sign in as that person: encrypted. */
export async function makeLinkCookie({ personId, subject, email }: PendingLink): Promise<SessionCookie> {
  const name = cookieName()
  const token = { sub: String(personId), subject, email }
  const value = await encode({ token, secret: env().AUTH_SECRET, salt: name, maxAge: LINK_SECONDS })
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure: usesSecureCookies() } as const
  return { name, value, options: { ...options, maxAge: LINK_SECONDS } }
}

/** What waits in this browser to be linked to whoever is signed in; null: nothing of theirs. */
async function readPendingLink(headers: Headers, { personId }: Session): Promise<PendingLink | null> {
  const salt = cookieName()
  const token = cookieIn(headers, salt)
  if (!token) return null
  const claims = await decode({ token, secret: env().AUTH_SECRET, salt }).catch(() => null)
  const { subject, email } = claims ?? {}
  if (claims?.sub !== String(personId) || typeof subject !== 'string' || typeof email !== 'string') return null
  return { personId, subject, email }
}

const ofPerson = (ownerId: number) => ({ ownerId, provider: 'oidc' })

/** Whether a person signs in without the issuer, too. */
async function hasOtherWay(id: number): Promise<boolean> {
  const other = [
    { passwordHash: { not: null } },
    { passkeys: { some: {} } },
    { logins: { some: { provider: { not: 'oidc' } } } },
  ]
  return (await prisma().owner.count({ where: { id, OR: other } })) > 0
}

/** Whether a person signs in through the issuer, and what waits to be linked; null: no issuer. */
export async function readIssuerLink(session: Session, headers: Headers): Promise<IssuerLink | null> {
  const issuer = issuerChoice()
  if (!issuer) return null
  const [logins, mayUnlink, pending] = await Promise.all([
    prisma().login.findMany({ where: ofPerson(session.personId) }),
    hasOtherWay(session.personId),
    readPendingLink(headers, session),
  ])
  const isOpen = pending && !logins.some(({ subject }) => subject === pending.subject)
  return { name: issuer.name, isLinked: logins.length > 0, mayUnlink, offered: isOpen ? pending.email : null }
}

/**
 * Links the sign-in that waits in this browser to whoever is signed in. Throws `conflict` where
 * none does, or it is linked already.
 */
export async function linkIssuer(session: Session, headers: Headers): Promise<void> {
  const pending = issuerChoice() && (await readPendingLink(headers, session))
  if (!pending) throw new AppError('conflict', 'This took too long. Sign out, and begin again at the sign-in page.')
  const { subject, email } = pending
  await inAct(async (tx) => {
    const data = { ...ofPerson(session.personId), subject, email }
    const { count } = await tx.login.createMany({ data, skipDuplicates: true })
    if (count === 0) throw new AppError('conflict', 'This sign-in is linked already.')
  })
}

/** Takes the sign-in through the issuer away. Throws `conflict` where it is the only one. */
export async function unlinkIssuer({ personId }: Session): Promise<void> {
  if (!(await hasOtherWay(personId)))
    throw new AppError('conflict', 'It is your only way to sign in. Set a password or add a passkey first.')
  await inAct(async (tx) => {
    const { count } = await tx.login.deleteMany({ where: ofPerson(personId) })
    if (count === 0) throw new AppError('not_found', 'There is no such sign-in.')
  })
}
