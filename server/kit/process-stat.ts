import { readFileSync } from 'node:fs'

/** Linux counts CPU time in ticks of 10 ms. */
export const TICK_US = 10_000

/**
 * A process as Linux describes it; ticks of CPU time, and from the machine's start to its own. One
 * that has ended and whose parent has not asked for it is a zombie.
 */
export type ProcessStat = {
  name: string
  isZombie: boolean
  parent: number
  group: number
  ownTicks: number
  endedChildrenTicks: number
  startedTicks: number
}

/** The text of `/proc/<pid>/stat`. */
export function parseProcessStat(text: string): ProcessStat {
  // The name in parentheses may hold anything, so the rest is counted from its end.
  const end = text.lastIndexOf(') ')
  const name = text.slice(text.indexOf('(') + 1, end)
  const fields = text.slice(end + 2).split(' ')
  const at = (index: number) => Number(fields[index] ?? 0)
  return {
    name,
    isZombie: fields[0] === 'Z',
    parent: at(1),
    group: at(2),
    ownTicks: at(11) + at(12),
    endedChildrenTicks: at(13) + at(14),
    startedTicks: at(19),
  }
}

/** What `/proc/<pid>/stat` says; null when there is no such process, or no such file system. */
export function readProcessStat(pid: number): ProcessStat | null {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return null
  }
}
