import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batch } from './batch'

/** A batched doubling that records its batches and ends each when told to. */
function recorded(maxItems?: number) {
  const batches: number[][] = []
  const ends: (() => void)[] = []
  const double = batch(async (items: number[]) => {
    batches.push(items)
    await new Promise<void>((resolve) => ends.push(resolve))
    return items.map((i) => i * 2)
  }, maxItems)
  const end = async () => {
    await expect.poll(() => ends.length).toBeGreaterThan(0)
    ends.shift()?.()
  }
  return { batches, double, end }
}

test('a lone caller goes at once', async () => {
  const { batches, double, end } = recorded()
  const answer = double(1)
  await end()
  expect(await answer).toBe(2)
  expect(batches).toEqual([[1]])
})

test('callers of one turn go together, each with its own answer', async () => {
  const { batches, double, end } = recorded()
  const answers = Promise.all([1, 2, 3].map(double))
  await end()
  expect(await answers).toEqual([2, 4, 6])
  expect(batches).toEqual([[1, 2, 3]])
})

test('callers gather while a batch is under way, and go together when it returns', async () => {
  const { batches, double, end } = recorded()
  const first = double(1)
  await sleep(5)
  const rest = [double(2)]
  await sleep(5)
  rest.push(double(3))
  await sleep(5)
  expect(batches).toEqual([[1]])
  await end()
  await end()
  expect(await Promise.all([first, ...rest])).toEqual([2, 4, 6])
  expect(batches).toEqual([[1], [2, 3]])
})

test('no batch has more than the most items, and none is forgotten', async () => {
  const { batches, double, end } = recorded(2)
  const answers = Promise.all([1, 2, 3, 4, 5].map(double))
  for (let i = 0; i < 3; i++) await end()
  expect(await answers).toEqual([2, 4, 6, 8, 10])
  expect(batches).toEqual([[1, 2], [3, 4], [5]])
})

test('an error reaches every caller of its batch and no other', async () => {
  const fails = batch(async (items: number[]) => {
    if (items.includes(0)) throw new Error('no zero')
    return items
  }, 2)
  const all = await Promise.allSettled([1, 0, 2, 3].map(fails))
  expect(all.map((a) => a.status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled'])
  expect(await fails(4)).toBe(4)
})

test('a caller from within an answer is served', async () => {
  const same = batch(async (items: number[]) => items)
  expect(
    await same(1)
      .then((n) => same(n + 1))
      .then((n) => same(n + 1)),
  ).toBe(3)
})

test('thousands of callers over many turns are each answered right', async () => {
  const sizes: number[] = []
  const double = batch(async (items: number[]) => {
    sizes.push(items.length)
    await sleep(items.length % 3)
    return items.map((i) => i * 2)
  }, 100)
  const one = async (i: number) => {
    await sleep(i % 17)
    return double(i)
  }
  const answers = await Promise.all(Array.from({ length: 3_000 }, (_, i) => one(i)))
  expect(answers).toEqual(answers.map((_, i) => i * 2))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100)
})
