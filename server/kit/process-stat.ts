import { readFileSync } from 'node:fs'

/** Linux counts CPU time in ticks of 10 ms. */
export const TICK_US = 10_000

/** A process as Linux describes it; ticks of CPU time. */
export type ProcessStat = { name: string; parent: number; ownTicks: number; endedChildrenTicks: number }

/** The text of `/proc/<pid>/stat`. */
export function parseProcessStat(text: string): ProcessStat {
  // The name in parentheses may hold anything, so the rest is counted from its end.
  const end = text.lastIndexOf(') ')
  const name = text.slice(text.indexOf('(') + 1, end)
  const fields = text
    .slice(end + 2)
    .split(' ')
    .map(Number)
  const sumOf = (first: number) => (fields[first] ?? 0) + (fields[first + 1] ?? 0)
  return { name, parent: fields[1] ?? 0, ownTicks: sumOf(11), endedChildrenTicks: sumOf(13) }
}

/** What `/proc/<pid>/stat` says; null when there is no such process, or no such file system. */
export function readProcessStat(pid: number): ProcessStat | null {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return null
  }
}
