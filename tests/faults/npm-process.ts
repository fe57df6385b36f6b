import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { groupMembers, signalProcess } from '../support/process-table'

/**
 * An npm command in a separate process group: npm, its shell, the launcher and the process itself.
 */
export type RestartableCommand = {
  /** Starts the command (again) and waits until it is ready. */
  start: () => Promise<void>
  /** Sends a signal to the whole group. */
  signal: (name: NodeJS.Signals) => void
  /** Resolves when the whole group has ended. */
  ended: () => Promise<void>
  log: () => string
}

type Command = {
  /** Name of its log file. */
  name: string
  /** The folder of its log file. */
  logs: string
  script: 'start' | 'worker' | 'sandbox'
  env: Record<string, string>
  /** Where it is installed, asked at each start; this checkout by default. */
  installed?: () => string
  isReady: (log: string) => Promise<boolean>
}

const READY_WITHIN_MS = 120_000

/** Starts a command as a supervisor does: once more where it ended at once. */
export const startAgain = (command: Pick<RestartableCommand, 'start'>): Promise<void> =>
  command.start().catch(() => command.start())

/** Describes a command; nothing runs until `start`. */
export function makeRestartableCommand({ name, logs, script, env, isReady, ...command }: Command): RestartableCommand {
  mkdirSync(logs, { recursive: true })
  const file = path.join(logs, `${name}.log`)
  closeSync(openSync(file, 'w'))
  let child: ChildProcess | undefined
  let logFrom = 0
  const log = () => readFileSync(file, 'utf8')

  const start = async () => {
    logFrom = log().length
    const output = openSync(file, 'a')
    const started = spawn('npm', ['run', '--silent', script], {
      cwd: command.installed?.() ?? PROJECT_ROOT,
      env: { ...process.env, WEB_CONCURRENCY: '1', WORKER_CONCURRENCY: '1', NODE_ENV: 'production', ...env },
      detached: true,
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    child = started
    for (const end = Date.now() + READY_WITHIN_MS; !(await isReady(log().slice(logFrom))); await sleep(100)) {
      if (started.exitCode !== null || Date.now() > end)
        throw new Error(`${name} did not start:\n${log().slice(-2_000)}`)
    }
  }

  const signal = (signalName: NodeJS.Signals) => {
    if (child?.pid) signalProcess(-child.pid, signalName)
  }

  const ended = async () => {
    if (!child?.pid) return
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    while (groupMembers(child.pid).length > 0) await sleep(50)
  }
  return { start, signal, ended, log }
}
