import { LRUCache } from 'lru-cache'
import type { AuthenticatedRow, EnteringKey } from '../credits/hold-request'
import { askLedger } from '../credits/ledger-batch'
import { accountSuspended } from '../credits/suspension'
import { AppError } from '../errors'
import { type CallerGrants, knownCallerGrants, readCallerGrants } from './grants'
import { hashSecret, isWellFormedKey } from './secret'

/**
 * The rate window of a key, or of its owner if that has less left. `resetS`: whole seconds until
 * its end.
 */
export type RateLimitState = { limit: number; remaining: number; resetS: number }

/** A key that exists, whether it was let in or not, with the window of one that counts. */
export type KnownKey = { keyId: number; ownerId: number; rate?: RateLimitState }

/** The key of a call, and what it may do. */
export type Caller = { keyId: number; ownerId: number; grants: CallerGrants }

/** What became of a key that was sent. `key`: null for one that does not exist. */
export type Entry = { key: KnownKey; caller: Caller } | { key: KnownKey | null; refusal: AppError }

/** The caller that a key was the last time, for the hold of its call to let in. */
export type ExpectedKey = EnteringKey & { caller: Caller }

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

/** Why the ledger refused a key; null: it was let in. */
function refusalOf({ state, reason, rpm, reset_s }: AuthenticatedRow): AppError | null {
  switch (state) {
    case 'ok':
      return null
    case 'suspended':
      return accountSuspended(reason)
    case 'limited':
    case 'owner_limited':
      return new AppError('rate_limited', `${LIMITED[state]} ${rpm} requests a minute. Wait ${reset_s} s.`, {
        retryAfter: reset_s ?? undefined,
      })
    default:
      return new AppError('unauthorized', REFUSED[state])
  }
}

/** What the ledger's answer about a key says. A key is remembered while it is let in. */
export async function entryOf(hash: Buffer, row: AuthenticatedRow): Promise<Entry> {
  const id = hash.toString('latin1')
  const refusal = refusalOf(row)
  if (refusal) letIn.delete(id)
  if (refusal && row.remaining === null) {
    const { key_id: keyId, owner_id: ownerId } = row
    return { key: keyId === null || ownerId === null ? null : { keyId, ownerId }, refusal }
  }
  const { rpm, remaining, reset_s, key_id: keyId, owner_id: ownerId, version } = knownKey(row)
  const key = { keyId, ownerId, rate: { limit: rpm, remaining, resetS: reset_s } }
  if (refusal) return { key, refusal }
  if (letIn.get(id)?.version !== version) letIn.set(id, { keyId, ownerId, version })
  return { key, caller: { keyId, ownerId, grants: await readCallerGrants(keyId, version) } }
}

const refused = (message: string): Entry => ({ key: null, refusal: new AppError('unauthorized', message) })

/**
 * Authenticates a bearer value and counts the request in the key's minute and its owner's, in one
 * round trip shared with concurrent callers. A malformed value never reaches the database. Refusals
 * are `unauthorized`, `forbidden` for a suspended account, and `rate_limited` (with Retry-After).
 * Throws `unavailable`.
 */
export async function authenticateKey(secret: string | null): Promise<Entry> {
  if (!secret) return refused('Send your key as "Authorization: Bearer <key>".')
  if (!isWellFormedKey(secret)) return refused(REFUSED.unknown)
  const hash = hashSecret(secret)
  return entryOf(hash, await lookUp(hash))
}

/**
 * The caller that a bearer value was the last time, not authenticated: the hold of its call does
 * that in the same step, which saves a round trip. Null for a key that this process has not let in,
 * or has refused since.
 */
export function expectCaller(secret: string | null): ExpectedKey | null {
  if (!secret || !isWellFormedKey(secret)) return null
  const hash = hashSecret(secret)
  const known = letIn.get(hash.toString('latin1'))
  const grants = known && knownCallerGrants(known.keyId, known.version)
  if (!known || !grants) return null
  const { keyId, ownerId, version } = known
  return { hash, version, caller: { keyId, ownerId, grants } }
}
