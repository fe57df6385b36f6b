const DAY_MS = 86_400_000

/** Days by what the search engines call them. */
const DAYS: Record<string, number> = { pd: 1, pw: 7, pm: 31, py: 365, day: 1, week: 7, month: 31, year: 365 }

/** The time before which a page is too old, in milliseconds; undefined: none is. */
export function agesAgo(name: string | null): number | undefined {
  const days = name === null ? undefined : DAYS[name]
  return days === undefined ? undefined : Date.now() - days * DAY_MS
}
