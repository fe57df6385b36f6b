import { isIP } from 'node:net'
import { runStatement } from '../db'
import { env } from '../env'
import { AppError } from '../errors'
import { type RowOf, statement } from '../kit/statement'
import { knownDeviceId } from './device'

/**
 * Attempts and playground turns in a minute, counted in the database, so on every instance
 * together. An address and the network around it bound what one caller tries; `emailFrom` is below
 * `email`, so that no single network can use up what an account may be tried from everywhere and so
 * lock its owner out.
 */
const PER_MINUTE = {
  address: 30,
  network: 120,
  emailFrom: 10,
  email: 40,
  device: 10,
  password: 10,
  turns: 30,
  consents: 30,
}

const HIT = statement({
  name: 'rate_hit',
  sql: 'SELECT allowed, reset_s FROM rate_hit($1, $2, $3)',
  params: ['text', 'int', 'int'],
  columns: { allowed: 'boolean', reset_s: 'int' },
})

async function hit(id: string, max: number, seconds = 60): Promise<RowOf<typeof HIT>> {
  const [row] = await runStatement(HIT, [id, max, seconds], { repeatable: false })
  return row ?? { allowed: false, reset_s: seconds }
}

/** `seconds`: the length of its window, at most an hour; default: a minute. */
type Counter = readonly [id: string, max: number, seconds?: number]

/**
 * Counts an attempt in each counter, in order, up to the first that is full: what is refused here
 * counts nowhere else. Throws `rate_limited` with the seconds to wait.
 */
async function count(counters: readonly Counter[]): Promise<void> {
  for (const [id, max, seconds] of counters) {
    const { allowed, reset_s: retryAfter } = await hit(id, max, seconds)
    if (allowed) continue
    throw new AppError('rate_limited', `Too many attempts. Try again in ${retryAfter} seconds.`, { retryAfter })
  }
}

function sourceCounters(headers: Headers): Counter[] {
  const address = clientAddress(headers)
  const wide = networkPrefix(address)
  return [
    [`enter:address:${address}`, PER_MINUTE.address],
    ...(wide === null ? [] : [[`enter:network:${wide}`, PER_MINUTE.network] as const]),
  ]
}

/**
 * Counts an attempt to sign in to an account. A device that signed in to it before has a separate
 * counter and no other, so that strangers who try the same account cannot keep its owner out.
 * Throws `rate_limited`.
 */
export async function countSignIn(headers: Headers, email: string): Promise<void> {
  const device = knownDeviceId(headers, email)
  if (device) return count([[`enter:device:${device}`, PER_MINUTE.device]])
  const address = clientAddress(headers)
  await count([
    ...sourceCounters(headers),
    [`enter:email-from:${networkPrefix(address) ?? address}:${email}`, PER_MINUTE.emailFrom],
    [`enter:email:${email}`, PER_MINUTE.email],
  ])
}

/**
 * Counts an attempt to open an account, which tries no password of anybody's. Throws
 * `rate_limited`.
 */
export const countSignUp = (headers: Headers): Promise<void> => count(sourceCounters(headers))

/**
 * Links to set a new password that may be asked for in an hour: for one account from one network,
 * so that nobody fills its mailbox, and from everywhere, which is more, so that nobody keeps its
 * owner from getting one.
 */
const RESETS_PER_HOUR = { emailFrom: 3, email: 12 }
const HOUR_S = 3_600
const CHANGES_PER_HOUR = 10
const EXPORTS_PER_HOUR = 5

/**
 * Counts a request for a link to set a new password, whether or not the address has an account.
 * Throws `rate_limited`.
 */
export async function countResetRequest(headers: Headers, email: string): Promise<void> {
  const address = clientAddress(headers)
  await count([
    ...sourceCounters(headers),
    [`reset:email-from:${networkPrefix(address) ?? address}:${email}`, RESETS_PER_HOUR.emailFrom, HOUR_S],
    [`reset:email:${email}`, RESETS_PER_HOUR.email, HOUR_S],
  ])
}

/** Counts a request for a link to open an account, which sends e-mail. Throws `rate_limited`. */
export async function countSignUpRequest(headers: Headers, email: string): Promise<void> {
  const address = clientAddress(headers)
  await count([
    ...sourceCounters(headers),
    [`sign-up:email-from:${networkPrefix(address) ?? address}:${email}`, RESETS_PER_HOUR.emailFrom, HOUR_S],
    [`sign-up:email:${email}`, RESETS_PER_HOUR.email, HOUR_S],
  ])
}

/** Counts a change of an owner's e-mail address, which sends e-mail. Throws `rate_limited`. */
export const countEmailChange = (ownerId: number): Promise<void> =>
  count([[`change-email:${ownerId}`, CHANGES_PER_HOUR, HOUR_S]])

/** Second factors that may be tried: few, because a code has six digits only. */
const FACTORS = { perMinute: 10, perHour: 30 }

/**
 * Counts a second factor of somebody who gave the first. As with passwords, a device that signed in
 * before has counters of its own. Throws `rate_limited`.
 */
export async function countFactorAttempt(
  headers: Headers,
  { ownerId, email }: { ownerId: number; email: string },
): Promise<void> {
  const device = knownDeviceId(headers, email)
  const of = device ? `device:${device}` : `owner:${ownerId}`
  await count([
    ...(device ? [] : sourceCounters(headers)),
    [`factor:${of}`, FACTORS.perMinute],
    [`factor-hour:${of}`, FACTORS.perHour, HOUR_S],
  ])
}

/** Counts a question to passkeys, or an answer of one. Throws `rate_limited`. */
export const countPasskeyRequest = (headers: Headers): Promise<void> => count(sourceCounters(headers))

/** Counts a proof of whoever is signed in that they are the owner. Throws `rate_limited`. */
export const countProof = (ownerId: number): Promise<void> =>
  count([
    [`enter:password:${ownerId}`, PER_MINUTE.password],
    [`proof-hour:${ownerId}`, FACTORS.perHour, HOUR_S],
  ])

/** Counts an export of an owner's data, which reads all of it. Throws `rate_limited`. */
export const countExport = (ownerId: number): Promise<void> => count([[`export:${ownerId}`, EXPORTS_PER_HOUR, HOUR_S]])

/** Counts the use of a link that was e-mailed. Throws `rate_limited`. */
export const countLinkUse = (headers: Headers): Promise<void> => count(sourceCounters(headers))

/** Requests of OAuth clients in a minute, which many people behind one address may send. */
const OAUTH_PER_MINUTE = { register: { address: 60, network: 240 }, token: { address: 240, network: 960 } }

/**
 * Counts a registration of an OAuth client, or an exchange or revocation by one. Throws
 * `rate_limited`.
 */
export async function countOAuthRequest(headers: Headers, kind: keyof typeof OAUTH_PER_MINUTE): Promise<void> {
  const address = clientAddress(headers)
  const wide = networkPrefix(address)
  const max = OAUTH_PER_MINUTE[kind]
  await count([
    [`oauth-${kind}:address:${address}`, max.address],
    ...(wide === null ? [] : [[`oauth-${kind}:network:${wide}`, max.network] as const]),
  ])
}

/** Counts a consent page that an owner opens, which may fetch a client's metadata. */
export const countConsentPage = (ownerId: number): Promise<void> =>
  count([[`oauth-consent:${ownerId}`, PER_MINUTE.consents]])

/** Counts a try of an owner's own password by whoever is signed in. Throws `rate_limited`. */
export const countPasswordAttempt = (ownerId: number): Promise<void> =>
  count([[`enter:password:${ownerId}`, PER_MINUTE.password]])

/** Counts a turn of an owner at the playground. Throws `rate_limited` with the seconds to wait. */
export async function countPlaygroundTurn(ownerId: number): Promise<void> {
  const { allowed, reset_s: retryAfter } = await hit(`turn:${ownerId}`, PER_MINUTE.turns)
  if (allowed) return
  const text = `At most ${PER_MINUTE.turns} turns a minute here. Try again in ${retryAfter} seconds.`
  throw new AppError('rate_limited', text, { retryAfter })
}

/**
 * The caller's address for rate limits. The HTTP server adds the socket's address. Of
 * X-Forwarded-For, as many entries count as there are trusted proxies, from the right: the caller
 * can forge the rest. An IPv6 caller is its /64, which is what one household or machine gets.
 */
export function clientAddress(headers: Headers, hops = env().TRUST_PROXY): string {
  const peer = headers.get('x-tollgate-peer') ?? 'local'
  const claimed = (headers.get('x-forwarded-for') ?? '').split(',').map((a) => a.trim())
  const forwarded = hops > 0 ? claimed.at(-Math.min(hops, claimed.length)) : undefined
  const address = forwarded && isIP(forwarded) ? forwarded : peer
  return isIP(address) === 6 ? prefixOf(address, 64) : address
}

/**
 * The network around a caller's address, which one customer of a provider often holds whole: the
 * /24 of an IPv4 address, the /48 of an IPv6 one. null for what is no address.
 */
export function networkPrefix(address: string): string | null {
  if (isIP(address) === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  const prefix = address.replace(/\/64$/, '')
  return isIP(prefix) === 6 ? prefixOf(prefix, 48) : null
}

/** The first bits of an IPv6 address, written out; an IPv4 address mapped into IPv6 is itself. */
function prefixOf(address: string, bits: 48 | 64): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [head = '', tail] = (address.toLowerCase().split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const gap = tail === undefined ? 0 : Math.max(8 - left.length - right.length, 0)
  const groups = [...left, ...Array<string>(gap).fill('0'), ...right]
  return `${groups
    .slice(0, bits / 16)
    .map((g) => g.replace(/^0+(?=.)/, ''))
    .join(':')}::/${bits}`
}
