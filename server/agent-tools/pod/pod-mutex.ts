import pLimit, { type LimitFunction } from 'p-limit'

const mutexes = new Map<string, LimitFunction>()

/** Runs work on one pod one at a time in this process, in the order of the calls. */
export async function withPodMutex<T>(jobId: string, work: () => Promise<T>): Promise<T> {
  const mutex = mutexes.get(jobId) ?? pLimit(1)
  mutexes.set(jobId, mutex)
  try {
    return await mutex(work)
  } finally {
    if (mutex.activeCount + mutex.pendingCount === 0) mutexes.delete(jobId)
  }
}
