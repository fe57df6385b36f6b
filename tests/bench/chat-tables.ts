import type { StreamFigures } from './chat-client'
import { CPU_HEADS, formatCpuSpread } from './cpu'
import { type BenchResult, formatAgainst, type LoadFigures } from './measure'
import {
  differencesOf,
  formatHundredth,
  formatSpread,
  formatTenth,
  formatWhole,
  markdownTable,
  spreadOf,
} from './table'

/**
 * Completions of each subject: the first one is the upstream, and `against` the one to compare
 * with.
 */
export function completionTable(
  title: string,
  results: readonly BenchResult[],
  against: { name: string; result: BenchResult<LoadFigures> | undefined },
): string {
  const direct = results[0]?.rounds ?? []
  return markdownTable(
    [title, 'requests/s', 'p50 ms', 'p99 ms', 'added p50 ms', ...CPU_HEADS, `against ${against.name}`],
    results.map(({ name, rounds }) => [
      name,
      spreadOf(rounds, 'perSecond', formatWhole),
      spreadOf(rounds, 'p50', formatHundredth),
      spreadOf(rounds, 'p99', formatHundredth),
      formatSpread(differencesOf(rounds, direct, 'p50'), formatHundredth),
      ...formatCpuSpread(rounds),
      against.result ? formatAgainst(rounds, against.result.rounds) : '–',
    ]),
  )
}

/** Streams of each subject; the first one is the upstream. */
export function streamTable(title: string, results: readonly BenchResult<StreamFigures>[]): string {
  const direct = results[0]?.rounds ?? []
  return markdownTable(
    [title, 'first token p50 ms', 'p99 ms', 'added p50 ms', 'added p99 ms', 'total p50 ms', 'p99 ms'],
    results.map(({ name, rounds }) => [
      name,
      spreadOf(rounds, 'first50', formatTenth),
      spreadOf(rounds, 'first99', formatTenth),
      formatSpread(differencesOf(rounds, direct, 'first50'), formatTenth),
      formatSpread(differencesOf(rounds, direct, 'first99'), formatTenth),
      spreadOf(rounds, 'total50', formatWhole),
      spreadOf(rounds, 'total99', formatWhole),
    ]),
  )
}
