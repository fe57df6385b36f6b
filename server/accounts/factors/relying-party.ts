import { isIP } from 'node:net'
import { env } from '../../env'

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/

/** Whose passkeys they are: a domain, and the origin where browsers use them. */
export type RelyingParty = { id: string; origin: string }

/**
 * This site, to authenticators. Browsers want a domain and https, or `localhost`, by which a
 * service on a loopback address is reached, too. Null where there is none: no passkeys.
 */
export function relyingParty(publicUrl = env().PUBLIC_URL): RelyingParty | null {
  const url = new URL(publicUrl)
  const isLoopback = LOOPBACK.test(url.hostname)
  if (isLoopback) url.hostname = 'localhost'
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) || (url.protocol !== 'https:' && !isLoopback)) return null
  return { id: url.hostname, origin: url.origin }
}
