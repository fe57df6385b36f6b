import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Longest time that a call waits for credits which other calls hold. Tests wait less. */
export const limitQueueTiming = { maxWaitMs: 2_000 }
/** How often the first of a queue asks again: holds of other processes end unseen. Milliseconds. */
const POLL_MS = 100

type Waiting = { ownerId: number; wake: () => void }

/** Calls of this process that wait under a limit, by the limit's name, first come first. */
const queues = new Map<string, Waiting[]>()

/** The first of some limits under which calls wait; null: none. */
export const busyLimit = (limits: () => readonly string[]): string | null =>
  queues.size === 0 ? null : (limits().find((limit) => queues.has(limit)) ?? null)

/** Lets the first in each queue of an owner ask again: a hold of that owner has ended. */
export function creditsFreed(ownerId: number): void {
  for (const [first] of queues.values()) if (first?.ownerId === ownerId) first.wake()
}

/**
 * Waits in a limit's queue until `attempt` returns something, which only the first in the queue and
 * one whose time is over call. Returns null when that time is over. Rejects with what
 * `attempt` throws, and with the reason of `gone`.
 */
export async function waitInQueue<T>(
  { limit, ownerId }: { limit: string; ownerId: number },
  attempt: () => Promise<T | null>,
  gone?: AbortSignal,
): Promise<T | null> {
  const deadline = performance.now() + limitQueueTiming.maxWaitMs
  const queue = queues.get(limit) ?? []
  const me: Waiting = { ownerId, wake: () => {} }
  queues.set(limit, queue)
  queue.push(me)
  try {
    for (;;) {
      const left = deadline - performance.now()
      await sleepUntilWoken(me, Math.max(0, queue[0] === me ? Math.min(POLL_MS, left) : left))
      gone?.throwIfAborted()
      const isOver = performance.now() >= deadline
      if (queue[0] !== me && !isOver) continue
      const got = await attempt()
      if (got !== null || isOver) return got
    }
  } finally {
    queue.splice(queue.indexOf(me), 1)
    if (queue.length === 0) queues.delete(limit)
    else queue[0]?.wake()
  }
}

async function sleepUntilWoken(me: Waiting, ms: number): Promise<void> {
  const woken = new AbortController()
  me.wake = () => woken.abort()
  await sleep(ms, undefined, { signal: woken.signal }).catch(() => {})
}
