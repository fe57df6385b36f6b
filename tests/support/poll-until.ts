import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Polls until `check` answers something other than undefined, false or null; throws after
 * `withinMs`.
 */
export async function pollUntil<T>(
  what: string,
  check: () => Promise<T> | T,
  withinMs = 20_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + withinMs
  for (;;) {
    const value = await check()
    if (value !== undefined && value !== null && value !== false) return value
    if (Date.now() > end) throw new Error(`${what} did not happen within ${withinMs} ms`)
    await sleep(50)
  }
}
