import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { endProcess, identifyProcess, type ProcessIdentity } from './kit/process'
import { CliError, dataPath, displayPath, PROJECT_ROOT } from './kit/project'
import { rotateLog } from './kit/rotate-log'
import { SERVICE_OPTIONS } from './setup/root.mjs'

/** A process that the quickstart runs. `ended` resolves to how, once it has. */
export type ChildProcessEntry = { name: string; process: ProcessIdentity; ended: Promise<string>; log: string }

/**
 * Starts `dist/<name>.js` with `args` in a group of its own, out of a Ctrl-C's reach, with its
 * output in the data folder's `logs`.
 */
export function startChildProcess(
  name: string,
  env: NodeJS.ProcessEnv,
  { logName = name, args = [] }: { logName?: string; args?: readonly string[] } = {},
): ChildProcessEntry {
  mkdirSync(dataPath('logs'), { recursive: true })
  const file = dataPath('logs', `${logName}.log`)
  rotateLog(file)
  const log = openSync(file, 'w', 0o600)
  const parentWatchdog = path.join(PROJECT_ROOT, 'dist', 'parent-watchdog.js')
  const script = path.join(PROJECT_ROOT, 'dist', `${name}.js`)
  const child = spawn(process.execPath, [...SERVICE_OPTIONS, '--import', parentWatchdog, script, ...args], {
    cwd: PROJECT_ROOT,
    env: { ...env, NODE_ENV: 'production' },
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  })
  closeSync(log)
  const started = identifyProcess(child.pid ?? 0)
  if (!started) throw new CliError(`${name} did not start`)
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with exit code ${code}`))
  })
  return { name, process: started, ended, log: file }
}

/** Ends processes at once and in order: they may finish what they do, but not for long. */
export async function endProcesses(targets: ProcessIdentity[], patienceMs: number): Promise<void> {
  await Promise.all(
    targets.map((target) =>
      endProcess(target, [
        ['SIGTERM', patienceMs],
        ['SIGKILL', 5_000],
      ]),
    ),
  )
}

/** The error of a child that ended by itself, with the end of its log. */
export function childExitError({ name, log }: ChildProcessEntry, how: string): CliError {
  const lines = readFileSync(log, 'utf8').trim().split('\n').slice(-15)
  return new CliError(`${name} ${how}. The end of its log (${displayPath(log)}):\n${lines.join('\n')}`)
}
