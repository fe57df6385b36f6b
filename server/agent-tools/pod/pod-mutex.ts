import { processSingleton } from '../../kit/process-singleton'

const lines = () => processSingleton('pod-turns', () => new Map<string, Promise<void>>())

/** Lets what concerns one pod happen one after the other in this process, in the order in which it was asked for. */
export async function withPodMutex<T>(jobId: string, work: () => Promise<T>): Promise<T> {
  const before = lines().get(jobId) ?? Promise.resolve()
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  const line = before.then(() => done)
  lines().set(jobId, line)
  await before
  try {
    return await work()
  } finally {
    finish()
    if (lines().get(jobId) === line) lines().delete(jobId)
  }
}
