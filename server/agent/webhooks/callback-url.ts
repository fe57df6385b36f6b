import { isIP } from 'node:net'
import { privateHosts } from '../../chat/media-url'
import { env } from '../../env'
import { invalidRequest } from '../../errors'
import { bareHost } from '../../kit/dial'
import { isPublicAddress } from '../../kit/public-address'
import type { ResolveHost } from '../../kit/resolve'
import { parseTarget, SafeFetchError } from '../../kit/safe-fetch'

const refuse = (message: string) => invalidRequest([{ path: ['callbackUrl'], message }])

const NOT_PUBLIC = 'leads to an address that is not on the public internet'

const LOCAL = new Set(['localhost', '127.0.0.1', '::1'])

const hostPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`

/**
 * Private hosts that a callback URL may name: those that the operator allows; and this machine in
 * sandbox mode, where nobody else reaches the service.
 */
export function allowedCallbackHosts(url: URL): readonly string[] {
  const { ALLOW_PRIVATE_HOSTS, UPSTREAMS, HOST = '' } = env()
  const isLocal = UPSTREAMS === 'sandbox' && LOCAL.has(bareHost(HOST)) && LOCAL.has(bareHost(url.hostname))
  return isLocal ? [...ALLOW_PRIVATE_HOSTS, hostPort(url)] : ALLOW_PRIVATE_HOSTS
}

const isAllowed = (url: URL): boolean => allowedCallbackHosts(url).includes(hostPort(url))

/**
 * A callback URL as it is called: normalized, without a fragment. Throws `invalid_request` for what
 * is no http(s) URL, has credentials, or names an address that is not public.
 */
export function parseCallbackUrl(text: string): string {
  const url = parsed(text)
  url.hash = ''
  const host = bareHost(url.hostname)
  if (!isAllowed(url) && isIP(host) !== 0 && !isPublicAddress(host)) throw refuse(NOT_PUBLIC)
  return url.href
}

function parsed(text: string): URL {
  try {
    return parseTarget(text)
  } catch (error) {
    if (error instanceof SafeFetchError)
      throw refuse(`must be an http or https URL without credentials: ${error.message}`)
    throw error
  }
}

/**
 * Resolves a callback URL's name once, so that the caller learns of a private one right away. Every
 * delivery checks the address it connects to again. Throws `invalid_request`.
 */
export async function refusePrivateCallback(href: string, resolve?: ResolveHost): Promise<void> {
  if (isAllowed(new URL(href))) return
  if ((await privateHosts([href], resolve)).size > 0) throw refuse(NOT_PUBLIC)
}
