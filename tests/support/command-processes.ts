import { readdirSync, readFileSync } from 'node:fs'
import type { NpmCommand } from './npm-process'

const readProcessFile = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

/** State, parent and group of a process, after its name in parentheses, which may hold anything. */
const statOf = (pid: number) => readProcessFile(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []

const parentOf = (pid: number) => Number(statOf(pid)[1])

const groupOf = (pid: number) => Number(statOf(pid)[2])

const isZombie = (pid: number) => statOf(pid)[0] === 'Z'

function pidsIn({ npm }: NpmCommand): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => groupOf(pid) === npm.pid && !isZombie(pid))
}

/** The launcher of a command, which starts its processes. Throws where none of them runs. */
export function launcherOf(command: NpmCommand, entry: string): number {
  const [first] = processesOf(command, entry)
  if (first === undefined) throw new Error(`No process of ${entry} runs.`)
  return parentOf(first)
}

/** The pids of the processes that a command runs in place of one, in the order of their start. */
export function processesOf(command: NpmCommand, entry: string): number[] {
  const named = pidsIn(command).filter((pid) => readProcessFile(pid, 'cmdline').includes(`dist/${entry}.js`))
  // The launcher's own command line may name the entry as well.
  const parents = new Set(named.map(parentOf))
  return named.filter((pid) => !parents.has(pid)).sort((one, other) => one - other)
}
