import { afterAll, beforeAll } from 'vitest'
import { closeQueue } from '../../server/agent/queue/connection'
import { startWorker } from '../../server/agent/queue/worker'
import { startLeaseRenewal } from '../../server/credits/holder'

/**
 * Runs a worker in the test process for a test file. Call it after `withSandbox`, so that it stops
 * first.
 */
export function withWorker(): void {
  let stop: () => Promise<void>
  let stopLease: () => void
  beforeAll(async () => {
    stopLease = startLeaseRenewal()
    stop = await startWorker()
  })
  afterAll(async () => {
    await stop()
    stopLease()
    await closeQueue()
  })
}
