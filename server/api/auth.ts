import { Auth, raw, skipCSRFCheck } from '@auth/core'
import { asAudited, originOf } from '../accounts/audit'
import { type AuthRequest, authConfig, authRequestStorage, identityProviders } from '../accounts/auth-config'
import {
  beginPasskeySignIn,
  completeByCode,
  completeByPasskey,
  readSignInProofs,
  type SignedIn,
} from '../accounts/complete-sign-in'
import { makeDeviceCookie } from '../accounts/device'
import { relyingParty } from '../accounts/factors/relying-party'
import { hasSecondFactor } from '../accounts/factors/second-factors'
import { FactorCode, PasskeyResponse, type Proofs } from '../accounts/factors/shape'
import { makeLinkCookie } from '../accounts/issuer/link'
import { expiredPendingCookie, makePendingCookie, type PendingSignIn } from '../accounts/pending-sign-in'
import { countSignUp } from '../accounts/rate-limit'
import { returnPath } from '../accounts/return-path'
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
import { addressToSignUp, requestSignUp, signsUpByLink, signUpByLink } from '../accounts/sign-up-link'
import { databaseUnavailable, isDatabaseUnavailable } from '../db'
import { env } from '../env'
import { AppError, invalidRequest } from '../errors'

/**
 * Throws `forbidden` unless a request that changes something comes from a page of this site: of
 * PUBLIC_URL, or of the host that the browser sent it to. Without an Origin it must not come from a
 * browser, which always sends one.
 */
export function requireSameOrigin(headers: Headers): void {
  const origin = headers.get('origin')
  const host = headers.get('host')
  const here = URL.canParse(origin ?? '') ? new URL(origin ?? '') : null
  const same = origin === null ? !headers.has('sec-fetch-site') : here?.origin === publicOrigin() || here?.host === host
  if (!same) throw new AppError('forbidden', 'This request came from another site.')
}

const publicOrigin = (): string => new URL(env().PUBLIC_URL).origin

/** Makes what a lost database causes a refusal with 503. */
export async function withDatabaseErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw isDatabaseUnavailable(error) ? databaseUnavailable(error) : error
  }
}

/** The cookie of a session, or of a browser that has to give a second factor before it has one. */
export type SignInCookie = SessionCookie & { awaitsFactor?: true }

/**
 * Signs in by e-mail and password. Returns the session's cookie, or with `awaitsFactor` the one
 * with which the second factor is given. Throws like `checkSignIn`.
 */
export const signInWithPassword = (input: unknown, headers: Headers): Promise<SignInCookie> =>
  withDatabaseErrors(async () => {
    requireSameOrigin(headers)
    const owner = await checkSignIn(input, headers)
    const { id: ownerId, email } = owner
    if (await hasSecondFactor(ownerId))
      return { ...(await makePendingCookie({ ownerId, provider: null })), awaitsFactor: true }
    const origin = originOf(headers)
    const line = { ownerId, action: 'signed_in', actor: { kind: 'owner', email }, origin } as const
    return asAudited(line, () => makeSessionCookie(owner, origin))
  })

/** What whoever gave the first factor in this browser can give next; null: nobody has. */
export const secondFactorChoices = (headers: Headers): Promise<(Proofs & { email: string }) | null> =>
  withDatabaseErrors(() => readSignInProofs(headers))

/** The cookies of a sign-in that is complete. */
const cookiesOf = ({ email, cookie }: SignedIn, headers: Headers): SessionCookie[] => [
  cookie,
  expiredPendingCookie(),
  makeDeviceCookie(headers, email),
]

/** Gives a code as the second factor. Returns cookies. Throws like `completeByCode`. */
export const giveFactorCode = (input: { code: string }, headers: Headers): Promise<SessionCookie[]> =>
  withDatabaseErrors(async () => {
    requireSameOrigin(headers)
    const code = FactorCode.safeParse(input.code)
    if (!code.success) throw invalidRequest(code.error.issues.map((issue) => ({ ...issue, path: ['code'] })))
    return cookiesOf(await completeByCode(code.data, headers), headers)
  })

/** Whether browsers have passkeys for this site. */
export const hasPasskeys = (): boolean => relyingParty() !== null

/** What a browser asks its authenticators when it signs in. Throws like `beginPasskeySignIn`. */
export const askForPasskey = (isSecond: boolean, headers: Headers) =>
  withDatabaseErrors(async () => {
    requireSameOrigin(headers)
    return beginPasskeySignIn(isSecond, headers)
  })

/** Gives a passkey. Returns cookies. Throws like `completeByPasskey`. */
export const givePasskey = (
  input: { response: unknown; isSecond: boolean },
  headers: Headers,
): Promise<SessionCookie[]> =>
  withDatabaseErrors(async () => {
    requireSameOrigin(headers)
    const parsed = PasskeyResponse.safeParse(input.response)
    if (!parsed.success) throw invalidRequest(parsed.error.issues)
    const { isSecond } = input
    return cookiesOf(await completeByPasskey({ response: parsed.data, isSecond }, headers), headers)
  })

/**
 * Creates an account and signs it in, where no e-mail can be sent. Returns the session's cookie.
 * Throws like the sign-up, and `rate_limited`.
 */
export const signUpWithPassword = (
  input: { email: string; password: string },
  headers: Headers,
): Promise<SessionCookie> =>
  withDatabaseErrors(async () => {
    requireSameOrigin(headers)
    if (signsUpByLink()) throw new AppError('forbidden', 'Accounts are opened by a link that is e-mailed here.')
    const parsed = SignUp.safeParse(input)
    if (!parsed.success) throw invalidRequest(parsed.error.issues)
    await countSignUp(headers)
    return enterNewAccount(await openAccount(parsed.data, originOf(headers)), headers)
  })

const enterNewAccount = ({ id, email }: { id: number; email: string }, headers: Headers): Promise<SessionCookie> =>
  makeSessionCookie({ id, email, name: null }, originOf(headers))

/**
 * The cookie that makes a browser a known device of the account it signed in to, for its rate
 * limit.
 */
export const rememberDevice = (email: string, headers: Headers): SessionCookie =>
  makeDeviceCookie(headers, Email.parse(email))

/**
 * Signs out this browser, or with `everywhere` all of the owner's. Returns the cookie that ends the
 * session.
 */
export const signOut = (headers: Headers, { everywhere = false } = {}): Promise<SessionCookie> =>
  withDatabaseErrors(async () => {
    requireSameOrigin(headers)
    const session = everywhere ? await getSession(headers) : null
    if (session) {
      const { personId: ownerId, email } = session
      const actor = { kind: 'owner', email } as const
      const line = { ownerId, action: 'signed_out_everywhere', actor, origin: originOf(headers) } as const
      await asAudited(line, () => endAllSessions(ownerId))
    } else await endSession(headers)
    return expiredSessionCookie()
  })

/** What the sign-in and sign-up pages offer. */
export const signInOptions = (): Promise<{
  providers: IdentityProviderChoice[]
  signUpOpen: boolean
  signsUpByLink: boolean
}> =>
  withDatabaseErrors(async () => ({
    providers: identityProviders(),
    signUpOpen: await isSignUpOpen(),
    signsUpByLink: signsUpByLink(),
  }))

/** Asks for a link that opens an account. Throws as `requestSignUp` does. */
export const askToSignUp = (input: { email: string }, headers: Headers): Promise<void> =>
  withDatabaseErrors(async () => {
    requireSameOrigin(headers)
    await requestSignUp(input, headers)
  })

/** The address for which the link with this token opens an account; null where it does not work. */
export const addressOfSignUpLink = (token: string): Promise<string | null> =>
  withDatabaseErrors(() => addressToSignUp(token))

/** Opens an account by a link. Returns cookies. Throws as `signUpByLink` does. */
export const openAccountByLink = (
  input: { token: string; password: string },
  headers: Headers,
): Promise<SessionCookie[]> =>
  withDatabaseErrors(async () => {
    requireSameOrigin(headers)
    const owner = await signUpByLink(input, headers)
    return [await enterNewAccount(owner, headers), makeDeviceCookie(headers, owner.email)]
  })

/** Asks the issuer for a sign-in anew: who signed in lately would come straight back. */
const SIGN_IN_ANEW = '?prompt=login&max_age=0'

type Start = {
  redirect?: string
  cookies?: { name: string; value: string; options: Omit<SessionCookie['options'], 'maxAge'> & { maxAge?: number } }[]
}

/**
 * Where to redirect a browser to sign in at a provider, and the cookies it needs when it returns.
 * `anew`: the issuer is to ask for the password, as a proof of who is signed in.
 */
export async function startProviderSignIn(
  { provider, next, anew = false }: { provider: IdentityProviderId; next: string; anew?: boolean },
  headers: Headers,
): Promise<Start> {
  requireSameOrigin(headers)
  const query = anew && provider === 'oidc' ? SIGN_IN_ANEW : ''
  const request = new Request(`${publicOrigin()}/api/auth/signin/${provider}${query}`, {
    method: 'POST',
    headers: { cookie: headers.get('cookie') ?? '', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ callbackUrl: publicOrigin() + next }),
  })
  // The Origin was checked above, which replaces Auth.js's double-submit cookie.
  // Where the provider is not reached, Auth.js throws, or answers with a redirect of its own.
  const started = await Auth(request, { ...authConfig(), raw, skipCSRFCheck }).catch((error: Error) => error)
  return started instanceof Response || started instanceof Error ? {} : (started as Start)
}

/**
 * Serves Auth.js's paths under /api/auth as if requested at PUBLIC_URL, from which it builds
 * redirects. Throws `unavailable` where Auth.js would redirect because the database is unavailable.
 */
export async function handleAuth(req: Request): Promise<Response> {
  if (req.method === 'POST') requireSameOrigin(req.headers)
  const { pathname, search } = new URL(req.url)
  const init: RequestInit & { duplex: 'half' } = { method: req.method, headers: req.headers, duplex: 'half' }
  if (req.body) init.body = req.body
  const run: AuthRequest = { headers: req.headers }
  const response = await authRequestStorage.run(run, () =>
    Auth(new Request(publicOrigin() + pathname + search, init), authConfig()),
  )
  if (run.databaseError) throw databaseUnavailable(run.databaseError)
  if (run.link) return withCookie(response, await makeLinkCookie(run.link))
  return run.pending ? withPendingCookie(response, { headers: req.headers, pending: run.pending }) : response
}

/** A response that sets a cookie as well. */
function withCookie(response: Response, { name, value, options }: SessionCookie): Response {
  const flags = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${options.maxAge}${options.secure ? '; Secure' : ''}`
  const headers = new Headers(response.headers)
  headers.append('set-cookie', `${name}=${value}; ${flags}`)
  return new Response(response.body, { status: response.status, headers })
}

type PendingRequest = { headers: Headers; pending: PendingSignIn }

/** A redirect to the page of the second factor, which takes along who has to give it. */
async function withPendingCookie(response: Response, { headers: sent, pending }: PendingRequest): Promise<Response> {
  const answer = withCookie(response, await makePendingCookie(pending))
  if (answer.headers.has('location'))
    answer.headers.set(
      'location',
      `${publicOrigin()}/signin/second-factor?next=${encodeURIComponent(returnPath(sent))}`,
    )
  return answer
}
