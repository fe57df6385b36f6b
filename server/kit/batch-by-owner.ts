import { setTimeout as sleep } from 'node:timers/promises'
import { makeBatcher, type SendToBatch } from './batch'

export type OwnerBatchOptions<I> = {
  /** Whose rows an item locks. */
  ownerOf: (item: I) => string | number
  /** True when a batch did nothing because another transaction held a lock for too long. */
  isLocked: (error: unknown) => boolean
  /**
   * How many batches of slow owners may run at once; shared, so that all kinds of batches have one
   * bound together.
   */
  slots: <T>(work: () => Promise<T>) => Promise<T>
  /** What callers get when too many wait, or when their owner's lock was held for `patienceMs`. */
  busy: (why: 'full' | 'locked') => Error
  /** Items of one batch, at most. */
  maxItems?: number
  /** How long an item may wait for others to go with, milliseconds; default: not at all. */
  delayOf?: (item: I) => number
  /** How long an owner's items wait for a held lock. */
  patienceMs?: number
  /** How long an owner keeps a lane after the last time its lock was held. */
  laneMs?: number
}

/**
 * One owner's own queue. `waiting`: its callers now. `until`: when it may go back to the shared
 * one.
 */
type Lane<I, O> = { send: SendToBatch<I, O>; waiting: number; until: number }

const MAX_IN_LANE = 500
const PAUSE_MS = 20

/**
 * Batching of which one owner's held lock stops nobody else. A shared batch that meets such a lock
 * is split: each of its owners gets a lane, a separate queue, whose batches are tried until they
 * meet no held lock or their callers' patience ends. The lane of an owner who met none is closed
 * when it is empty; that of a slow one stays for a while, so that the shared queue does not stumble
 * over it again.
 */
export function makeOwnerBatcher<I, O>(
  run: (items: I[]) => Promise<(O | PromiseLike<O>)[]>,
  {
    ownerOf,
    isLocked,
    slots,
    busy,
    maxItems,
    delayOf = () => 0,
    patienceMs = 10_000,
    laneMs = 5_000,
  }: OwnerBatchOptions<I>,
): SendToBatch<I, O> {
  const lanes = new Map<string | number, Lane<I, O>>()
  const isOver = (lane: Lane<I, O>) => lane.waiting === 0 && performance.now() >= lane.until

  const openLane = (owner: string | number): Lane<I, O> => {
    for (const [other, lane] of lanes) if (isOver(lane)) lanes.delete(other)
    const send = makeBatcher<I, O>(
      (items) =>
        slots(() => run(items)).catch(async (error: unknown) => {
          if (isLocked(error)) {
            lane.until = performance.now() + laneMs
            await sleep(PAUSE_MS)
          }
          throw error
        }),
      { maxItems, maxWaiting: MAX_IN_LANE, full: () => busy('full'), isRetried: isLocked },
    )
    const lane: Lane<I, O> = { send, waiting: 0, until: 0 }
    lanes.set(owner, lane)
    return lane
  }

  const sendInLane = async (lane: Lane<I, O>, { item, signal }: Entry<I>): Promise<O> => {
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(busy('locked')), patienceMs)
    lane.waiting++
    try {
      return await lane.send(item, signal ? AbortSignal.any([signal, patience.signal]) : patience.signal)
    } finally {
      clearTimeout(timer)
      lane.waiting--
    }
  }

  const shared = makeBatcher<Entry<I>, O>(
    async (entries) => {
      try {
        return await run(entries.map(({ item }) => item))
      } catch (error) {
        if (!isLocked(error)) throw error
        return entries.map((entry) => {
          const owner = ownerOf(entry.item)
          return sendInLane(lanes.get(owner) ?? openLane(owner), entry)
        })
      }
    },
    { maxItems, full: () => busy('full'), delayOf: ({ item }) => delayOf(item) },
  )

  return (item, signal) => {
    const lane = lanes.size > 0 ? lanes.get(ownerOf(item)) : undefined
    if (!lane) return shared({ item, signal }, signal)
    if (!isOver(lane)) return sendInLane(lane, { item, signal })
    lanes.delete(ownerOf(item))
    return shared({ item, signal }, signal)
  }
}

type Entry<I> = { item: I; signal: AbortSignal | undefined }
