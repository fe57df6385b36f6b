import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Env, readEnv } from '../../env'
import { connectionsOfEach } from '../../kit/connections'
import { log } from '../../kit/log'
import { toolSettings } from '../../tools/settings'
import { startSandboxProcess } from '../web/start-sandbox'
import { processCount } from './count'
import { endOrKill, leaveMsOf } from './patience'
import type { RunningEntry } from './run-here'

/** Starts an entry: Node's options, its file and its arguments. */
export async function runEntry(entry: string, entryArgs: readonly string[]): Promise<RunningEntry> {
  const settings = settingsOf(entry)
  const count = settings ? processCount(entry, settings) : 1
  if (!settings) return runOne(entryArgs)
  const leaveMs = leaveMsOf(settings)
  if (count === 1) return runOne(entryArgs, leaveMs)
  log.level = settings.LOG_LEVEL
  // One for all: of its own accord the first process would start it, and take it along when it
  // ends.
  const sandbox = entry === 'web' ? await startSandboxProcess(settings) : null
  const { superviseProcesses } = await import('./supervise')
  const group = superviseProcesses({ entry, count, entryArgs, env: withConnections(count), leaveMs })
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

/** The variables for each of several processes: what one opens, all of them would. */
const withConnections = (count: number): NodeJS.ProcessEnv => ({
  ...process.env,
  DATABASE_CONNECTIONS: process.env.DATABASE_CONNECTIONS || String(connectionsOfEach(count)),
})

/** A command has all the time it wants; a process that serves has `leaveMs` from `stop` on. */
function runOne(entryArgs: readonly string[], leaveMs?: number): RunningEntry {
  const child = spawn(process.execPath, entryArgs, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  let isHung = false
  let isStopping = false
  const ended = once(child, 'exit').then(([code, signal]) => {
    if (isHung) return 1
    // A process that serves, and was asked to end before it could listen for that.
    if (isStopping && leaveMs !== undefined && signal === 'SIGTERM') return 0
    return typeof code === 'number' ? code : 130
  })
  const onKill = () => {
    isHung = true
  }
  const stop = () => {
    child.kill('SIGTERM')
    if (leaveMs !== undefined && !isStopping) void endOrKill({ process: child, ended, leaveMs, onKill })
    isStopping = true
  }
  return { ended, stop }
}
