import { decode, encode } from '@auth/core/jwt'
import { env } from '../env'
import { cookieIn, type SessionCookie, usesSecureCookies } from './session'

/** How long somebody has to give the second factor, seconds. */
const PENDING_SECONDS = 600

const pendingCookieName = (): string => `${usesSecureCookies() ? '__Secure-' : ''}tollgate.sign-in`

/** Somebody who gave the first factor; `provider`: with whom, null for a password. */
export type PendingSignIn = { ownerId: number; provider: string | null }

const cookie = (value: string, maxAge: number): SessionCookie => ({
  name: pendingCookieName(),
  value,
  options: { httpOnly: true, sameSite: 'lax', path: '/', secure: usesSecureCookies(), maxAge },
})

/** The cookie of a browser that gave the first factor: encrypted, and no session. */
export async function makePendingCookie({ ownerId, provider }: PendingSignIn): Promise<SessionCookie> {
  const token = { sub: String(ownerId), provider }
  const salt = pendingCookieName()
  const value = await encode({ token, secret: env().AUTH_SECRET, salt, maxAge: PENDING_SECONDS })
  return cookie(value, PENDING_SECONDS)
}

/** The cookie that takes it away. */
export const expiredPendingCookie = (): SessionCookie => cookie('', 0)

/** Who gave the first factor in this browser within the last minutes; null: nobody. */
export async function readPendingSignIn(headers: Headers): Promise<PendingSignIn | null> {
  const salt = pendingCookieName()
  const token = cookieIn(headers, salt)
  if (!token) return null
  const claims = await decode({ token, secret: env().AUTH_SECRET, salt }).catch(() => null)
  const ownerId = Number(claims?.sub)
  if (!Number.isInteger(ownerId) || ownerId < 1) return null
  return { ownerId, provider: typeof claims?.provider === 'string' ? claims.provider : null }
}
