import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pollUntil } from '../support/poll-until'
import { groupMembers, signalProcess } from '../support/process-table'

export type DaemonCommand = {
  /** Names its log in the check's folder. */
  name: string
  command: string
  args: readonly string[]
  env?: Record<string, string>
  user?: { uid?: number; gid?: number }
  /** True once it serves. */
  isReady: (log: string) => Promise<boolean> | boolean
}

/** A program in the foreground, in a process group of its own. */
export type Daemon = {
  name: string
  pid: number
  log: () => string
  /** To the program, or with all that it has started. */
  signal: (name: NodeJS.Signals, scope?: 'process' | 'group') => void
  /** Resolves when nothing of its group is left. */
  ended: () => Promise<void>
  /** SIGTERM, and after some seconds SIGKILL for what is left. */
  stop: () => Promise<void>
}

const STOP_MS = 10_000

/**
 * Starts a program and waits until it is ready; throws with its log when it ends before. `onStart`
 * gets it at once, to end it whatever happens.
 */
export async function startDaemonIn(
  folder: string,
  given: DaemonCommand,
  onStart: (daemon: Daemon) => void,
): Promise<Daemon> {
  const { name, command, args, env, user, isReady } = given
  const file = path.join(folder, `${name}.log`)
  const output = openSync(file, 'a')
  const child = spawn(command, [...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', output, output],
    ...user,
  })
  closeSync(output)
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  const pid = child.pid ?? 0
  const log = () => readFileSync(file, 'utf8')
  const isOver = () => failure !== undefined || child.exitCode !== null || child.signalCode !== null
  const signal: Daemon['signal'] = (signalName, scope = 'process') => {
    if (pid) signalProcess(scope === 'group' ? -pid : pid, signalName)
  }
  const ended = async () => {
    if (!isOver()) await once(child, 'exit')
    while (groupMembers(pid).length > 0) await sleep(50)
  }
  const stop = async () => {
    signal('SIGCONT', 'group')
    signal('SIGTERM')
    await Promise.race([ended(), sleep(STOP_MS, undefined, { ref: false })])
    signal('SIGKILL', 'group')
    await ended()
  }
  const daemon: Daemon = { name, pid, log, signal, ended, stop }
  onStart(daemon)
  await pollUntil(name, async () => isOver() || (await isReady(log())))
  if (isOver()) throw new Error(`${name} ended: ${failure?.message ?? ''}\n${log().slice(-3_000)}`)
  return daemon
}
