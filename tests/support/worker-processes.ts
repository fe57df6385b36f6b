import { afterEach } from 'vitest'
import { startWorkerProcess, type WorkerProcess } from './worker-process'

/**
 * Production workers of a test, killed after it. Each receives runs when its promise resolves.
 */
export function withWorkerProcesses(): (env?: Record<string, string>) => Promise<WorkerProcess> {
  let workers: WorkerProcess[] = []
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.kill('SIGKILL')))
    workers = []
  })
  return async (env) => {
    const worker = startWorkerProcess(env)
    workers.push(worker)
    await worker.ready
    return worker
  }
}
