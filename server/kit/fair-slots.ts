/** Bounds of a set of slots that owners share. */
export type SlotLimits = {
  /** Holders at the same time. */
  slots: number
  /** Holders of one owner at the same time. */
  perOwner: number
  /** Waiters of one owner, and of all owners together. */
  queuedPerOwner: number
  queued: number
}

/** Too many wait for a slot already. `isOwners`: it is this owner's own queue that is full. */
export class QueueFullError extends Error {
  override name = 'QueueFullError'
  constructor(readonly isOwners: boolean) {
    super(isOwners ? 'the queue of this owner is full' : 'the queue is full')
  }
}

export type FairSlots = {
  /**
   * Waits for a slot and returns what releases it (calling it again does nothing). Throws
   * `QueueFullError`, or the signal's reason when that aborts first.
   */
  take: (owner: string, signal?: AbortSignal) => Promise<() => void>
  /** Holders and waiters now. */
  load: () => { held: number; queued: number }
}

type Waiter = { start: (release: () => void) => void }

/**
 * Slots given to owners in rotation: however many calls one of them queues, the next owner waits
 * for one turn.
 */
export function makeFairSlots({ slots, perOwner, queuedPerOwner, queued }: SlotLimits): FairSlots {
  const held = new Map<string, number>()
  // The order of the owners is the order of their turns: who was served goes to the end.
  const queues = new Map<string, Waiter[]>()
  let heldInAll = 0
  let queuedInAll = 0

  const heldBy = (owner: string) => held.get(owner) ?? 0
  const isOpenTo = (owner: string) => heldInAll < slots && heldBy(owner) < perOwner

  const hold = (owner: string): (() => void) => {
    heldInAll++
    held.set(owner, heldBy(owner) + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      heldInAll--
      const left = heldBy(owner) - 1
      if (left > 0) held.set(owner, left)
      else held.delete(owner)
      startNext()
    }
  }

  const remove = (owner: string, queue: Waiter[], waiter: Waiter) => {
    queue.splice(queue.indexOf(waiter), 1)
    queuedInAll--
    if (queue.length === 0) queues.delete(owner)
  }

  const startNext = () => {
    for (const [owner, queue] of queues) {
      const [waiter] = queue
      if (!waiter || !isOpenTo(owner)) continue
      remove(owner, queue, waiter)
      if (queues.delete(owner)) queues.set(owner, queue)
      return waiter.start(hold(owner))
    }
  }

  return {
    take: async (owner, signal) => {
      signal?.throwIfAborted()
      const queue = queues.get(owner) ?? []
      if (queue.length === 0 && isOpenTo(owner)) return hold(owner)
      if (queue.length >= queuedPerOwner) throw new QueueFullError(true)
      if (queuedInAll >= queued) throw new QueueFullError(false)
      return new Promise((resolve, reject) => {
        const leave = () => {
          remove(owner, queue, waiter)
          reject(signal?.reason)
        }
        const waiter: Waiter = {
          start: (release) => {
            signal?.removeEventListener('abort', leave)
            resolve(release)
          },
        }
        signal?.addEventListener('abort', leave, { once: true })
        queue.push(waiter)
        queuedInAll++
        queues.set(owner, queue)
      })
    },
    load: () => ({ held: heldInAll, queued: queuedInAll }),
  }
}
