const DAY_MS = 86_400_000

/**
 * A midnight so many days before the present day, in milliseconds: what the sandbox dates stays
 * current, and is the same all day.
 */
export const daysAgo = (days: number): number => (Math.floor(Date.now() / DAY_MS) - days) * DAY_MS

export const isoTime = (ms: number): string => new Date(ms).toISOString()
