import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { readProcessStat } from '../../kit/process-stat'

const PROC = existsSync('/proc/self/stat')

const ps = (pid: number, columns: string): string =>
  spawnSync('ps', ['-ww', '-p', String(pid), '-o', columns], { encoding: 'utf8' }).stdout?.trim() ?? ''

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

/**
 * When a process was started, as an opaque text: with its pid it names one process for good, also
 * after the pid went to another. Null when there is no such process, or only its zombie.
 */
export function processStartTime(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null
  if (!PROC) {
    const [state = '', ...started] = ps(pid, 'state=,lstart=').split(/\s+/)
    return state === '' || state.startsWith('Z') ? null : started.join(' ')
  }
  const stat = readProcessStat(pid)
  return stat === null || stat.isZombie ? null : String(stat.startedTicks)
}

/** A process's command line, or '' when it is gone. */
export function processCommandLine(pid: number): string {
  if (processStartTime(pid) === null) return ''
  return PROC ? readProc(pid, 'cmdline').replaceAll('\0', ' ') : ps(pid, 'command=')
}

/** One process, for good. */
export type ProcessIdentity = { pid: number; started: string }

export function identifyProcess(pid: number): ProcessIdentity | null {
  const started = processStartTime(pid)
  return started === null ? null : { pid, started }
}

export const isProcessAlive = ({ pid, started }: ProcessIdentity): boolean => processStartTime(pid) === started

/**
 * Sends one signal after another, each with its time in ms for the process to end. True if it
 * ended.
 */
export async function endProcess(target: ProcessIdentity, signals: [NodeJS.Signals, number][]): Promise<boolean> {
  for (const [signal, patienceMs] of signals) {
    if (!isProcessAlive(target)) return true
    try {
      process.kill(target.pid, signal)
    } catch {
      return !isProcessAlive(target)
    }
    for (let waited = 0; waited < patienceMs && isProcessAlive(target); waited += 50) await sleep(50)
  }
  return !isProcessAlive(target)
}
