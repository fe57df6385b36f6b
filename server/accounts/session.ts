import { encode, getToken } from '@auth/core/jwt'
import { prisma } from '../db'
import { env } from '../env'
import type { Session } from './shape'

/** Days a session lasts, in seconds. */
export const SESSION_SECONDS = 30 * 86_400

/** Cookies are `Secure`, and named so, where clients come over https. */
export const secureCookies = (): boolean => env().PUBLIC_URL.startsWith('https:')

export const sessionCookieName = (): string => `${secureCookies() ? '__Secure-' : ''}authjs.session-token`

export type Cookie = {
  name: string
  value: string
  options: { httpOnly: true; sameSite: 'lax'; path: '/'; secure: boolean; maxAge: number }
}

const cookie = (value: string, maxAge: number): Cookie => ({
  name: sessionCookieName(),
  value,
  options: { httpOnly: true, sameSite: 'lax', path: '/', secure: secureCookies(), maxAge },
})

type SessionOwner = { id: number; email: string; name: string | null; sessionsFrom: Date }

/**
 * What a session's token says: who, and from which moment on that owner's sessions counted when it was made.
 * That moment is the database's own, so clocks that differ do not matter; ending all sessions moves it.
 */
export const claimsOf = ({ id, email, name, sessionsFrom }: SessionOwner) => ({
  sub: String(id),
  email,
  name,
  from: sessionsFrom.getTime(),
})

/** A signed-in owner's cookie: Auth.js's own token format, encrypted, for 30 days. */
export async function makeSessionCookie(owner: SessionOwner): Promise<Cookie> {
  const token = claimsOf(owner)
  const name = sessionCookieName()
  return cookie(
    await encode({ token, secret: env().AUTH_SECRET, salt: name, maxAge: SESSION_SECONDS }),
    SESSION_SECONDS,
  )
}

/** The cookie that takes a session away. */
export const endedSessionCookie = (): Cookie => cookie('', 0)

/** Whom a token's claims stand for, while they are valid; null when the owner is gone or ended all sessions since. */
export async function ownerOfClaims(claims: { sub?: unknown; from?: unknown }) {
  const id = Number(claims.sub)
  if (!Number.isInteger(id) || id < 1) return null
  const owner = await prisma().owner.findUnique({ where: { id }, omit: { passwordHash: true } })
  return owner && owner.sessionsFrom.getTime() === claims.from ? owner : null
}

/** Who sent these headers, by the session cookie alone; null when nobody is signed in. */
export async function getSession(headers: Headers): Promise<Session | null> {
  const sent = headers.get('cookie')
  if (!sent?.includes(sessionCookieName())) return null
  // Only the cookie is passed on: getToken would take a bearer header too, and the dashboard takes no keys.
  const claims = await getToken({
    req: { headers: { cookie: sent } },
    secret: env().AUTH_SECRET,
    secureCookie: secureCookies(),
    logger: silent,
  })
  const owner = claims && (await ownerOfClaims(claims))
  return owner ? { ownerId: owner.id, email: owner.email, name: owner.name, isAdmin: owner.isAdmin } : null
}

const nothing = () => undefined
const silent = { error: nothing, warn: nothing, debug: nothing }

/** Ends every session of an owner, on every device. */
export async function endAllSessions(ownerId: number): Promise<void> {
  await prisma().$executeRaw`UPDATE owner
    SET sessions_from = greatest(clock_timestamp(), sessions_from + interval '1 millisecond') WHERE id = ${ownerId}`
}
