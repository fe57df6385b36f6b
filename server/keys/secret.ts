import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'tg_'
/** What the secrets of management keys begin with. */
export const MANAGEMENT_PREFIX = 'tgm_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET = /^[0-9A-Za-z]{36}$/

/**
 * Six base62 digits of the CRC32 of what precedes them, so that a scanner can recognize a real key.
 */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/**
 * A new bearer value: `tg_` (or another prefix), 30 random base62 digits (178 bits), and their
 * checksum. Shown once, never stored.
 */
export function makeSecret(prefix = PREFIX): string {
  const body = prefix + Array.from({ length: 30 }, () => BASE62[randomInt(62)]).join('')
  return body + checksum(body)
}

/**
 * True when the form and checksum are right: anything else cannot be a key, and no database need be
 * asked.
 */
export const isWellFormedSecret = (secret: string, prefix = PREFIX): boolean =>
  secret.startsWith(prefix) &&
  SECRET.test(secret.slice(prefix.length)) &&
  checksum(secret.slice(0, -6)) === secret.slice(-6)

/** The same for the secret of a key of either kind. */
export const isWellFormedKey = (secret: string): boolean =>
  isWellFormedSecret(secret) || isWellFormedSecret(secret, MANAGEMENT_PREFIX)

/**
 * What is stored of a key: SHA-256, 32 bytes. A fast hash is right here, as the value has 178
 * random bits.
 */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')
