import { readdirSync } from 'node:fs'
import { readProcessStat } from '../../server/kit/process-stat'

type Process = { pid: number; parent: number; group: number }

/** Every living process of this machine; zombies are not listed. */
function processTable(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .flatMap((pid) => {
      const stat = readProcessStat(pid)
      return stat === null || stat.isZombie ? [] : [{ pid, parent: stat.parent, group: stat.group }]
    })
}

/** The parent of a living process; undefined where it has ended. */
export const parentOf = (pid: number): number | undefined =>
  processTable().find((process) => process.pid === pid)?.parent

export const childrenOf = (parent: number): number[] =>
  processTable()
    .filter((process) => process.parent === parent)
    .map(({ pid }) => pid)

export const groupMembers = (group: number): number[] =>
  processTable()
    .filter((process) => process.group === group)
    .map(({ pid }) => pid)

/**
 * Sends a signal to a process, or with a negative id to a group. One that has just ended is not an
 * error.
 */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  if (pid === 0) throw new Error('0 is the process group of the tests themselves.')
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
