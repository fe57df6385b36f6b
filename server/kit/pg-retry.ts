import { setTimeout as sleep } from 'node:timers/promises'
import { type DatabaseFault, databaseFault } from './pg-errors'

export type RetryOptions = {
  /**
   * False for what must not be done twice: after a lost connection nobody knows whether it was done
   * once.
   */
  isRepeatable: boolean
  /** Faults that the caller handles itself: thrown at once. */
  passOn?: DatabaseFault
  /** Is called before each further attempt. */
  onRetry?: (error: Error) => void
}

/** After this long, or after so many attempts, a failure is final. */
const RETRY_MS = 8_000
const MAX_ATTEMPTS = 4

/**
 * The one rule by which statements and transactions are tried again: after a deadlock, a
 * serialization failure or a refusal for want of something, of which PostgreSQL says that nothing
 * was done; and after a lost connection only what may be done twice. Throws the last error.
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  { isRepeatable, passOn, onRetry }: RetryOptions,
): Promise<T> {
  const until = performance.now() + RETRY_MS
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const fault = databaseFault(error)
      const mayRepeat = fault !== null && fault !== passOn && (isRepeatable || fault !== 'lost')
      if (!mayRepeat || attempt >= MAX_ATTEMPTS || performance.now() > until) throw error
      onRetry?.(error as Error)
      await sleep(20 * 4 ** attempt * Math.random())
    }
  }
}
