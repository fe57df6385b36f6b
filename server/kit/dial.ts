import { isIP, type LookupFunction } from 'node:net'
import { blockedError, checkedLookup, isBlockedError, isPublicAddress, lookupThrough } from './public-address'
import { type ResolveHost, resolveFor, systemResolve } from './resolve'

/** Settings of the guard. */
export type AddressGuard = {
  /** Which `host:port` may be private, as written in the URL. */
  allow?: ReadonlySet<string> | readonly string[]
  /** Whose names they are: the lookups of one owner take no other's turn. */
  owner?: string
  /** How names are looked up, instead. */
  resolve?: ResolveHost
}

/** Why a target was not reached; `failed` is the only one after which bytes may have gone out. */
export type DialFailure = 'blocked' | 'unresolved' | 'refused' | 'timeout' | 'failed'

/** A host as net.connect wants it: IPv6 without its brackets. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * The lookup with which a connection to `hostname:port` must be made. Throws a blocked error at
 * once for an address that is not public, because Node looks literal addresses up nowhere.
 */
export function guardedLookup(guard: AddressGuard, hostname: string, port: number): LookupFunction {
  const { allow = [], owner, resolve } = guard
  if (new Set(allow).has(`${hostname.toLowerCase()}:${port}`)) return lookupThrough(resolve ?? systemResolve)
  // As URLs write it: 2130706433 and 0x7f.1 are addresses too.
  const host = bareHost(URL.parse(`http://${hostname}`)?.hostname ?? hostname)
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw blockedError(host)
  return checkedLookup(resolve ?? resolveFor(owner))
}

const UNRESOLVED = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME', 'ENODATA', 'ESERVFAIL'])
const REFUSED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EINVAL'])
const TIMEOUT = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'])

/** What a failed connection attempt means. */
export function dialFailure(error: unknown): DialFailure {
  if (isBlockedError(error)) return 'blocked'
  const first = error instanceof AggregateError ? error.errors[0] : error
  const code = String((first as { code?: unknown } | null)?.code ?? '')
  if (UNRESOLVED.has(code)) return 'unresolved'
  if (REFUSED.has(code)) return 'refused'
  return TIMEOUT.has(code) ? 'timeout' : 'failed'
}
