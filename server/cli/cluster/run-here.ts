import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runCleanups } from '../kit/cleanups'

/** An entry that a launcher runs, in one process or in several. */
export type RunningEntry = {
  /** Resolves to the launcher's exit code. */
  ended: Promise<number>
  /** Asks it to finish what is in progress and to end. */
  stop: () => void
  /** Reads the settings again for its processes; absent where it is a command. */
  reload?: () => void
}

/** A short command, in this process: a second one would double its time. */
export function runHere(entryArgs: readonly string[]): RunningEntry {
  const at = entryArgs.findIndex((arg) => path.parse(arg).name === 'admin')
  const file = entryArgs[at] ?? ''
  process.argv = [process.execPath, file, ...entryArgs.slice(at + 1)]
  const { promise: stopped, resolve } = Promise.withResolvers<number>()
  const ran = import(pathToFileURL(file).href).then(() => Number(process.exitCode ?? 0))
  return { ended: Promise.race([ran, stopped]), stop: () => void runCleanups().then(() => resolve(130)) }
}
