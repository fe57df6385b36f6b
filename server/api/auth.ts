import { Auth, raw, skipCSRFCheck } from '@auth/core'
import { authConfig, authRequestStorage, identityProviders } from '../accounts/auth-config'
import { makeDeviceCookie } from '../accounts/device'
import { countSignUp } from '../accounts/rate-limit'
import {
  endAllSessions,
  endSession,
  expiredSessionCookie,
  getSession,
  makeSessionCookie,
  type SessionCookie,
} from '../accounts/session'
import { Email, type IdentityProviderChoice, type IdentityProviderId, SignUp } from '../accounts/shape'
import { checkSignIn } from '../accounts/sign-in'
import { isSignUpOpen, signUpOwner as openAccount } from '../accounts/sign-up'
import { databaseUnavailable, isDatabaseUnavailable, prisma } from '../db'
import { env } from '../env'
import { AppError, invalidRequest } from '../errors'

/**
 * Throws `forbidden` unless a request that changes something comes from a page of this site: the one PUBLIC_URL names,
 * or the one the browser itself asked. Without an Origin it must not be a browser's, which always sends one.
 */
export function requireSameOrigin(headers: Headers): void {
  const origin = headers.get('origin')
  const host = headers.get('host')
  const here = URL.canParse(origin ?? '') ? new URL(origin ?? '') : null
  const same = origin === null ? !headers.has('sec-fetch-site') : here?.origin === publicOrigin() || here?.host === host
  if (!same) throw new AppError('forbidden', 'This request came from another site.')
}

const publicOrigin = (): string => new URL(env().PUBLIC_URL).origin

async function answering<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw isDatabaseUnavailable(error) ? databaseUnavailable(error) : error
  }
}

/** Signs in by e-mail and password. Answers the session's cookie. Throws as `checkSignIn` does. */
export const signInWithPassword = (input: unknown, headers: Headers): Promise<SessionCookie> =>
  answering(async () => {
    requireSameOrigin(headers)
    return makeSessionCookie(await checkSignIn(input, headers))
  })

/** Opens an account and signs it in. Answers the session's cookie. Throws as the sign-up does, and `rate_limited`. */
export const signUpWithPassword = (
  input: { email: string; password: string },
  headers: Headers,
): Promise<SessionCookie> =>
  answering(async () => {
    requireSameOrigin(headers)
    const parsed = SignUp.safeParse(input)
    if (!parsed.success) throw invalidRequest(parsed.error.issues)
    await countSignUp(headers)
    const { id } = await openAccount(parsed.data)
    return makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } }))
  })

/** The cookie that makes a browser a known device of the account it has just signed in to, for its rate counter. */
export const rememberDevice = (email: string, headers: Headers): SessionCookie =>
  makeDeviceCookie(headers, Email.parse(email))

/** Signs out this browser, or with `everywhere` every one of the owner's. Answers the cookie that ends the session. */
export const signOut = (headers: Headers, { everywhere = false } = {}): Promise<SessionCookie> =>
  answering(async () => {
    requireSameOrigin(headers)
    const session = everywhere ? await getSession(headers) : null
    if (session) await endAllSessions(session.ownerId)
    else await endSession(headers)
    return expiredSessionCookie()
  })

/** The ways in that the sign-in and sign-up pages offer. */
export const signInOptions = (): Promise<{ providers: IdentityProviderChoice[]; signUpOpen: boolean }> =>
  answering(async () => ({ providers: identityProviders(), signUpOpen: await isSignUpOpen() }))

type Start = {
  redirect?: string
  cookies?: { name: string; value: string; options: Omit<SessionCookie['options'], 'maxAge'> & { maxAge?: number } }[]
}

/** Where to send a browser so that it signs in at a provider, and the cookies that must be there when it returns. */
export async function startProviderSignIn(
  provider: IdentityProviderId,
  next: string,
  headers: Headers,
): Promise<Start> {
  requireSameOrigin(headers)
  const request = new Request(`${publicOrigin()}/api/auth/signin/${provider}`, {
    method: 'POST',
    headers: { cookie: headers.get('cookie') ?? '', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ callbackUrl: publicOrigin() + next }),
  })
  // The Origin was checked above, which is what Auth.js's double submit would show.
  return (await Auth(request, { ...authConfig(), raw, skipCSRFCheck })) as Start
}

/**
 * Answers Auth.js's own paths under /api/auth, as if asked at PUBLIC_URL: redirects are built from that. Throws
 * `unavailable` where Auth.js would redirect because the database is away.
 */
export async function handleAuth(req: Request): Promise<Response> {
  if (req.method === 'POST') requireSameOrigin(req.headers)
  const { pathname, search } = new URL(req.url)
  const init: RequestInit & { duplex: 'half' } = { method: req.method, headers: req.headers, duplex: 'half' }
  if (req.body) init.body = req.body
  const run: { databaseError?: Error } = {}
  const answer = await authRequestStorage.run(run, () =>
    Auth(new Request(publicOrigin() + pathname + search, init), authConfig()),
  )
  if (run.databaseError) throw databaseUnavailable(run.databaseError)
  return answer
}
