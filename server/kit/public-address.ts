import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { ResolveHost } from './resolve'

/** Public by range, yet answered by the cloud host the machine runs on. */
const HOST_SERVICES = new Set(['168.63.129.16'])

/** All of IPv6 that is handed out for global use; ipaddr.js calls unassigned space unicast too. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * True for an address on the public internet. False for every private, local, reserved, multicast,
 * translated or tunnelled one (also when what is wrapped in it is public: nobody needs those
 * forms), and for what is no address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false
  const ip = ipaddr.parse(address)
  if (ip.range() !== 'unicast' || HOST_SERVICES.has(address)) return false
  return ip.kind() === 'ipv4' || ip.match(GLOBAL_V6)
}

const BLOCKED = 'EBLOCKED'

/** The error of a connection that the guard forbids. */
export const blockedError = (host: string): Error =>
  Object.assign(new Error(`${host} is not a public address`), { code: BLOCKED })

export const isBlockedError = (error: unknown): boolean =>
  error instanceof AggregateError ? error.errors.some(isBlockedError) : (error as { code?: unknown })?.code === BLOCKED

/**
 * A `lookup` for net.connect and tls.connect. The connection uses the very addresses that were
 * checked, so a name that changes its mind between check and use (DNS rebinding) gains nothing. One
 * address that is not public fails the lookup.
 */
export function checkedLookup(resolve: ResolveHost): LookupFunction {
  return lookupThrough(async (hostname, family) => {
    const found = await resolve(hostname, family)
    if (!found.every(({ address }) => isPublicAddress(address))) throw blockedError(hostname)
    return found
  })
}

/** The same form without the check, for hosts the operator named. */
export function lookupThrough(resolve: ResolveHost): LookupFunction {
  return (hostname, options, callback) => {
    const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : (options.family ?? 0)
    resolve(hostname, family).then(
      (found) => {
        const first = found[0]
        if (!first) return callback(Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' }), '')
        if (options.all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}
