import { afterAll, beforeAll } from 'vitest'
import { closeQueue } from '../../server/agent/queue'
import { startWorking } from '../../server/agent/work'
import { keepLease } from '../../server/credits/holder'

/** Runs a worker inside the test process for a test file. Stands after `withSandbox`, so that it ends before it. */
export function withWorker(): void {
  let stop: () => Promise<void>
  let stopLease: () => void
  beforeAll(async () => {
    stopLease = keepLease()
    stop = await startWorking()
  })
  afterAll(async () => {
    await stop()
    stopLease()
    await closeQueue()
  })
}
