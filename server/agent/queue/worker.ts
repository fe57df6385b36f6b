import { log } from '../../kit/log'
import { type IsolateRun, runSegment } from '../run/segment'
import { startScheduler } from '../schedules/scheduler'
import { startDeliveries } from '../webhooks/work'
import { openQueue } from './connection'
import { receiveMessages } from './receive'
import { startJobRecovery } from './recover-jobs'
import type { RunRef } from './send'
import { RUN_QUEUE } from './setup'

/**
 * Concurrent runs in one worker: they wait for models and tools most of the time, and the more of
 * them there are, the more of their steps share a statement.
 */
const CONCURRENCY = 48
/** How long a shutdown waits for calls in progress: the longest call. */
const DRAIN_MS = 300_000

const OPTIONS = {
  batchSize: 1,
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 1,
  heartbeatRefreshSeconds: 2,
} as const

/**
 * Receives runs, and deliveries of webhooks, from the queue until it is stopped. Returns the
 * function that stops it: each run is then released after its step in progress, for another worker
 * to continue. `isolate` runs steps that stalled a process before.
 */
export async function startWorker(isolate?: IsolateRun): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  const boss = await openQueue({ isWorker: true })
  const stopRecovery = startJobRecovery()
  const stopScheduler = startScheduler()
  receiveMessages<RunRef>(boss, RUN_QUEUE, {
    max: CONCURRENCY,
    options: OPTIONS,
    stop: stopping.signal,
    handle: (ref) => runSegment(ref, stopping.signal, isolate),
  })
  const stopDeliveries = await startDeliveries(boss, stopping.signal)
  return async () => {
    stopScheduler()
    stopRecovery()
    stopDeliveries()
    stopping.abort()
    await boss
      .stop({ graceful: true, timeout: DRAIN_MS })
      .catch((error: Error) => log.warn({ err: error.message }, 'queue'))
  }
}
