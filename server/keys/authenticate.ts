import { LRUCache } from 'lru-cache'
import type { Admission, AuthenticatedRow, HoldPayer } from '../credits/hold-request'
import { askLedger } from '../credits/ledger-batch'
import { accountSuspended } from '../credits/suspension'
import { AppError } from '../errors'
import { type CallerGrants, knownCallerGrants, readCallerGrants } from './grants'
import { hashSecret, isWellFormedSecret } from './secret'

/**
 * The rate window of a key, or of its owner if that has less left. `resetS`: whole seconds until
 * its end.
 */
export type RateLimitState = { limit: number; remaining: number; resetS: number }

/** A key that exists, whether it was let in or not, with the window of one that counts. */
export type KnownKey = { keyId: number; ownerId: number; rate?: RateLimitState }

/** A key that was let in, or, with `admission`, is expected to be: its hold authenticates it. */
export type Caller = { keyId: number; ownerId: number; grants: CallerGrants; admission?: Admission }

/** Who pays for a caller's calls. */
export const payerOf = ({ keyId, ownerId, admission }: Caller): HoldPayer => ({ keyId, ownerId, admission })

/** Keys that were let in the last time, by hash. */
const letIn = new LRUCache<string, { keyId: number; ownerId: number; version: number }>({ max: 10_000 })

/**
 * Looks up and counts the hash of a bearer value, in one round trip shared with concurrent callers.
 */
async function lookUp(hash: Buffer): Promise<AuthenticatedRow> {
  const id = hash.toString('latin1')
  const { authenticated } = await askLedger({ hash, owner: letIn.get(id)?.ownerId ?? id })
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
    throw new Error('credits_batch returned a key without its numbers')
  return { key_id, owner_id, rpm, remaining, reset_s, version }
}

/** The key of an answer, which is remembered while it is let in. Throws its refusal. */
function enter(hash: Buffer, row: AuthenticatedRow, onKey: (key: KnownKey) => void) {
  const id = hash.toString('latin1')
  const { state } = row
  if (state !== 'ok') letIn.delete(id)
  if (row.key_id !== null && row.owner_id !== null) onKey({ keyId: row.key_id, ownerId: row.owner_id })
  if (state === 'unknown' || state === 'revoked' || state === 'expired') {
    throw new AppError('unauthorized', REFUSED[state])
  }
  if (state === 'suspended') throw accountSuspended(row.reason)
  const { rpm, remaining, reset_s, key_id: keyId, owner_id: ownerId, version } = knownKey(row)
  onKey({ keyId, ownerId, rate: { limit: rpm, remaining, resetS: reset_s } })
  if (state !== 'ok') {
    throw new AppError('rate_limited', `${LIMITED[state]} ${rpm} requests a minute. Wait ${reset_s} s.`, {
      retryAfter: reset_s,
    })
  }
  if (letIn.get(id)?.version !== version) letIn.set(id, { keyId, ownerId, version })
  return { keyId, ownerId, version }
}

/**
 * Authenticates a bearer value and counts the request in the key's minute and its owner's, in one
 * round trip shared with concurrent callers. A malformed value never reaches the database. `onKey`
 * is called with a key that exists, also where its request is refused. Throws `unauthorized`,
 * `forbidden` for a suspended account, `rate_limited` (with Retry-After) or `unavailable`.
 */
export async function authenticateKey(secret: string | null, onKey: (key: KnownKey) => void): Promise<Caller> {
  if (!secret) throw new AppError('unauthorized', 'Send your key as "Authorization: Bearer <key>".')
  if (!isWellFormedSecret(secret)) throw new AppError('unauthorized', REFUSED.unknown)
  const hash = hashSecret(secret)
  const { keyId, ownerId, version } = enter(hash, await lookUp(hash), onKey)
  return { keyId, ownerId, grants: await readCallerGrants(keyId, version) }
}

/**
 * The caller that a bearer value was the last time, not authenticated: the hold of its request does
 * that in the same step (`Caller.admission`), which saves a round trip. `current` is to be called
 * where that found other grants than these. Null for a key that this process has not let in, or has
 * refused since.
 */
export function expectCaller(
  secret: string | null,
  onKey: (key: KnownKey) => void,
): { caller: Caller & { admission: Admission }; current: () => Promise<Caller> } | null {
  if (!secret || !isWellFormedSecret(secret)) return null
  const hash = hashSecret(secret)
  const known = letIn.get(hash.toString('latin1'))
  const grants = known && knownCallerGrants(known.keyId, known.version)
  if (!known || !grants) return null
  const { keyId, ownerId } = known
  let { version } = known
  const entered = (row: AuthenticatedRow) => {
    version = enter(hash, row, onKey).version
  }
  const current = async () => ({ keyId, ownerId, grants: await readCallerGrants(keyId, version) })
  return { caller: { keyId, ownerId, grants, admission: { hash, version, isAsked: false, entered } }, current }
}
