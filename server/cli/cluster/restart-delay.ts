/**
 * A process that has run for so long is started again at once; others wait, twice as long each
 * time.
 */
const STEADY_MS = 10_000
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 30_000

/** After so many failures in a row, a process that nothing else makes up for is given up. */
export const MAX_FAILURES = 5

/** How often a process has failed in a row, and when to start it again, milliseconds. */
export type Restart = { failures: number; delayMs: number }

/** Counts the ends of one process: call the result with how long each has run, milliseconds. */
export function countFailures(): (ranMs: number) => Restart {
  let failures = 0
  return (ranMs) => {
    failures = ranMs > STEADY_MS ? 0 : failures + 1
    return { failures, delayMs: Math.min(LONGEST_DELAY_MS, failures === 0 ? 0 : FIRST_DELAY_MS * 2 ** failures) }
  }
}
