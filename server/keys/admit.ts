import { runStatement, sharedBatch } from '../db'
import { env } from '../env'
import { AppError } from '../errors'
import { once } from '../kit/once'
import { type Grants, grantsOf } from './grants'
import { hashSecret, isWellFormed } from './secret'

/** Where a key stands in its minute, or its owner where that leaves less. `resetS`: whole seconds until it ends. */
export type RateState = { limit: number; remaining: number; resetS: number }

/** A key that was let in. */
export type Caller = { keyId: number; ownerId: number; grants: Grants; rate: RateState }

type Row = {
  n: number
  state: 'unknown' | 'revoked' | 'expired' | 'limited' | 'owner_limited' | 'ok'
  key_id: number
  owner_id: number
  rpm: number
  remaining: number
  reset_s: number
}

const SQL = 'SELECT * FROM keys_admit($1::bytea[], $2) ORDER BY n'

const admitMany = (hashes: Buffer[]): Promise<Row[]> =>
  runStatement<Row>({ name: 'keys_admit', text: SQL, values: [hashes, env().OWNER_RPM] }, { shared: true })

/** Looks up and counts the hash of a bearer value, in one round trip shared with concurrent callers. */
const lookUp = (hash: Buffer, gone?: AbortSignal): Promise<Row> =>
  once('admit', () => sharedBatch(admitMany, (hash) => hash.toString('latin1')))(hash, gone)

/** No SHA-256 is empty. */
const NOBODY = Buffer.alloc(0)

/** Takes authentication's own path, in the same queue, for a key that cannot exist. Throws `unavailable`. */
export const checkAdmission = async (): Promise<void> => {
  await lookUp(NOBODY)
}

const REFUSED = {
  unknown: 'This key is not valid.',
  revoked: 'This key was revoked.',
  expired: 'This key has expired.',
} as const

/** The bearer value of a request: `Authorization: Bearer …`, or `x-api-key`. Null when there is none. */
export function bearerOf(headers: Headers): string | null {
  const authorization = headers.get('authorization')
  if (authorization !== null) return authorization.match(/^Bearer +(\S+) *$/i)?.[1] ?? ''
  return headers.get('x-api-key')
}

const LIMITED = {
  limited: 'This key may make',
  owner_limited: 'All keys of this account together may make',
} as const

/**
 * Authenticates a bearer value and counts the request in the key's minute and its owner's, in one round trip shared with
 * concurrent callers. A malformed value never reaches the database. `onRate` is called with the window's state, also of
 * a refused request. Throws `unauthorized`, `rate_limited` (with Retry-After) or `unavailable`.
 */
export async function admit(secret: string | null, onRate: (rate: RateState) => void): Promise<Caller> {
  if (!secret) throw new AppError('unauthorized', 'Send your key as "Authorization: Bearer <key>".')
  if (!isWellFormed(secret)) throw new AppError('unauthorized', REFUSED.unknown)
  const { state, rpm, remaining, reset_s, key_id, owner_id } = await lookUp(hashSecret(secret))
  if (state === 'unknown' || state === 'revoked' || state === 'expired') {
    throw new AppError('unauthorized', REFUSED[state])
  }
  const rate = { limit: rpm, remaining, resetS: reset_s }
  onRate(rate)
  if (state !== 'ok') {
    throw new AppError('rate_limited', `${LIMITED[state]} ${rpm} requests a minute. Wait ${reset_s} s.`, {
      retryAfter: reset_s,
    })
  }
  return { keyId: key_id, ownerId: owner_id, grants: await grantsOf(key_id), rate }
}
