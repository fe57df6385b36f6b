import { env } from '../env'
import { lazy } from '../kit/lazy'

type Hosts = { sites: string | null; isApart: boolean }

/**
 * The last two labels count as one owner's domain: too strict under suffixes such as co.uk, never
 * too lax.
 */
const domainOf = (hostname: string) =>
  /^[\d.]+$|:/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.')

/** The hosts that the settings name, computed once. */
export const siteHosts = lazy<Hosts>(() => {
  const { SITES_URL, PUBLIC_URL } = env()
  if (!SITES_URL) return { sites: null, isApart: false }
  const [sites, own] = [new URL(SITES_URL), new URL(PUBLIC_URL)]
  return { sites: sites.host, isApart: domainOf(sites.hostname) !== domainOf(own.hostname) }
})

/** What a host serves: only sites, everything but sites, or, where SITES_URL is not set, both. */
export function contentServedAt(host: string | null | undefined): 'sites' | 'service' | 'both' {
  const { sites } = siteHosts()
  if (sites === null) return 'both'
  return host?.toLowerCase() === sites ? 'sites' : 'service'
}

/** True where the domain of sites shares no cookies with the dashboard's. */
export const haveSitesOwnDomain = (): boolean => siteHosts().isApart

/** True for a request to the host of sites that asks for something else. */
export const isRefusedOnSitesHost = (host: string | null | undefined, path: string): boolean =>
  !path.startsWith('/sites/') && contentServedAt(host) === 'sites'
