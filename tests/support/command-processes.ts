import { readdirSync, readFileSync } from 'node:fs'
import type { NpmCommand } from './npm-process'

const readProcessFile = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

const groupOf = (pid: number) => Number(readProcessFile(pid, 'stat').split(') ').at(-1)?.split(' ')[2])

const isZombie = (pid: number) => readProcessFile(pid, 'stat').includes(') Z ')

function pidsIn({ npm }: NpmCommand): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => groupOf(pid) === npm.pid && !isZombie(pid))
}

const isLauncher = (pid: number) => readProcessFile(pid, 'cmdline').includes('dist/launch.js')

/** The launcher of a command, which starts its processes. */
export const launcherOf = (command: NpmCommand): number => pidsIn(command).find(isLauncher) ?? 0

/** The pids of the processes that a command runs in place of one, in the order of their start. */
export const processesOf = (command: NpmCommand, entry: string): number[] =>
  pidsIn(command)
    .filter((pid) => !isLauncher(pid) && readProcessFile(pid, 'cmdline').includes(`dist/${entry}.js`))
    .sort((one, other) => one - other)
