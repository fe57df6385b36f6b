import { readFileSync } from 'node:fs'

/**
 * Whom root hands processes to that need none of its rights. Numbers without accounts, from a range
 * that neither distributions nor systemd give away: each can touch its own files only, not those of
 * the other, nor of `nobody`, whom other services may use as well.
 */
const IDS = { database: 60_710, browser: 60_711 } as const
/** The account for processes without rights that every system has. */
export const NOBODY_ID = 65_534

/**
 * The user id, and group id, of a process that root starts for this purpose; `nobody` where that
 * number is not mapped.
 */
export function unprivilegedId(purpose: keyof typeof IDS): number {
  const id = IDS[purpose]
  return isMappedId(id, idMap()) ? id : NOBODY_ID
}

/**
 * True when a user namespace has a user id. `map` has lines of first id inside, first id outside
 * and count.
 */
export const isMappedId = (id: number, map: string): boolean =>
  map
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .some(([first = 0, , count = 0]) => id >= first && id < first + count)

function idMap(): string {
  try {
    return readFileSync('/proc/self/uid_map', 'utf8')
  } catch {
    // No Linux, so no namespaces.
    return '0 0 4294967295'
  }
}
