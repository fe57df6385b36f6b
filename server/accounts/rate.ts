import { isIP } from 'node:net'
import { databaseDown, isDatabaseDown, pool } from '../db'
import { env } from '../env'
import { AppError } from '../errors'

/** Attempts and playground turns in a minute, counted in the database, so on every instance together. */
const PER_MINUTE = { email: 10, address: 30, turns: 30 }

type Hit = { allowed: boolean; reset_s: number }

async function hit(id: string, max: number): Promise<Hit> {
  try {
    const { rows } = await pool().query<Hit>('SELECT allowed, reset_s FROM rate_hit($1, $2, 60)', [id, max])
    return rows[0] ?? { allowed: false, reset_s: 60 }
  } catch (error) {
    throw isDatabaseDown(error) ? databaseDown(error) : error
  }
}

/** Counts an attempt to enter or to open an account. Throws `rate_limited` with the seconds to wait. */
export async function countAttempt(headers: Headers, email: string): Promise<void> {
  const hits = [
    await hit(`enter:address:${clientAddress(headers)}`, PER_MINUTE.address),
    await hit(`enter:email:${email}`, PER_MINUTE.email),
  ]
  const waits = hits.filter((h) => !h.allowed).map((h) => h.reset_s)
  if (waits.length === 0) return
  const retryAfter = Math.max(...waits)
  throw new AppError('rate_limited', `Too many attempts. Try again in ${retryAfter} seconds.`, { retryAfter })
}

/** Counts a turn of an owner at the playground. Throws `rate_limited` with the seconds to wait. */
export async function countTurn(ownerId: number): Promise<void> {
  const { allowed, reset_s: retryAfter } = await hit(`turn:${ownerId}`, PER_MINUTE.turns)
  if (allowed) return
  const text = `At most ${PER_MINUTE.turns} turns a minute here. Try again in ${retryAfter} seconds.`
  throw new AppError('rate_limited', text, { retryAfter })
}

/**
 * Who is calling, as a rate limit sees it. Our server tells the socket's address; of X-Forwarded-For only as many
 * entries count as there are trusted proxies, from the right: the rest is what the caller claims.
 * An IPv6 caller is its /64, which is what one household or machine gets.
 */
export function clientAddress(headers: Headers, hops = env().TRUST_PROXY): string {
  const peer = headers.get('x-tollgate-peer') ?? 'local'
  const claimed = (headers.get('x-forwarded-for') ?? '').split(',').map((a) => a.trim())
  const told = hops > 0 ? claimed.at(-Math.min(hops, claimed.length)) : undefined
  const address = told && isIP(told) ? told : peer
  return isIP(address) === 6 ? networkOf(address) : address
}

/** The first 64 bits of an IPv6 address, written out; an IPv4 address in IPv6 clothes is itself. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [head = '', tail] = (address.toLowerCase().split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const gap = tail === undefined ? 0 : Math.max(8 - left.length - right.length, 0)
  const groups = [...left, ...Array<string>(gap).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((g) => g.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
