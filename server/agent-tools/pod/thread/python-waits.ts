import { syncBuiltinESMExports } from 'node:module'
import workerThreads, { type WorkerOptions } from 'node:worker_threads'

/**
 * Runs first in the thread of Python, which asks for a file and waits for the answer. In just-bash
 * 3.4.2 the answer is in memory before its `notify` is sent, so that one may wake the wait for the
 * next answer, which is then taken for an error: `OSError: [Errno 29] I/O error`. A wait that was
 * woken while nothing has changed goes on.
 */
const GO_ON_WAITING = `
const { wait, load } = Atomics
Atomics.wait = (array, index, value, timeout = Infinity) => {
  const end = performance.now() + timeout
  for (;;) {
    const woken = wait(array, index, value, Math.max(0, end - performance.now()))
    if (woken !== 'ok' || load(array, index) !== value || performance.now() >= end) return woken
  }
}`

/** Has every thread that this one starts run that first. Call it once, before Python is run. */
export function keepPythonWaiting(): void {
  const { Worker } = workerThreads
  workerThreads.Worker = class extends Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      super(file, { ...options, execArgv: ['--import', `data:text/javascript,${encodeURIComponent(GO_ON_WAITING)}`] })
    }
  }
  syncBuiltinESMExports()
}
