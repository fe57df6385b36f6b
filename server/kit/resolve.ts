import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { makeFairSlots, QueueFullError } from './fair-slots'

/** An address of a name. */
type FoundAddress = { address: string; family: number }

/** Looks a name up: every address it has. Replaceable, so that tests can play a DNS server. */
export type ResolveHost = (hostname: string, family: number) => Promise<FoundAddress[]>

/** How long names of the operator's own hosts are kept, milliseconds. */
const KEEP_MS = 30_000
/** A question to a name server, and all questions of a lookup, milliseconds. */
const ASK_MS = 2_000
const LOOKUP_MS = 6_000

const kept = new LRUCache<string, Promise<FoundAddress[]>>({ max: 1_000, ttl: KEEP_MS })

/**
 * What the operating system says, hosts file included, kept for 30 s: for hosts that the operator
 * names. Each lookup occupies one of the few threads of the process, also when nobody waits any
 * longer: never for a name that a stranger gives.
 */
export const systemResolve: ResolveHost = (hostname, family) => {
  const name = `${family} ${hostname}`
  const known = kept.get(name)
  if (known) return known
  const found = systemLookup(hostname, { all: true, family })
  kept.set(name, found)
  found.catch(() => kept.delete(name))
  return found
}

/** Lookups in progress: an owner whose names are slow waits for those, and nobody else does. */
const slots = makeFairSlots({ slots: 128, perOwner: 16, queuedPerOwner: 256, queued: 4_096 })

const failure = (code: string, hostname: string): Error => Object.assign(new Error(`${code} ${hostname}`), { code })

/**
 * Looks up names that strangers give, without a thread: asks the name servers directly and gives up
 * after 6 s. `owner`: who gave the name; lookups of one owner take no other's turn. `servers`:
 * `host:port` instead of the machine's. Rejects with ENOTFOUND, or EAI_AGAIN where no server
 * answered.
 */
export const resolveFor =
  (owner = '', servers?: readonly string[]): ResolveHost =>
  async (hostname, family) => {
    // Never asked of a server (RFC 6761).
    if (/(^|\.)localhost\.?$/i.test(hostname)) return LOOPBACK.filter((each) => !family || each.family === family)
    const release = await slots.take(owner).catch((error: unknown) => {
      throw error instanceof QueueFullError ? failure('EAI_AGAIN', hostname) : error
    })
    try {
      return await ask(hostname, family, servers)
    } finally {
      release()
    }
  }

const LOOPBACK: FoundAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** What servers say of a name that does not exist, or not for this family. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

async function ask(hostname: string, family: number, servers?: readonly string[]): Promise<FoundAddress[]> {
  const resolver = new Resolver({ timeout: ASK_MS, tries: 2, maxTimeout: ASK_MS })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), LOOKUP_MS)
  try {
    const asked = await Promise.allSettled([
      family === 6 ? [] : resolver.resolve4(hostname),
      family === 4 ? [] : resolver.resolve6(hostname),
    ])
    const found = asked.flatMap((answer, i) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })) : [],
    )
    if (found.length > 0) return found
    const isAbsent = asked.every((answer) => answer.status === 'fulfilled' || ABSENT.has(answer.reason?.code))
    throw failure(isAbsent ? 'ENOTFOUND' : 'EAI_AGAIN', hostname)
  } finally {
    clearTimeout(timer)
  }
}
