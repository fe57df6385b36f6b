export type ChartSeries = { name: string; values: number[] }

/** What a bucket of a chart is. */
export type BucketUnit = 'hour' | 'day' | 'week' | 'month'

/** Fill classes by position; all series from the seventh on share the last. */
const CHART_FILLS = [
  'fill-chart-1',
  'fill-chart-2',
  'fill-chart-3',
  'fill-chart-4',
  'fill-chart-5',
  'fill-chart-6',
  'fill-chart-7',
] as const

const CHART_SWATCHES = [
  'bg-chart-1',
  'bg-chart-2',
  'bg-chart-3',
  'bg-chart-4',
  'bg-chart-5',
  'bg-chart-6',
  'bg-chart-7',
] as const

const position = (i: number) => Math.min(i, CHART_FILLS.length - 1)
export const fillClass = (i: number): string => CHART_FILLS[position(i)] ?? ''
export const swatchClass = (i: number): string => CHART_SWATCHES[position(i)] ?? ''

/** The sum of all series, per position. */
export const sumPerPosition = (series: readonly ChartSeries[], length: number): number[] =>
  Array.from({ length }, (_, i) => series.reduce((sum, s) => sum + (s.values[i] ?? 0), 0))

/** "21 Nov" of a YYYY-MM-DD day. */
const formatDay = (day: string): string =>
  new Date(`${day.slice(0, 10)}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })

const formatMonth = (day: string): string =>
  new Date(`${day.slice(0, 10)}T00:00:00Z`).toLocaleDateString('en-GB', {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** A bucket's name from its begin, YYYY-MM-DD or YYYY-MM-DDTHH:MM. */
export function formatBucket(begin: string, unit: BucketUnit): string {
  if (unit === 'hour') return `${formatDay(begin)}, ${begin.slice(11, 16)}`
  if (unit === 'month') return formatMonth(begin)
  return unit === 'week' ? `Week from ${formatDay(begin)}` : formatDay(begin)
}

/** The same at an axis: as short as possible. */
export function formatTick(begin: string, unit: BucketUnit): string {
  if (unit === 'hour') return begin.slice(11, 16)
  return unit === 'month' ? formatMonth(begin) : formatDay(begin)
}
