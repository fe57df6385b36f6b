const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/**
 * The time of something that is this many minutes old, in milliseconds: ages stay the same, so that
 * what is simulated looks current on any day. What is older than a day moves at midnight only.
 */
export function timeOfAge(minutes: number, now = Date.now()): number {
  const step = (minutes < DAY_MINUTES ? 10 : DAY_MINUTES) * MINUTE_MS
  return Math.floor(now / step) * step - Math.round(minutes) * MINUTE_MS
}

/** An age in minutes between two, with as many young as old ones on a logarithmic scale. */
export const ageOf = (chance: number, youngest: number, oldest: number): number =>
  youngest * (oldest / youngest) ** chance
