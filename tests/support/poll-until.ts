import { setTimeout as sleep } from 'node:timers/promises'

/** No machine is so slow: only what hangs takes as long. */
const PATIENCE_MS = 150_000

/**
 * Polls until `check` answers something other than undefined, false or null; throws when that takes
 * very long.
 */
export async function pollUntil<T>(what: string, check: () => Promise<T> | T): Promise<NonNullable<T>> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const value = await check()
    if (value !== undefined && value !== null && value !== false) return value
    if (Date.now() > end) throw new Error(`${what} did not happen within ${PATIENCE_MS} ms`)
    await sleep(50)
  }
}
