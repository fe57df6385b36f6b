/** The ranges of the job list, by the day on which jobs were started. */
const JOB_RANGES = {
  today: 'Today',
  week: '7 days',
  days30: '30 days',
  month: 'This month',
} as const
export type JobRange = keyof typeof JOB_RANGES

export const isJobRange = (value: unknown): value is JobRange => typeof value === 'string' && value in JOB_RANGES

const DAY_MS = 86_400_000

/** The choices of days, as the URL names them; null: any. */
export const JOB_RANGE_PRESETS = [...Object.entries(JOB_RANGES), [null, 'All'] as const]

/** A day in a time zone, as YYYY-MM-DD. */
const dayIn = (timeZone: string, at: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone }).format(at)

/** The first day of a range that ends today, in the owner's time zone. */
export function firstDayOf(range: JobRange, timeZone: string, now = new Date()): string {
  const today = dayIn(timeZone, now)
  if (range === 'today') return today
  if (range === 'month') return `${today.slice(0, 8)}01`
  const daysBefore = range === 'week' ? 6 : 29
  return new Date(new Date(`${today}T00:00:00Z`).getTime() - daysBefore * DAY_MS).toISOString().slice(0, 10)
}
