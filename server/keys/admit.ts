import { databaseDown, isDatabaseDown, pool } from '../db'
import { AppError } from '../errors'
import { batch } from '../kit/batch'
import { once } from '../kit/once'
import { type Grants, grantsOf } from './grants'
import { hashSecret, isWellFormed } from './secret'

/** Where a key stands in its minute. `resetS`: whole seconds until the window ends. */
export type RateState = { limit: number; remaining: number; resetS: number }

/** A key that was let in. */
export type Caller = { keyId: number; ownerId: number; grants: Grants; rate: RateState }

type Row = {
  n: number
  state: 'unknown' | 'revoked' | 'expired' | 'limited' | 'ok'
  key_id: number
  owner_id: number
  rpm: number
  remaining: number
  reset_s: number
}

async function admitMany(hashes: Buffer[]): Promise<Row[]> {
  try {
    const sql = { name: 'keys_admit', text: 'SELECT * FROM keys_admit($1::bytea[]) ORDER BY n', values: [hashes] }
    return (await pool().query<Row>(sql)).rows
  } catch (error) {
    throw isDatabaseDown(error) ? databaseDown(error) : error
  }
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

/**
 * Authenticates a bearer value and counts the request in the key's minute, in one round trip shared with concurrent
 * callers. A malformed value never reaches the database. `onRate` hears the window's state, also of a refused request.
 * Throws `unauthorized`, `rate_limited` (with Retry-After) or `unavailable`.
 */
export async function admit(secret: string | null, onRate: (rate: RateState) => void): Promise<Caller> {
  if (!secret) throw new AppError('unauthorized', 'Send your key as "Authorization: Bearer <key>".')
  if (!isWellFormed(secret)) throw new AppError('unauthorized', REFUSED.unknown)
  const row = await once('admit', () => batch(admitMany))(hashSecret(secret))
  if (row.state !== 'ok' && row.state !== 'limited') throw new AppError('unauthorized', REFUSED[row.state])
  const rate = { limit: row.rpm, remaining: row.remaining, resetS: row.reset_s }
  onRate(rate)
  if (row.state === 'limited') {
    throw new AppError('rate_limited', `This key may make ${row.rpm} requests a minute. Wait ${row.reset_s} s.`, {
      retryAfter: row.reset_s,
    })
  }
  return { keyId: row.key_id, ownerId: row.owner_id, grants: await grantsOf(row.key_id), rate }
}
