import { expect, test } from 'vitest'
import { makeFairSlots, QueueFullError } from './fair-slots'

const LIMITS = { slots: 2, perOwner: 1, queuedPerOwner: 3, queued: 5 }

/**
 * Takes a slot and notes it in `log` when it is there; the slot is released through the returned
 * promise.
 */
const taker = (limits = LIMITS) => {
  const slots = makeFairSlots(limits)
  const log: string[] = []
  const take = (owner: string, name = owner, signal?: AbortSignal) => {
    const taken = slots.take(owner, signal)
    taken.then(
      () => log.push(name),
      () => {},
    )
    return taken
  }
  return { slots, log, take }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('one owner never holds more than its share, even when slots are free', async () => {
  const { take, log } = taker()
  const release = await take('a', 'a1')
  const second = take('a', 'a2')
  await settled()
  expect(log).toEqual(['a1'])
  const other = await take('b')
  expect(log).toEqual(['a1', 'b'])
  release()
  ;(await second)()
  other()
})

test('owners take turns, whoever queued first and most', async () => {
  const { take, log } = taker({ ...LIMITS, slots: 1 })
  const first = await take('a', 'a1')
  const waiting = [take('a', 'a2'), take('a', 'a3'), take('b', 'b1'), take('b', 'b2'), take('c', 'c1')]
  first()
  for (const next of waiting.map((one) => one.then((release) => release()))) void next
  await Promise.all(waiting)
  expect(log).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

test('beyond an owner’s queue, and the queue of all, there is a refusal at once', async () => {
  const { take } = taker({ ...LIMITS, slots: 1 })
  const release = await take('a')
  const waiting = ['a', 'a', 'a', 'b', 'c'].map((owner) => take(owner))
  await expect(take('a')).rejects.toMatchObject({ isOwners: true })
  await expect(take('d')).rejects.toThrow(QueueFullError)
  release()
  for (const one of waiting) one.then((free) => free())
  await Promise.all(waiting)
  ;(await take('d'))()
})

test('an aborted waiter throws its reason and takes no other’s turn; a second release is ignored', async () => {
  const { take, slots } = taker({ ...LIMITS, slots: 1 })
  const release = await take('a')
  const stop = new AbortController()
  const leaving = take('b', 'b', stop.signal)
  const last = take('c')
  stop.abort(new Error('left'))
  await expect(leaving).rejects.toThrow('left')
  release()
  release()
  const held = await last
  expect(slots.load()).toEqual({ held: 1, queued: 0 })
  held()
  expect(slots.load()).toEqual({ held: 0, queued: 0 })
  await expect(take('a', 'a', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
})
