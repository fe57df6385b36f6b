import { Worker } from 'node:worker_threads'
import { log } from '../../kit/log'
import { threadPath } from '../../kit/threads/thread'

/** One SQL statement with its values. */
export type WatchdogStatement = { sql: string; values: readonly string[] }

export type WatchdogOptions = {
  databaseUrl: string
  /** The `application_name` of its connection. */
  name: string
  /** Run every 10 s for as long as the process lives, whether its event loop turns or not. */
  renew: WatchdogStatement
  /** The event loop may stand still for so long; then the process is ended. */
  stallMs: number
  /** Run before the process is ended. */
  stalled?: WatchdogStatement
}

/** What the thread is given: the options, and the counter that the event loop moves. */
export type WatchdogTask = WatchdogOptions & { turns: Int32Array }

/**
 * Exit code of a process that its watchdog ended (EX_SOFTWARE); SIGKILL where not even that could
 * be asked of it.
 */
export const STALLED_EXIT_CODE = 70

const TURN_MS = 200
const RESTART_MS = 5_000

/**
 * Starts this process's watchdog: a thread with a database connection of its own. Returns what
 * stops it. Timers of the main thread cannot do this: a process whose event loop stands still is
 * alive and holds credits.
 */
export function startWatchdog(options: WatchdogOptions): () => Promise<void> {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const timer = setInterval(() => Atomics.add(turns, 0, 1), TURN_MS)
  timer.unref()
  let isStopped = false
  let worker = start()

  function start(): Worker {
    const task: WatchdogTask = { ...options, turns }
    const started = new Worker(threadPath('watchdog-thread'), {
      name: 'watchdog',
      workerData: task,
      env: {},
      execArgv: [],
    })
    started.unref()
    started.on('error', (error) => log.error({ err: error.message }, 'watchdog failed'))
    started.on('exit', () => {
      if (isStopped) return
      setTimeout(() => {
        if (!isStopped) worker = start()
      }, RESTART_MS).unref()
    })
    return started
  }

  return async () => {
    isStopped = true
    clearInterval(timer)
    await worker.terminate()
  }
}
