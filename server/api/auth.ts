import { Auth, raw, skipCSRFCheck } from '@auth/core'
import { authConfig, authRun, providerChoices } from '../accounts/auth'
import { makeDeviceCookie } from '../accounts/device'
import { countSignUp } from '../accounts/rate'
import {
  type Cookie,
  endAllSessions,
  endedSessionCookie,
  endSession,
  getSession,
  makeSessionCookie,
} from '../accounts/session'
import { Email, type ProviderChoice, type ProviderId, SignUp } from '../accounts/shape'
import { checkSignIn } from '../accounts/sign-in'
import { isSignUpOpen, signUp as openAccount } from '../accounts/sign-up'
import { databaseDown, isDatabaseDown, prisma } from '../db'
import { env } from '../env'
import { AppError, invalidRequest } from '../errors'

/**
 * Throws `forbidden` unless a request that changes something comes from a page of this site: the one PUBLIC_URL names,
 * or the one the browser itself asked. Without an Origin it must not be a browser's, which always sends one.
 */
export function needSameOrigin(headers: Headers): void {
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
    throw isDatabaseDown(error) ? databaseDown(error) : error
  }
}

/** Signs in by e-mail and password. Answers the session's cookie. Throws as `checkSignIn` does. */
export const signIn = (input: unknown, headers: Headers): Promise<Cookie> =>
  answering(async () => {
    needSameOrigin(headers)
    return makeSessionCookie(await checkSignIn(input, headers))
  })

/** Opens an account and signs it in. Answers the session's cookie. Throws as the sign-up does, and `rate_limited`. */
export const signUp = (input: { email: string; password: string }, headers: Headers): Promise<Cookie> =>
  answering(async () => {
    needSameOrigin(headers)
    const parsed = SignUp.safeParse(input)
    if (!parsed.success) throw invalidRequest(parsed.error.issues)
    await countSignUp(headers)
    const { id } = await openAccount(parsed.data)
    return makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } }))
  })

/** The cookie that makes a browser a known device of the account it has just signed in to, for its rate counter. */
export const rememberDevice = (email: string, headers: Headers): Cookie => makeDeviceCookie(headers, Email.parse(email))

/** Signs out this browser, or with `everywhere` every one of the owner's. Answers the cookie that ends the session. */
export const signOut = (headers: Headers, { everywhere = false } = {}): Promise<Cookie> =>
  answering(async () => {
    needSameOrigin(headers)
    const session = everywhere ? await getSession(headers) : null
    if (session) await endAllSessions(session.ownerId)
    else await endSession(headers)
    return endedSessionCookie()
  })

/** The ways in that the sign-in and sign-up pages offer. */
export const waysIn = (): Promise<{ providers: ProviderChoice[]; signUpOpen: boolean }> =>
  answering(async () => ({ providers: providerChoices(), signUpOpen: await isSignUpOpen() }))

type Start = {
  redirect?: string
  cookies?: { name: string; value: string; options: Omit<Cookie['options'], 'maxAge'> & { maxAge?: number } }[]
}

/** Where to send a browser so that it signs in at a provider, and the cookies that must be there when it returns. */
export async function startProvider(provider: ProviderId, next: string, headers: Headers): Promise<Start> {
  needSameOrigin(headers)
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
  if (req.method === 'POST') needSameOrigin(req.headers)
  const { pathname, search } = new URL(req.url)
  const init: RequestInit & { duplex: 'half' } = { method: req.method, headers: req.headers, duplex: 'half' }
  if (req.body) init.body = req.body
  const run: { databaseError?: Error } = {}
  const answer = await authRun().run(run, () =>
    Auth(new Request(publicOrigin() + pathname + search, init), authConfig()),
  )
  if (run.databaseError) throw databaseDown(run.databaseError)
  return answer
}
