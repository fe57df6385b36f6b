import { isIP } from 'node:net'
import { isPublicAddress } from '../kit/public-address'
import { rejectOnAbort } from '../kit/reject-on-abort'
import { type ResolveHost, resolveFor } from '../kit/resolve'

/** A media URL for an upstream, or why it is refused. */
export type MediaUrl = { href: string } | { wrong: string }

/** Longest time for resolving a name. */
const RESOLVE_MS = 3_000

const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)\.?$/i
const NOT_PUBLIC = { wrong: 'is not on the public internet' }
const INLINE_IMAGE = /^data:image\/[\w.+-]+;base64,[A-Za-z0-9+/=\s]+$/

/**
 * Parses the URL of an image or other media. The upstream gets `href`, as the URL parser understood
 * it, never the caller's text: another parser could find another host in
 * `https://example.com\@127.0.0.1/`.
 */
export function parseMediaUrl(url: unknown): MediaUrl {
  if (typeof url !== 'string') return { wrong: 'must be an https URL or a data: URI' }
  if (url.startsWith('data:'))
    return INLINE_IMAGE.test(url.slice(0, 200)) ? { href: url } : { wrong: 'must be a base64 data: URI of an image' }
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol !== 'https:') return { wrong: 'must be an https URL or a data: URI' }
  if (parsed.username || parsed.password) return { wrong: 'must not carry credentials' }
  const host = hostOf(parsed)
  const isPrivate = isIP(host) ? !isPublicAddress(host) : LOCAL_NAME.test(host) || !/.\../.test(host)
  return isPrivate ? NOT_PUBLIC : { href: parsed.href }
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * The hosts of these URLs that resolve to an address that is not public. A provider on the public
 * internet cannot reach such an address; one inside the operator's network could, and would fetch
 * it for a stranger. Names that do not resolve here are left to the provider. It resolves them
 * again, so it must guard against names that change in between: we do not fetch for it, because
 * images of 20 MB would go through our memory to every upstream that is tried.
 */
export async function privateHosts(
  hrefs: readonly string[],
  resolve: ResolveHost = resolveFor(),
): Promise<ReadonlySet<string>> {
  const hosts = [...new Set(hrefs.filter((href) => !href.startsWith('data:')).map((href) => hostOf(new URL(href))))]
  const names = hosts.filter((host) => isIP(host) === 0)
  // As most requests: without the timer, which would outlive them.
  if (names.length === 0) return new Set()
  const signal = AbortSignal.timeout(RESOLVE_MS)
  const found = await Promise.all(
    names.map((name) => rejectOnAbort(resolve(name, 0), signal).then(isAnyPrivate, () => false)),
  )
  return new Set(names.filter((_, i) => found[i]))
}

const isAnyPrivate = (found: readonly { address: string }[]) => found.some(({ address }) => !isPublicAddress(address))

/** True for a URL of one of these hosts. */
export const isOnHost = (hosts: ReadonlySet<string>, href: string): boolean =>
  !href.startsWith('data:') && hosts.has(hostOf(new URL(href)))
