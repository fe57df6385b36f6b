import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuthConfig } from '@auth/core'
import { AuthError, CredentialsSignin } from '@auth/core/errors'
import Credentials from '@auth/core/providers/credentials'
import GitHub from '@auth/core/providers/github'
import Google from '@auth/core/providers/google'
import { isDatabaseUnavailable, prisma } from '../db'
import { env } from '../env'
import { AppError } from '../errors'
import { lazy } from '../kit/lazy'
import { log } from '../kit/log'
import { asAudited, originOf, type RequestOrigin } from './audit'
import { hasSecondFactor } from './factors/second-factors'
import { type IssuerVisitor, readVisitor } from './issuer/claims'
import type { PendingLink } from './issuer/link'
import { issuerChoice, issuerProvider } from './issuer/provider'
import { enterByIssuer } from './issuer/sign-in'
import type { PendingSignIn } from './pending-sign-in'
import { checkProviderSignIn, findOwnerByIdentity } from './provider-sign-in'
import { invitationToReturnTo } from './return-path'
import { createSession, endSessionByClaims, findOwnerByClaims, SESSION_SECONDS, usesSecureCookies } from './session'
import { type IdentityProviderChoice, IdentityProviderId } from './shape'
import { checkSignIn } from './sign-in'

/** The identity providers that are set up here. */
export function identityProviders(): IdentityProviderChoice[] {
  const { AUTH_GITHUB_ID, AUTH_GOOGLE_ID } = env()
  const issuer = issuerChoice()
  return [
    ...(AUTH_GITHUB_ID ? [{ id: 'github' as const, name: 'GitHub' }] : []),
    ...(AUTH_GOOGLE_ID ? [{ id: 'google' as const, name: 'Google' }] : []),
    ...(issuer ? [issuer] : []),
  ]
}

/** Those that a person signs in through. */
export async function identityProvidersOf(personId: number): Promise<IdentityProviderChoice[]> {
  const logins = await prisma().login.findMany({ where: { ownerId: personId } })
  return identityProviders().filter(({ id }) => logins.some(({ provider }) => provider === id))
}

function providers(): AuthConfig['providers'] {
  const { AUTH_GITHUB_ID, AUTH_GITHUB_SECRET, AUTH_GOOGLE_ID, AUTH_GOOGLE_SECRET } = env()
  return [
    Credentials({
      credentials: { email: {}, password: {} },
      authorize: async (input, request) => {
        try {
          const { id, email, name } = await checkSignIn(input, request.headers)
          return { id: String(id), email, name }
        } catch (error) {
          throw refusalOf(error)
        }
      },
    }),
    ...(AUTH_GITHUB_ID ? [GitHub({ clientId: AUTH_GITHUB_ID, clientSecret: AUTH_GITHUB_SECRET })] : []),
    ...(AUTH_GOOGLE_ID ? [Google({ clientId: AUTH_GOOGLE_ID, clientSecret: AUTH_GOOGLE_SECRET })] : []),
    ...issuerProvider(),
  ]
}

/** Auth.js's own way to say no, carrying our code; what is not a refusal goes through as it is. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof AppError) || error.status >= 500) return error
  const refusal = new CredentialsSignin()
  refusal.code = error.code
  return refusal
}

const visitorOf = (account: { provider: string; providerAccountId: string }) => {
  const provider = IdentityProviderId.safeParse(account.provider)
  return provider.success ? { provider: provider.data, subject: account.providerAccountId } : null
}

/**
 * Auth.js, set up: password, and GitHub, Google and an OpenID Connect issuer where their settings
 * are there; sessions in a sealed cookie.
 */
export const authConfig = lazy<AuthConfig>(() => ({
  basePath: '/api/auth',
  secret: env().AUTH_SECRET,
  trustHost: true,
  useSecureCookies: usesSecureCookies(),
  session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
  pages: { signIn: '/signin', signOut: '/signin', error: '/signin' },
  logger: { error: logAuthError, warn: (code) => log.debug({ code }, 'auth'), debug: () => undefined },
  providers: providers(),
  callbacks: {
    async signIn({ account, profile, user }) {
      if (!account) return true
      if (account.type === 'credentials') return awaitSecondFactor(Number(user.id), null)
      const known = visitorOf(account)
      if (!known) return false
      if (known.provider === 'oidc') return admitFromIssuer(account.id_token ?? '', { ...profile })
      const email = profile?.email_verified === false ? null : (user.email ?? null)
      const refused = await checkProviderSignIn({ ...known, email, name: user.name ?? null }, requestOrigin())
      if (refused) return `/signin?error=${refused}`
      const owner = await findOwnerByIdentity(known)
      return owner ? awaitSecondFactor(owner.id, known.provider) : true
    },
    async jwt({ token, user, account }) {
      if (!account) return (await findOwnerByClaims(token)) ? token : null
      const visitor = visitorOf(account)
      const owner = visitor ? await findOwnerByIdentity(visitor) : await ownerById(Number(user.id))
      if (!owner) return null
      const origin = requestOrigin()
      const line = {
        ownerId: owner.id,
        action: 'signed_in',
        actor: { kind: 'owner', email: owner.email },
        origin,
        ...(visitor && { detail: { provider: visitor.provider } }),
      } as const
      return asAudited(line, () => createSession(owner, origin, authRequestStorage.getStore()?.visitor))
    },
  },
  events: {
    async signOut(message) {
      if ('token' in message && message.token) await endSessionByClaims(message.token)
    },
  },
}))

const ownerById = (id: number) => prisma().owner.findUnique({ where: { id } })

/**
 * One request that Auth.js serves: what it ran into, as it turns every error into a redirect; who
 * comes from the issuer; and who has to give a second factor, or to sign in before the issuer is
 * linked to them, as its callbacks set no cookies.
 */
export type AuthRequest = {
  headers: Headers
  databaseError?: Error
  visitor?: IssuerVisitor
  pending?: PendingSignIn
  link?: PendingLink
}
export const authRequestStorage = new AsyncLocalStorage<AuthRequest>()

function requestOrigin(): RequestOrigin | undefined {
  const headers = authRequestStorage.getStore()?.headers
  return headers && originOf(headers)
}

/**
 * What becomes of whoever comes from the issuer: true, or where their browser goes without a
 * session. Their own second factor is asked for unless the issuer says that it asked for one.
 */
async function admitFromIssuer(idToken: string, userinfo: Record<string, unknown>): Promise<string | true> {
  const run = authRequestStorage.getStore()
  if (!run) return '/signin?error=AccessDenied'
  const visitor = readVisitor(idToken, userinfo)
  const entry = await enterByIssuer(visitor, { origin: requestOrigin(), invitation: invitationToReturnTo(run.headers) })
  switch (entry.kind) {
    case 'refused':
      return `/signin?error=${entry.error}`
    case 'linkable':
      run.link = { personId: entry.personId, subject: visitor.subject, email: visitor.email ?? '' }
      return '/signin?error=link&next=/settings/security'
    case 'in':
      run.visitor = visitor
      return visitor.hasFactor || awaitSecondFactor(entry.personId, 'oidc')
    default:
      return entry satisfies never
  }
}

/** Where a browser goes without a session when its owner has a second factor; true: on. */
async function awaitSecondFactor(ownerId: number, provider: string | null): Promise<string | true> {
  if (!(await hasSecondFactor(ownerId))) return true
  const run = authRequestStorage.getStore()
  if (!run) return '/signin?error=AccessDenied'
  run.pending = { ownerId, provider }
  return '/signin/second-factor'
}

const EXPECTED_ERRORS = new Set(['CredentialsSignin', 'MissingCSRF', 'UnknownAction'])

/**
 * Logs one line without a stack; a wrong password, an old form or an unknown path only as debug.
 */
function logAuthError(error: Error): void {
  const type = error instanceof AuthError ? error.type : error.name
  const inner = (error.cause as { err?: Error } | undefined)?.err
  const run = authRequestStorage.getStore()
  if (run && isDatabaseUnavailable(inner ?? error)) run.databaseError = inner ?? error
  const fields = { type, err: inner?.message ?? error.message.split('\n')[0] }
  if (EXPECTED_ERRORS.has(type)) log.debug(fields, 'auth')
  else log.warn(fields, 'auth')
}
