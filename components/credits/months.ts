/** A month (YYYY-MM) and those before it, the latest first. */
export function monthsUntil(month: string, count: number): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(year, number - 1 - back, 1)).toISOString().slice(0, 7),
  )
}

const names = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `November 2026` of 2026-11. */
export const monthName = (month: string): string => names.format(new Date(`${month}-01T00:00:00Z`))
