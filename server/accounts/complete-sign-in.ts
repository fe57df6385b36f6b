import { prisma } from '../db'
import { AppError } from '../errors'
import { asAudited, originOf, recordRefusal } from './audit'
import { wrongCode } from './factors/authenticator-app'
import { beginPasskeyCheck, checkPasskey } from './factors/check-passkey'
import { checkFactorCode, readProofs } from './factors/second-factors'
import type { PasskeyResponse, Proofs } from './factors/shape'
import { type PendingSignIn, readPendingSignIn } from './pending-sign-in'
import { countFactorAttempt, countPasskeyRequest } from './rate-limit'
import { makeSessionCookie, type SessionCookie } from './session'

/** An owner who is signed in now, and the cookie of the session. */
export type SignedIn = { email: string; cookie: SessionCookie }

const tooLate = () => new AppError('unauthorized', 'Sign in again: this took too long.')
const refusedPasskey = () => new AppError('unauthorized', 'This passkey was not accepted. Try again.')

/** Who has a second factor: of a person that was deleted none is left. */
const findPerson = (id: number) =>
  prisma().owner.findFirst({
    where: { id, OR: [{ passkeys: { some: {} } }, { authenticatorApp: { isNot: null } }] },
  })

async function requirePending(headers: Headers) {
  const pending = await readPendingSignIn(headers)
  const owner = pending && (await findPerson(pending.ownerId))
  if (!pending || !owner) throw tooLate()
  return { ...pending, email: owner.email, name: owner.name }
}

/** What whoever gave the first factor in this browser can give next; null: nobody has. */
export async function readSignInProofs(headers: Headers): Promise<(Proofs & { email: string }) | null> {
  const pending = await requirePending(headers).catch((error) => {
    if (error instanceof AppError && error.code === 'unauthorized') return null
    throw error
  })
  return pending && { ...(await readProofs(pending.ownerId)), email: pending.email }
}

type Owner = { ownerId: number; email: string; name: string | null }

/** Begins the session of somebody who gave all that is asked for. */
async function complete(owner: Owner, headers: Headers, detail: Record<string, unknown>): Promise<SignedIn> {
  const { ownerId, email, name } = owner
  const origin = originOf(headers)
  const line = { ownerId, action: 'signed_in', actor: { kind: 'owner', email }, origin, detail } as const
  return { email, cookie: await asAudited(line, () => makeSessionCookie({ id: ownerId, email, name }, origin)) }
}

const ofProvider = ({ provider }: PendingSignIn) => (provider === null ? {} : { provider })

async function recordFailure(ownerId: number, headers: Headers): Promise<void> {
  const actor = { kind: 'system', email: null } as const
  await recordRefusal({ ownerId, action: 'second_factor_failed', actor, origin: originOf(headers) })
}

/**
 * Ends a sign-in by a code of an app, or a recovery code. Throws `unauthorized` where no first
 * factor was given, `invalid_request` for a wrong code, `rate_limited`.
 */
export async function completeByCode(code: string, headers: Headers): Promise<SignedIn> {
  const owner = await requirePending(headers)
  await countFactorAttempt(headers, owner)
  const secondFactor = await checkFactorCode(owner.ownerId, code)
  if (!secondFactor) {
    await recordFailure(owner.ownerId, headers)
    throw wrongCode()
  }
  return complete(owner, headers, { ...ofProvider(owner), secondFactor })
}

/** Asks for a passkey: of whoever gave the first factor, or alone, of anybody. */
export async function beginPasskeySignIn(isSecond: boolean, headers: Headers) {
  await countPasskeyRequest(headers)
  if (!isSecond) return beginPasskeyCheck({ purpose: 'sign-in', ownerId: null })
  const { ownerId } = await requirePending(headers)
  return beginPasskeyCheck({ purpose: 'second-factor', ownerId })
}

async function completeBySecond(response: PasskeyResponse, headers: Headers): Promise<SignedIn> {
  const owner = await requirePending(headers)
  const { ownerId } = owner
  if ((await checkPasskey(response, { purpose: 'second-factor', ownerId })) === null) {
    await recordFailure(ownerId, headers)
    throw refusedPasskey()
  }
  return complete(owner, headers, { ...ofProvider(owner), secondFactor: 'passkey' })
}

/**
 * Signs in by a passkey: alone, when its authenticator checked its user, or after the first factor.
 * Throws `unauthorized`, `rate_limited`.
 */
export async function completeByPasskey(
  { response, isSecond }: { response: PasskeyResponse; isSecond: boolean },
  headers: Headers,
): Promise<SignedIn> {
  await countPasskeyRequest(headers)
  if (isSecond) return completeBySecond(response, headers)
  const id = await checkPasskey(response, { purpose: 'sign-in', ownerId: null })
  const owner = id === null ? null : await findPerson(id)
  if (!owner) throw refusedPasskey()
  return complete({ ownerId: owner.id, email: owner.email, name: owner.name }, headers, { passkey: true })
}
