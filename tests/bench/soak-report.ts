import type { ProcessSample } from './inspect'
import type { LoadOutcome } from './soak-load'
import { formatTenth, formatWhole, markdownTable, quantile } from './table'

/** What was seen of a process, one sample after the other. */
export type SampledProcess = { name: string; samples: readonly ProcessSample[] }

/** How many points a line of a chart has at most. */
const POINTS = 60

const MIB = 2 ** 20

const middleOf = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  )

/** Neighbours as one value each, so that a line has few points. */
function thinOut(values: readonly number[], join: (part: readonly number[]) => number): number[] {
  const size = Math.max(1, Math.ceil(values.length / POINTS))
  const parts = Array.from({ length: Math.ceil(values.length / size) }, (_, i) =>
    values.slice(i * size, (i + 1) * size),
  )
  return parts.map(join)
}

/**
 * What a line rises by in an hour, by least squares over its samples after the first quarter, with
 * twice the standard error: a leak is what stays above 0 by more than that.
 */
function risePerHour(values: readonly number[], everyMs: number): string {
  const late = values.slice(Math.floor(values.length / 4))
  const meanX = (late.length - 1) / 2
  const meanY = late.reduce((sum, y) => sum + y, 0) / late.length
  const slope = late.reduce((sum, y, x) => sum + (x - meanX) * (y - meanY), 0)
  const spread = late.reduce((sum, _, x) => sum + (x - meanX) ** 2, 0)
  const rise = slope / spread
  const rest = late.reduce((sum, y, x) => sum + (y - meanY - rise * (x - meanX)) ** 2, 0)
  const error = Math.sqrt(rest / (late.length - 2) / spread)
  const anHour = 3_600_000 / everyMs
  return `${formatTenth(rise * anHour)} ± ${formatTenth(2 * error * anHour)} MiB`
}

/** Samples of a heap that were joined to their least: what was left after a collection. */
const FLOOR_OF = 6

/** The least of each minute, as one value for each: what a collection leaves. */
const floorOf = (values: readonly number[]): number[] =>
  Array.from({ length: Math.floor(values.length / FLOOR_OF) }, (_, i) =>
    Math.min(...values.slice(i * FLOOR_OF, (i + 1) * FLOOR_OF)),
  )

/** Resident memory and the least heap of each stretch over time: the upper and the lower line. */
function memoryChart({ name, samples }: SampledProcess, minutes: number): string {
  const rss = thinOut(
    samples.map((each) => each.rss / MIB),
    middleOf,
  )
  const heap = thinOut(
    samples.map((each) => each.heapUsed / MIB),
    (part) => Math.min(...part),
  )
  const top = Math.ceil(Math.max(...rss, ...heap) / 100) * 100
  const line = (values: readonly number[]) => `line [${values.map(Math.round).join(', ')}]`
  return [
    '```mermaid',
    'xychart-beta',
    `title "${name}: resident memory (upper line) and heap (lower line)"`,
    `x-axis "minutes" 0 --> ${Math.ceil(minutes)}`,
    `y-axis "MiB" 0 --> ${top}`,
    line(rss),
    line(heap),
    '```',
  ].join('\n')
}

const figures = (values: readonly number[]) =>
  `${formatWhole(values[0] ?? Number.NaN)} → ${formatWhole(values.at(-1) ?? Number.NaN)} (${formatWhole(Math.min(...values))}–${formatWhole(Math.max(...values))})`

/** Tables of what was called and what the processes took, and a chart for each process. */
export function reportSoak(
  load: readonly LoadOutcome[],
  processes: readonly SampledProcess[],
  { minutes, everyMs }: { minutes: number; everyMs: number },
): string {
  const calls = load.map(({ name, perSecond, calls, failed }) => [
    name,
    formatTenth(perSecond),
    formatWhole(calls),
    formatWhole(failed),
  ])
  const taken = processes.map(({ name, samples }) => {
    const rss = samples.map((each) => each.rss / MIB)
    const heap = samples.map((each) => each.heapUsed / MIB)
    return [
      name,
      figures(rss),
      risePerHour(rss, everyMs),
      figures(heap),
      heap.length < 8 * FLOOR_OF ? '–' : risePerHour(floorOf(heap), everyMs * FLOOR_OF),
      figures(samples.map((each) => each.files)),
      figures(samples.map((each) => each.handles)),
    ]
  })
  return [
    markdownTable([`${formatTenth(minutes)} minutes`, 'aimed at, a second', 'calls', 'failed'], calls),
    markdownTable(
      [
        'first → last (lowest–highest)',
        'RSS, MiB',
        'rises in an hour',
        'heap MiB',
        'its least of a minute rises',
        'open files',
        'handles',
      ],
      taken,
    ),
    ...processes.map((each) => memoryChart(each, minutes)),
  ].join('\n\n')
}
