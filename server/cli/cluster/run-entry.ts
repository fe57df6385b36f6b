import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Env, readEnv } from '../../env'
import { log } from '../../kit/log'
import { toolSettings } from '../../tools/settings'
import { startSandboxProcess } from '../web/start-sandbox'
import { processCount } from './count'
import { leaveMsOf } from './patience'
import { readSettingsOf } from './reading'
import type { RunningEntry } from './run-here'

/**
 * Starts an entry: Node's options, its file and its arguments. `readAgain` reads its settings, now
 * and whenever it is to read them again.
 */
export async function runEntry(
  entry: string,
  entryArgs: readonly string[],
  readAgain = () => readSettingsOf(process.env),
): Promise<RunningEntry> {
  const settings = settingsOf(entry)
  if (!settings) return runOne(entryArgs)
  const count = processCount(entry, settings)
  log.level = settings.LOG_LEVEL
  // One for all: of its own accord the first process would start it, and take it along when it
  // ends.
  const sandbox = entry === 'web' ? await startSandboxProcess(settings) : null
  const { superviseProcesses } = await import('./supervise')
  const [reading, leaveMs] = [readAgain(), leaveMsOf(settings)]
  const group = superviseProcesses({ entry, count, entryArgs, reading, readAgain, leaveMs })
  return { ...group, ended: group.ended.finally(() => sandbox?.kill()) }
}

/** Null for a command, and where a setting is wrong: the entry itself then says so and ends. */
function settingsOf(entry: string): Env | null {
  if (entry !== 'web' && entry !== 'worker') return null
  try {
    return readEnv(process.env, toolSettings)
  } catch {
    return null
  }
}

/** A command has all the time it wants. */
function runOne(entryArgs: readonly string[]): RunningEntry {
  const child = spawn(process.execPath, entryArgs, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : 130))
  return { ended, stop: () => void child.kill('SIGTERM') }
}
