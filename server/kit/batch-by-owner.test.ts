import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { expect, test } from 'vitest'
import { makeOwnerBatcher } from './batch-by-owner'

type Item = { owner: number; n: number }

const LOCKED = new Error('locked')

/**
 * A batched doubling in which batches with an owner whose lock is held fail as a lock timeout does.
 */
function doubling({ slots = 4, ...given }: { patienceMs?: number; laneMs?: number; slots?: number } = {}) {
  const held = new Set<number>()
  const batches: Item[][] = []
  let inProgress = 0
  let maxInProgress = 0
  const send = makeOwnerBatcher(
    async (items: Item[]) => {
      batches.push(items)
      maxInProgress = Math.max(maxInProgress, ++inProgress)
      try {
        await sleep(2)
        if (items.some(({ owner }) => held.has(owner))) throw LOCKED
        if (items.some(({ n }) => n < 0)) throw new Error('negative')
        return items.map(({ n }) => n * 2)
      } finally {
        inProgress--
      }
    },
    {
      ownerOf: ({ owner }) => owner,
      isLocked: (error) => error === LOCKED,
      slots: pLimit(slots),
      busy: (why) => new Error(why),
      ...given,
    },
  )
  return { held, batches, send, maxInProgress: () => maxInProgress }
}

test('without held locks every owner is in the shared batch', async () => {
  const { batches, send } = doubling()
  expect(await Promise.all([1, 2, 3].map((owner) => send({ owner, n: owner })))).toEqual([2, 4, 6])
  expect(batches).toHaveLength(1)
})

test('one owner’s held lock fails no other owner of the batch, and its callers get their results when it is released', async () => {
  const { held, batches, send } = doubling()
  held.add(1)
  const slow = send({ owner: 1, n: 1 })
  expect(await Promise.all([2, 3].map((owner) => send({ owner, n: owner })))).toEqual([4, 6])
  expect(batches.at(0)).toHaveLength(3)
  const later = batches.length
  expect(await Promise.all([2, 3].map((owner) => send({ owner, n: owner })))).toEqual([4, 6])
  const mixed = batches.slice(later).filter((items) => new Set(items.map(({ owner }) => owner)).size > 1)
  expect(mixed.flat().map(({ owner }) => owner)).not.toContain(1)
  held.clear()
  expect(await slow).toBe(2)
})

test('a slow owner goes alone for a while after its lock was held', async () => {
  const { held, batches, send } = doubling({ laneMs: 60_000 })
  held.add(1)
  const slow = send({ owner: 1, n: 1 })
  await expect.poll(() => batches.length).toBeGreaterThan(1)
  held.clear()
  await slow
  await Promise.all([1, 2].map((owner) => send({ owner, n: owner })))
  expect(batches.slice(-2).map((items) => items.length)).toEqual([1, 1])
})

test('then it is in the shared batch again', async () => {
  const { held, batches, send } = doubling({ laneMs: 1 })
  held.add(1)
  const slow = send({ owner: 1, n: 1 })
  await expect.poll(() => batches.length).toBeGreaterThan(1)
  held.clear()
  await slow
  await sleep(5)
  await Promise.all([1, 2].map((owner) => send({ owner, n: owner })))
  expect(batches.at(-1)).toHaveLength(2)
})

test('a lock that is never freed is given up for its owner’s callers alone', async () => {
  const { held, send } = doubling({ patienceMs: 100 })
  held.add(1)
  const slow = Promise.allSettled([1, 2, 3].map((n) => send({ owner: 1, n })))
  expect(await send({ owner: 2, n: 5 })).toBe(10)
  expect((await slow).map((one) => (one.status === 'rejected' ? one.reason.message : one.value))).toEqual([
    'locked',
    'locked',
    'locked',
  ])
  expect(await send({ owner: 2, n: 6 })).toBe(12)
})

test('lanes of many slow owners run a few at a time, and leave the shared batches alone', async () => {
  const { held, send, maxInProgress } = doubling({ slots: 2, patienceMs: 200 })
  const owners = Array.from({ length: 20 }, (_, i) => i)
  for (const owner of owners) held.add(owner)
  const slow = Promise.allSettled(owners.map((owner) => send({ owner, n: 1 })))
  for (let n = 0; n < 20; n++) expect(await send({ owner: 100, n })).toBe(2 * n)
  expect((await slow).every(({ status }) => status === 'rejected')).toBe(true)
  expect(maxInProgress()).toBeLessThanOrEqual(3)
})

test('another error of a lane reaches its callers, and a caller who left is not sent', async () => {
  const { held, batches, send } = doubling()
  held.add(1)
  const wrong = send({ owner: 1, n: -1 }).catch((error) => error.message)
  await expect.poll(() => batches.length).toBeGreaterThan(1)
  const leaving = new AbortController()
  const left = send({ owner: 1, n: 7 }, leaving.signal).catch((error) => error.message)
  leaving.abort(new Error('left'))
  await sleep(60)
  held.clear()
  expect(await Promise.all([wrong, left])).toEqual(['negative', 'left'])
  // Sent with a batch before it left at most; never after.
  expect(batches.at(-1)?.map(({ n }) => n)).toEqual([-1])
})
