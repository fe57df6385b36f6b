import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

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
 * When a process was started, as an opaque text: with its pid it names one process for good, also after the pid went
 * to another. Null when there is no such process, or only its zombie.
 */
export function startOf(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null
  if (!PROC) {
    const [state = '', ...started] = ps(pid, 'state=,lstart=').split(/\s+/)
    return state === '' || state.startsWith('Z') ? null : started.join(' ')
  }
  // The command name in parentheses may hold anything, so count from its end: field 3 is the state, 22 the start.
  const fields = readProc(pid, 'stat').split(')').at(-1)?.trim().split(' ') ?? []
  return fields[0] === 'Z' ? null : (fields[19] ?? null)
}

/** A process's command line, or '' when it is gone. */
export function commandOf(pid: number): string {
  if (startOf(pid) === null) return ''
  return PROC ? readProc(pid, 'cmdline').replaceAll('\0', ' ') : ps(pid, 'command=')
}

/** One process, for good. */
export type ProcessName = { pid: number; started: string }

export function nameOf(pid: number): ProcessName | null {
  const started = startOf(pid)
  return started === null ? null : { pid, started }
}

export const isAlive = ({ pid, started }: ProcessName): boolean => startOf(pid) === started

/** Sends each signal in turn, waiting up to its milliseconds for the process to go. True when it went. */
export async function endProcess(target: ProcessName, signals: [NodeJS.Signals, number][]): Promise<boolean> {
  for (const [signal, patienceMs] of signals) {
    if (!isAlive(target)) return true
    try {
      process.kill(target.pid, signal)
    } catch {
      return !isAlive(target)
    }
    for (let waited = 0; waited < patienceMs && isAlive(target); waited += 50) await sleep(50)
  }
  return !isAlive(target)
}
