const STEPS: [limit: number, seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 1, 'second'],
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [30 * 86_400, 86_400, 'day'],
  [365 * 86_400, 30 * 86_400, 'month'],
  [Number.POSITIVE_INFINITY, 365 * 86_400, 'year'],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/** A relative time: "3 min. ago", "in 2 days", "now". */
export function formatRelativeTime(at: Date, now = new Date()): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  if (Math.abs(seconds) < 5) return 'now'
  const step = STEPS.find(([limit]) => Math.abs(seconds) < limit)
  return step ? relative.format(Math.trunc(seconds / step[1]), step[2]) : at.toISOString()
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(locale: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone}`
  const made =
    formats.get(key) ??
    new Intl.DateTimeFormat(locale, {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
    })
  formats.set(key, made)
  return made
}

type Parts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>

const partsIn = (locale: string, timeZone: string, at: Date): Parts =>
  Object.fromEntries(
    formatIn(locale, timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )

/** An exact time to the second, with the abbreviation of its zone: "2026-11-22 19:05:06 CET". */
export function formatExactTime(iso: string, timeZone = 'UTC'): string {
  const at = new Date(iso)
  const { year, month, day, hour, minute, second, timeZoneName: american } = partsIn('en-US', timeZone, at)
  // The American locale abbreviates American zones only, the British one European zones.
  const name = american?.startsWith('GMT') ? partsIn('en-GB', timeZone, at).timeZoneName : american
  return `${year}-${month}-${day} ${hour}:${minute}:${second} ${name}`
}

/** A duration with its unit. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
