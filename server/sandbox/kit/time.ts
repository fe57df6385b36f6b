export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** A midnight so many days ago, in milliseconds: current, and the same all day. */
export const daysAgo = (days: number): number => (Math.floor(Date.now() / DAY_MS) - days) * DAY_MS

export const isoTime = (ms: number): string => new Date(ms).toISOString()

const DAY_MINUTES = 1440

/**
 * The time of something that is this many minutes old, in milliseconds: ages stay the same, so that
 * what is simulated looks current on any day. What is older than a day moves at midnight only.
 */
export const timeOfAge = (minutes: number, now = Date.now()): number =>
  presentFor(minutes, now) - Math.round(minutes) * MINUTE_MS

/** Now, as something so old sees it: it moves every ten minutes, or daily once older than a day. */
export function presentFor(minutes: number, now = Date.now()): number {
  const step = (minutes < DAY_MINUTES ? 10 : DAY_MINUTES) * MINUTE_MS
  return Math.floor(now / step) * step
}

/** An age in minutes between two, with as many young as old ones on a logarithmic scale. */
export const ageOf = (chance: number, youngest: number, oldest: number): number =>
  youngest * (oldest / youngest) ** chance
