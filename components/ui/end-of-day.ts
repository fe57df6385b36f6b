/** Milliseconds that a zone is ahead of UTC at a time. */
function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - at
}

/** The last second of a day (YYYY-MM-DD) in a zone; null for what is not a day. */
export function endOfDay(day: string, timeZone: string): Date | null {
  const asUtc = Date.parse(`${day}T23:59:59Z`)
  if (Number.isNaN(asUtc)) return null
  // The clocks may change between the first guess and the end of the day.
  const guess = asUtc - offsetMs(asUtc, timeZone)
  return new Date(asUtc - offsetMs(guess, timeZone))
}

/** The day of a time in a zone, YYYY-MM-DD. */
export const dayIn = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(new Date(at))
