import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { env } from '../env'
import { cookieIn, type SessionCookie, usesSecureCookies } from './session'

/** Days a device is known after it last signed in, in seconds. */
const DEVICE_SECONDS = 180 * 86_400
/** Accounts that one device is known to. */
const MAX_ACCOUNTS = 5
const TAG_BYTES = 16

const deviceCookieName = (): string => `${usesSecureCookies() ? '__Secure-' : ''}tollgate.device`

/**
 * Says that the device with this id signed in to the account of this e-mail address. Only we can
 * make it.
 */
function tagOf(id: string, email: string): string {
  const key = createHmac('sha256', env().AUTH_SECRET).update('tollgate known device').digest()
  const tag = createHmac('sha256', key).update(`${id}\n${email}`).digest()
  return tag.subarray(0, TAG_BYTES).toString('base64url')
}

/**
 * A device's id and the tags of its accounts, as its cookie states them; nothing is checked yet.
 */
function readCookie(headers: Headers): { id: string; tags: string[] } | null {
  const value = cookieIn(headers, deviceCookieName())
  const [id = '', ...tags] = (value ?? '').slice(0, 1_000).split('.')
  return /^[\w-]{22}$/.test(id) ? { id, tags: tags.slice(0, MAX_ACCOUNTS) } : null
}

const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * The id of the device that sent these headers, if it has signed in to this account before; else
 * null.
 */
export function knownDeviceId(headers: Headers, email: string): string | null {
  const device = readCookie(headers)
  if (!device) return null
  const tag = tagOf(device.id, email)
  return device.tags.some((each) => isEqual(each, tag)) ? device.id : null
}

/**
 * The cookie that identifies a device after it has signed in. It only selects a separate rate
 * counter. Accounts that the device signed in to before stay known, the newest five.
 */
export function makeDeviceCookie(headers: Headers, email: string): SessionCookie {
  const device = readCookie(headers)
  const id = device?.id ?? randomBytes(16).toString('base64url')
  const tag = tagOf(id, email)
  const tags = [tag, ...(device?.tags ?? []).filter((each) => each !== tag)].slice(0, MAX_ACCOUNTS)
  return {
    name: deviceCookieName(),
    value: [id, ...tags].join('.'),
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure: usesSecureCookies(), maxAge: DEVICE_SECONDS },
  }
}
