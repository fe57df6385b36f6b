import { siteHosting } from '../env/site-hosting'

/** What a host serves: only sites, everything but sites, or, where SITES_URL is not set, both. */
export function contentServedAt(host: string | null | undefined): 'sites' | 'service' | 'both' {
  const hosting = siteHosting()
  if (hosting.kind === 'none') return 'both'
  const name = host?.toLowerCase() ?? ''
  const isSites = hosting.kind === 'own' ? name.endsWith(`.${hosting.domain}`) : name === hosting.host
  return isSites ? 'sites' : 'service'
}

/** The site whose origin a host is; null: it is not that of one. */
export function siteNameAt(host: string | null | undefined): string | null {
  const hosting = siteHosting()
  if (hosting.kind !== 'own' || !host) return null
  const name = host.toLowerCase()
  const label = name.endsWith(`.${hosting.domain}`) ? name.slice(0, -hosting.domain.length - 1) : ''
  return /^[a-z0-9-]{1,63}$/.test(label) ? label : null
}

/**
 * A request's target as handlers know it: at a site's origin, `/a/?b` is `/sites/<name>/a/?b`.
 * Dot segments lead nowhere out of the site.
 */
export function targetWithSite(host: string | null | undefined, target: string): string {
  const name = siteNameAt(host)
  if (name === null || !target.startsWith('/')) return target
  const { pathname, search } = new URL(`http://site${target}`)
  return `/sites/${name}${pathname}${search}`
}

/** True where every site has an origin that shares nothing with another's or the dashboard's. */
export const haveSitesOwnOrigins = (): boolean => {
  const hosting = siteHosting()
  return hosting.kind === 'own' && hosting.isApart
}

/** True for a request to the host of sites that asks for something else. */
export function isRefusedOnSitesHost(host: string | null | undefined, path: string): boolean {
  if (contentServedAt(host) !== 'sites') return false
  return siteHosting().kind === 'own' ? siteNameAt(host) === null : !path.startsWith('/sites/')
}
