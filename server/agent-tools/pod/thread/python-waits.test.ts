import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import workerThreads from 'node:worker_threads'
import { expect, test } from 'vitest'
import { keepPythonWaiting } from './python-waits'

test('a wait that is woken while nothing has changed goes on, and ends with the change', async () => {
  const { Worker } = workerThreads
  try {
    keepPythonWaiting()
    const shared = new Int32Array(new SharedArrayBuffer(8))
    const source = `import { workerData, parentPort } from 'node:worker_threads'
Atomics.store(workerData, 1, 1)
Atomics.notify(workerData, 1)
parentPort.postMessage([Atomics.wait(workerData, 0, 0, 60000), Atomics.load(workerData, 0), Atomics.wait(workerData, 0, 7, 1)])`
    const worker = new workerThreads.Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
      workerData: shared,
    })
    const answer = once(worker, 'message')
    while (Atomics.load(shared, 1) === 0) await sleep(5)
    while (Atomics.notify(shared, 0) === 0) await sleep(5)
    await sleep(20)
    Atomics.store(shared, 0, 7)
    Atomics.notify(shared, 0)
    expect(await answer).toEqual([['ok', 7, 'timed-out']])
    await worker.terminate()
  } finally {
    workerThreads.Worker = Worker
  }
})
