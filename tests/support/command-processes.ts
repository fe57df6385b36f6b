import { processCommandLine } from '../../server/cli/kit/process'
import type { NpmCommand } from './npm-process'
import { groupMembers, parentOf } from './process-table'

/** The launcher of a command, which starts its processes. Throws where none of them runs. */
export function launcherOf(command: NpmCommand, entry: string): number {
  const [first] = processesOf(command, entry)
  const launcher = first && parentOf(first)
  if (!launcher) throw new Error(`No process of ${entry} runs.`)
  return launcher
}

/** The pids of the processes that a command runs in place of one, in the order of their start. */
export function processesOf({ npm }: NpmCommand, entry: string): number[] {
  const named = groupMembers(npm.pid ?? 0).filter((pid) => processCommandLine(pid).includes(`dist/${entry}.js`))
  // The launcher's own command line may name the entry as well.
  const parents = new Set(named.map(parentOf))
  return named.filter((pid) => !parents.has(pid)).sort((one, other) => one - other)
}
