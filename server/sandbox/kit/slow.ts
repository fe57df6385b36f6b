import { setTimeout as sleep } from 'node:timers/promises'

const SLOW_MS = 5_000

let hurry = new AbortController()

/** Takes the 5 s of a slow provider, or until `hurrySlow`. */
export const beSlow = (): Promise<void> => sleep(SLOW_MS, undefined, { signal: hurry.signal }).catch(() => {})

/** Ends the waits of slow providers, and those to come, until `resetSlow`. */
export const hurrySlow = (): void => hurry.abort()

export function resetSlow(): void {
  hurry = new AbortController()
}
