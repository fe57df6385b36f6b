const MINUTE_MS = 60_000
const UNITS: readonly [string, number][] = [
  ['year', 365 * 1440],
  ['month', 30 * 1440],
  ['week', 7 * 1440],
  ['day', 1440],
  ['hour', 60],
]

/** `3 days ago`, as the site writes it. */
export function ageInWords(publishedMs: number, nowMs = Date.now()): string {
  const minutes = Math.max(1, Math.floor((nowMs - publishedMs) / MINUTE_MS))
  const [unit, size] = UNITS.find(([, one]) => minutes >= one) ?? ['minute', 1]
  const count = Math.floor(minutes / size)
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}
