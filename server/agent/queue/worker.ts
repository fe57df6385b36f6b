import { log } from '../../kit/log'
import { type IsolateRun, runSegment } from '../run/segment'
import { startJobRecovery } from './recover-jobs'
import { openQueue, type RunRef } from './send'
import { RUN_QUEUE } from './setup'

/** Runs at a time in one worker: they wait for models and tools most of the time. */
const AT_ONCE = 16
/** How long a shutdown waits for calls under way: as long as the longest of them may take. */
const DRAIN_MS = 300_000

const OPTIONS = {
  batchSize: 1,
  localConcurrency: AT_ONCE,
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 1,
  heartbeatRefreshSeconds: 2,
} as const

/**
 * Takes runs from the queue until it is stopped. Answers what stops it: runs are then handed on at their next step,
 * so that another worker goes on with them. `isolate` runs the steps that stalled a process before.
 */
export async function startWorker(isolate?: IsolateRun): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  const boss = await openQueue({ works: true })
  const stopLooking = startJobRecovery()
  await boss.work<RunRef>(RUN_QUEUE, OPTIONS, async ([message]) => {
    if (message) await runSegment(message.data, stopping.signal, isolate)
  })
  return async () => {
    stopLooking()
    stopping.abort()
    await boss
      .stop({ graceful: true, timeout: DRAIN_MS })
      .catch((error: Error) => log.warn({ err: error.message }, 'queue'))
  }
}
