import { env } from '../env'
import { lazy } from '../kit/lazy'

type Hosts = { sites: string | null; isApart: boolean }

/** Two labels are taken for one owner's domain: too careful under endings such as co.uk, never too trusting. */
const domainOf = (hostname: string) =>
  /^[\d.]+$|:/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.')

/** The hosts that the settings name, worked out once. */
export const siteHosts = lazy<Hosts>(() => {
  const { SITES_URL, PUBLIC_URL } = env()
  if (!SITES_URL) return { sites: null, isApart: false }
  const [sites, own] = [new URL(SITES_URL), new URL(PUBLIC_URL)]
  return { sites: sites.host, isApart: domainOf(sites.hostname) !== domainOf(own.hostname) }
})

/** What a host serves: pages of sites alone, everything but them, or, where sites have no host of their own, both. */
export function contentServedAt(host: string | null | undefined): 'sites' | 'service' | 'both' {
  const { sites } = siteHosts()
  if (sites === null) return 'both'
  return host?.toLowerCase() === sites ? 'sites' : 'service'
}

/** True where sites are under a domain that shares no cookies with the dashboard's. */
export const haveSitesOwnDomain = (): boolean => siteHosts().isApart

/** True when a request may not be answered: it asks the sites' own host for something else. */
export const isRefusedOnSitesHost = (host: string | null | undefined, path: string): boolean =>
  !path.startsWith('/sites/') && contentServedAt(host) === 'sites'
