import cluster, { type Worker } from 'node:cluster'
import type { SiblingMessage } from '../../kit/siblings'
import type { GroupOptions } from './group'

/**
 * The variable in which a launcher gives each of several processes its number and theirs: `2/4`.
 */
export const SLOT_VARIABLE = 'TOLLGATE_PROCESS'

/** How a process ended. */
export type ProcessEnd = { code: number | null; signal: string | null }

/** One of the processes that a launcher runs. */
export type SupervisedProcess = {
  slot: number
  worker: Worker
  isReady: boolean
  /** Another one has taken its place, or it is about to end. */
  isLeaving: boolean
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
  cluster.setupPrimary({ exec: entryArgs[at], execArgv: entryArgs.slice(0, at), args: entryArgs.slice(at + 1) })
}

/** Starts a process for a slot. */
export function forkProcess(slot: number, { env, count }: Pick<GroupOptions, 'env' | 'count'>): SupervisedProcess {
  const worker = cluster.fork({ ...env, [SLOT_VARIABLE]: `${slot}/${count}` })
  const ended = new Promise<ProcessEnd>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }))
  })
  // Without a listener an error of the channel, as in a process that was just killed, would be
  // thrown.
  worker.on('error', () => {})
  const forked: SupervisedProcess = {
    slot,
    worker,
    isReady: false,
    isLeaving: false,
    ended,
    ready: new Promise((resolve) => {
      worker.on('message', ({ kind }: SiblingMessage) => {
        if (kind !== 'ready') return
        forked.isReady = true
        resolve(true)
      })
      void ended.then(() => resolve(false))
    }),
  }
  return forked
}
