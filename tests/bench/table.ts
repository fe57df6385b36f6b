/** A Markdown table with its columns padded, so that it also reads well in a terminal. */
export function markdownTable(head: string[], rows: string[][]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The median of each figure of some rounds. */
export function medianOfEach<T extends Record<string, number>>(rounds: readonly T[]): T {
  const keys = Object.keys(rounds[0] ?? {})
  return Object.fromEntries(keys.map((key) => [key, median(rounds.map((each) => each[key] ?? Number.NaN))])) as T
}

/** The median of some figures with the lowest and highest: `1,390 (1,301–1,450)`. */
export function formatSpread(values: readonly number[], format: (value: number) => string): string {
  if (values.some(Number.isNaN)) return '–'
  const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)].map(format)
  return low === high ? `${middle}` : `${middle} (${low}–${high})`
}

/** The same of ratios: `0.61 × (0.58–0.66)`. */
export const formatTimesSpread = (values: readonly number[]): string =>
  formatSpread(values, formatHundredth).replace(/^\S+/, '$& ×')

/** One figure of some rounds, with its spread. */
export const spreadOf = <T extends Record<string, number>>(
  rounds: readonly T[],
  figure: keyof T,
  format: (value: number) => string,
): string =>
  formatSpread(
    rounds.map((each) => each[figure] ?? Number.NaN),
    format,
  )

/** What a figure is above that of the same round of `base`. */
export const differencesOf = <T extends Record<string, number>>(
  rounds: readonly T[],
  base: readonly T[],
  figure: keyof T,
): number[] => rounds.map((each, i) => (each[figure] ?? Number.NaN) - (base[i]?.[figure] ?? Number.NaN))

/** How many times that of the same round of `base` a figure is. */
export const ratiosOf = <T extends Record<string, number>>(
  rounds: readonly T[],
  base: readonly T[],
  figure: keyof T,
): number[] => rounds.map((each, i) => (each[figure] ?? Number.NaN) / (base[i]?.[figure] ?? Number.NaN))

/** The value below which `share` of the sorted numbers lie. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

export const formatWhole = (value: number): string => Math.round(value).toLocaleString('en-US')
export const formatTenth = (value: number): string => value.toFixed(1)
export const formatHundredth = (value: number): string => value.toFixed(2)
export const formatTimes = (value: number): string => `${value.toFixed(2)} ×`
