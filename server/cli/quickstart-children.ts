import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChildProcessEntry, childExitError, endProcesses, startChildProcess } from './children'
import { countFailures, MAX_FAILURES } from './cluster/restart-delay'
import { CliError, displayPath, PROJECT_ROOT } from './kit/project'
import { waitForAbort } from './kit/stop-signal'
import { writeRunRecord } from './run-record'

/** As long as the longest call may take: web and worker let the calls in progress finish. */
const STOP_PATIENCE_MS = 310_000

/** The processes of a quickstart. No other is started once `signal` aborts. */
export type Running = { children: ChildProcessEntry[]; signal: AbortSignal }

/** Starts a process, in the place of the one of this name that has ended. */
export function start(name: string, { children, signal }: Running): void {
  signal.throwIfAborted()
  if (!existsSync(path.join(PROJECT_ROOT, 'dist', `${name}.js`))) return
  const at = children.findIndex((child) => child.name === name)
  children.splice(at < 0 ? children.length : at, 1, startChildProcess(name, process.env))
  writeRunRecord(
    `http://localhost:${process.env.PORT}`,
    children.map((child) => child.process),
  )
}

/** Rejects when one of the processes ends by itself: at the start, that takes the rest with it. */
export const firstDeath = (children: ChildProcessEntry[]): Promise<never> =>
  Promise.race(
    children.map(async (child) => {
      throw childExitError(child, await child.ended)
    }),
  )

/**
 * Starts a process again whenever it ends by itself, as after a crash or where memory is short.
 * Rejects when it keeps failing, or at a stop.
 */
export async function keepRunning(name: string, running: Running): Promise<never> {
  const countEnd = countFailures()
  for (;;) {
    const child = running.children.find((candidate) => candidate.name === name)
    if (!child) throw new CliError(`${name} is not running`)
    const since = performance.now()
    const how = await child.ended
    running.signal.throwIfAborted()
    const { failures, delayMs } = countEnd(performance.now() - since)
    if (failures >= MAX_FAILURES) throw childExitError(child, how)
    process.stdout.write(`${name} ${how} and is started again; its log is ${displayPath(child.log)}.1\n`)
    await sleep(delayMs, undefined, { signal: running.signal })
    start(name, running)
  }
}

/**
 * Lets the children finish their calls, the sandbox after those that call it. A second Ctrl-C ends
 * them at once.
 */
export async function endChildren(children: ChildProcessEntry[], hurry: AbortSignal): Promise<void> {
  const processesOf = (isSandbox: boolean) =>
    children.filter(({ name }) => (name === 'sandbox') === isSandbox).map((child) => child.process)
  const inOrder = async () => {
    await endProcesses(processesOf(false), STOP_PATIENCE_MS)
    await endProcesses(processesOf(true), STOP_PATIENCE_MS)
  }
  await Promise.race([inOrder(), waitForAbort(hurry)])
  await endProcesses(
    children.map((child) => child.process),
    0,
  )
}
