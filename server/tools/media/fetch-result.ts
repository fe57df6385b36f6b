import { env } from '../../env'
import { AppError } from '../../errors'
import { SafeFetchError, safeFetch } from '../../kit/safe-fetch'
import type { Upstream } from '../../models/shape'
import { authorizationHeader } from './call-upstream'

/** Largest image and largest video that are accepted, in bytes. */
export const MAX_MEDIA_BYTES = { image: 32 * 1024 * 1024, video: 256 * 1024 * 1024 } as const

type Fetch = { signal: AbortSignal; maxBytes: number }

/** The bytes of a base64 `data:` URI, or null for anything else. */
export function decodeDataUri(uri: string): Buffer | null {
  const [head, base64] = [uri.slice(0, uri.indexOf(',')), uri.slice(uri.indexOf(',') + 1)]
  return /^data:[^,]*;base64$/i.test(head) ? Buffer.from(base64, 'base64') : null
}

/**
 * The bytes at an address from a provider's response: a `data:` URI, or a URL, which goes through
 * the SSRF guard because the response may name any host. Throws `upstream_error`, without the
 * address: it may be signed.
 */
export async function fetchResult(address: string, { signal, maxBytes }: Fetch): Promise<Buffer> {
  if (/^data:/i.test(address)) return decodeDataUri(address) ?? fail('is not encoded as expected')
  return fetchGuarded(address, { signal, maxBytes, allow: env().ALLOW_PRIVATE_HOSTS })
}

/**
 * The bytes at an address of the upstream itself, with its key, which is not sent to another host
 * on a redirect.
 */
export async function fetchFromUpstream(url: string, upstream: Upstream, { signal, maxBytes }: Fetch): Promise<Buffer> {
  const { host, port, protocol, hostname } = new URL(upstream.baseUrl)
  const own = port === '' ? `${hostname}:${protocol === 'https:' ? 443 : 80}` : host
  const allow = [...env().ALLOW_PRIVATE_HOSTS, own]
  return fetchGuarded(url, { signal, maxBytes, allow, headers: authorizationHeader(upstream) })
}

async function fetchGuarded(url: string, options: Parameters<typeof safeFetch>[1]): Promise<Buffer> {
  try {
    const { status, body } = await safeFetch(url, options)
    return status === 200 ? body : fail(`cannot be fetched (HTTP ${status})`)
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error
    options.signal.throwIfAborted()
    throw new AppError('upstream_error', `The provider’s result cannot be fetched (${error.kind}).`, { cause: error })
  }
}

function fail(why: string): never {
  throw new AppError('upstream_error', `The provider’s result ${why}.`)
}
