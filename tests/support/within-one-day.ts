import { setTimeout as sleep } from 'node:timers/promises'

const DAY_MS = 86_400_000
/** Longer than a test takes. */
const MARGIN_MS = 30_000

/**
 * Lets midnight in UTC pass where it is near, so that a test that compares days begins and ends on
 * the same one.
 */
export async function stayWithinOneDay(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS)
  if (leftMs < MARGIN_MS) await sleep(leftMs + 100)
}
