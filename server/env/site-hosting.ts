import { env } from '../env'
import { lazy } from '../kit/lazy'

/**
 * Where sites are served, by SITES_URL: `own`, each at an origin of its own, `<slug>.<domain>`;
 * `shared`, all at one host; `none`, at the service's own address.
 */
export type SiteHosting =
  | { kind: 'own'; protocol: string; domain: string; isApart: boolean }
  | { kind: 'shared'; origin: string; host: string }
  | { kind: 'none'; origin: string }

/** The label that stands for a site's name in SITES_URL. */
const WILDCARD = '*.'

/**
 * The last two labels count as one owner's domain: too strict under suffixes such as co.uk, never
 * too lax.
 */
const domainOf = (hostname: string) =>
  /^[\d.]+$|:/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.')

/** What the settings say of it, computed once. */
export const siteHosting = lazy<SiteHosting>(() => {
  const { SITES_URL, PUBLIC_URL } = env()
  if (!SITES_URL) return { kind: 'none', origin: PUBLIC_URL }
  const { protocol, host, hostname, origin } = new URL(SITES_URL)
  if (!host.startsWith(WILDCARD)) return { kind: 'shared', origin, host }
  const isApart = domainOf(hostname.slice(WILDCARD.length)) !== domainOf(new URL(PUBLIC_URL).hostname)
  return { kind: 'own', protocol, domain: host.slice(WILDCARD.length), isApart }
})

/** The origins of sites, as a security policy names them; null: the service's own. */
export function siteOrigins(): string | null {
  const hosting = siteHosting()
  if (hosting.kind === 'none') return null
  return hosting.kind === 'own' ? `${hosting.protocol}//*.${hosting.domain}` : hosting.origin
}

/** Where a site's pages are served. */
export function siteUrl(slug: string): string {
  const hosting = siteHosting()
  return hosting.kind === 'own' ? `${hosting.protocol}//${slug}.${hosting.domain}/` : `${hosting.origin}/sites/${slug}/`
}
