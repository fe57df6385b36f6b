import { type AuthenticatedRow, askLedger } from '../credits/ledger-batch'
import { accountSuspended } from '../credits/suspension'
import { AppError } from '../errors'
import { type CallerGrants, readCallerGrants } from './grants'
import { hashSecret, isWellFormedSecret } from './secret'

/**
 * The rate window of a key, or of its owner if that has less left. `resetS`: whole seconds until
 * its end.
 */
export type RateLimitState = { limit: number; remaining: number; resetS: number }

/** A key that was let in. */
export type Caller = { keyId: number; ownerId: number; grants: CallerGrants; rate: RateLimitState }

/**
 * Looks up and counts the hash of a bearer value, in one round trip shared with concurrent callers.
 */
async function lookUp(hash: Buffer): Promise<AuthenticatedRow> {
  const { authenticated } = await askLedger({ hash, owner: hash.toString('latin1') })
  if (!authenticated) throw new Error('credits_batch returned no row for a key')
  return authenticated
}

/** No SHA-256 is empty. */
const NOBODY = Buffer.alloc(0)

/**
 * Takes authentication's own path, in the same queue, for a key that cannot exist. Throws
 * `unavailable`.
 */
export const checkAuthentication = async (): Promise<void> => {
  await lookUp(NOBODY)
}

const REFUSED = {
  unknown: 'This key is not valid.',
  revoked: 'This key was revoked.',
  expired: 'This key has expired.',
} as const

/**
 * The bearer value of a request: `Authorization: Bearer …`, or `x-api-key`. Null when there is
 * none.
 */
export function bearerToken(headers: Headers): string | null {
  const authorization = headers.get('authorization')
  if (authorization !== null) return authorization.match(/^Bearer +(\S+) *$/i)?.[1] ?? ''
  return headers.get('x-api-key')
}

const LIMITED = {
  limited: 'This key may make',
  owner_limited: 'All keys of this account together may make',
} as const

/** The numbers of a key that exists: an unknown key alone has none. */
function knownKey({ key_id, owner_id, rpm, remaining, reset_s, grants_version: version }: AuthenticatedRow) {
  if (
    key_id === null ||
    owner_id === null ||
    rpm === null ||
    remaining === null ||
    reset_s === null ||
    version === null
  )
    throw new Error('keys_authenticate returned a key without its numbers')
  return { key_id, owner_id, rpm, remaining, reset_s, version }
}

/**
 * Authenticates a bearer value and counts the request in the key's minute and its owner's, in one
 * round trip shared with concurrent callers. A malformed value never reaches the database. `onRate`
 * is called with the window's state, also of a refused request. Throws `unauthorized`, `forbidden`
 * for a suspended account, `rate_limited` (with Retry-After) or `unavailable`.
 */
export async function authenticateKey(secret: string | null, onRate: (rate: RateLimitState) => void): Promise<Caller> {
  if (!secret) throw new AppError('unauthorized', 'Send your key as "Authorization: Bearer <key>".')
  if (!isWellFormedSecret(secret)) throw new AppError('unauthorized', REFUSED.unknown)
  const row = await lookUp(hashSecret(secret))
  const { state } = row
  if (state === 'unknown' || state === 'revoked' || state === 'expired') {
    throw new AppError('unauthorized', REFUSED[state])
  }
  if (state === 'suspended') throw accountSuspended(row.reason)
  const { rpm, remaining, reset_s, key_id, owner_id, version } = knownKey(row)
  const rate = { limit: rpm, remaining, resetS: reset_s }
  onRate(rate)
  if (state !== 'ok') {
    throw new AppError('rate_limited', `${LIMITED[state]} ${rpm} requests a minute. Wait ${reset_s} s.`, {
      retryAfter: reset_s,
    })
  }
  return { keyId: key_id, ownerId: owner_id, grants: await readCallerGrants(key_id, version), rate }
}
