import cluster, { type Worker } from 'node:cluster'
import path from 'node:path'
import { connectionsOfEach } from '../../kit/connections'
import { log } from '../../kit/log'
import type { SiblingMessage } from '../../kit/siblings'
import type { GroupState } from './group'

/**
 * The variable in which a launcher gives each of several processes its number and theirs: `2/4`.
 */
export const SLOT_VARIABLE = 'TOLLGATE_PROCESS'

/** Set where a launcher sends the settings that it read, and the process is to wait for them. */
export const SETTINGS_VARIABLE = 'TOLLGATE_SETTINGS'

/** How a process ended. */
export type ProcessEnd = { code: number | null; signal: string | null }

/** One of the processes that a launcher runs. */
export type SupervisedProcess = {
  slot: number
  worker: Worker
  isReady: boolean
  /** Another one has taken its place, or it is about to end. */
  isLeaving: boolean
  /** Why it could not start, in its own words. */
  problems: string[]
  /** Resolves once it serves, to false when it ended before. */
  ready: Promise<boolean>
  ended: Promise<ProcessEnd>
}

/**
 * Sets how processes are started: as this launcher would start the only one, and with the sockets
 * that they listen on shared. The kernel then gives a connection to one that is free to take it, so
 * a frozen one takes none (docs/decisions/0012-processes-share-a-socket.md).
 */
export function setUpProcesses(entryArgs: readonly string[]): void {
  const at = entryArgs.findIndex((arg) => arg.endsWith('.js'))
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const exec = path.resolve(entryArgs[at] ?? '')
  // Not this launcher's folder: after an upgrade the entry's path leads to that of another release.
  const cwd = path.dirname(path.dirname(exec))
  cluster.setupPrimary({ cwd, exec, execArgv: entryArgs.slice(0, at), args: entryArgs.slice(at + 1) })
}

/** The variables of a process: those that were read, and none that the launcher alone has. */
function variablesOf(slot: number, { reading, count }: Pick<GroupState, 'reading' | 'count'>): NodeJS.ProcessEnv {
  const { env } = reading
  const without = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]))
  // What one process would open, all of them share.
  const connections = env.DATABASE_CONNECTIONS || (count > 1 ? String(connectionsOfEach(count)) : undefined)
  return {
    ...without,
    ...env,
    DATABASE_CONNECTIONS: connections,
    [SLOT_VARIABLE]: `${slot}/${count}`,
    [SETTINGS_VARIABLE]: reading.version,
  }
}

/** How long a process that has put everything away may take to exit, milliseconds. */
const EXIT_MS = 5_000

/**
 * Resolves when a process has ended. One that said that it is done has ended as it said: where Node
 * hangs as it exits (nodejs/node#54918), it is killed.
 */
const untilEnded = (worker: Worker): Promise<ProcessEnd> =>
  new Promise((resolve) => {
    let said: ProcessEnd | undefined
    let timer: NodeJS.Timeout | undefined
    worker.on('message', (message: SiblingMessage) => {
      if (message.kind !== 'done') return
      said = { code: message.code, signal: null }
      timer = setTimeout(() => {
        log.warn({ pid: worker.process.pid }, 'a process that is done did not exit, and is killed')
        worker.process.kill('SIGKILL')
      }, EXIT_MS)
    })
    worker.once('exit', (code: number | null, signal: string | null) => {
      clearTimeout(timer)
      resolve(said ?? { code, signal })
    })
  })

/** Starts a process for a slot, with the settings that were read last. */
export function forkProcess(slot: number, group: Pick<GroupState, 'reading' | 'count' | 'id'>): SupervisedProcess {
  const { version, readAt, models } = group.reading
  const worker = cluster.fork(variablesOf(slot, group))
  const settings = { launcher: group.id, version, readAt: readAt.toISOString(), models }
  worker.send({ kind: 'settings', settings } satisfies SiblingMessage, () => {})
  const ended = untilEnded(worker)
  // Without a listener an error of the channel, as in a process that was just killed, would be
  // thrown.
  worker.on('error', () => {})
  const forked: SupervisedProcess = {
    slot,
    worker,
    isReady: false,
    isLeaving: false,
    problems: [],
    ended,
    ready: new Promise((resolve) => {
      worker.on('message', (message: SiblingMessage) => {
        if (message.kind === 'problem') forked.problems.push(message.text)
        if (message.kind !== 'ready') return
        forked.isReady = true
        resolve(true)
      })
      void ended.then(() => resolve(false))
    }),
  }
  return forked
}
