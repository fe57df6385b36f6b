import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { makeBatcher } from './batch'

/** A batched doubling that records its batches and ends each on request. */
function recorded(maxItems?: number) {
  const batches: number[][] = []
  const ends: (() => void)[] = []
  const double = makeBatcher(
    async (items: number[]) => {
      batches.push(items)
      await new Promise<void>((resolve) => ends.push(resolve))
      return items.map((i) => i * 2)
    },
    { maxItems },
  )
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
  const answers = Promise.all([1, 2, 3].map((n) => double(n)))
  await end()
  expect(await answers).toEqual([2, 4, 6])
  expect(batches).toEqual([[1, 2, 3]])
})

test('callers gather while a batch is in progress, and go together when it returns', async () => {
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

test('no batch exceeds the maximum, and no item is lost', async () => {
  const { batches, double, end } = recorded(2)
  const answers = Promise.all([1, 2, 3, 4, 5].map((n) => double(n)))
  for (let i = 0; i < 3; i++) await end()
  expect(await answers).toEqual([2, 4, 6, 8, 10])
  expect(batches).toEqual([[1, 2], [3, 4], [5]])
})

test('an error reaches every caller of its batch and no other', async () => {
  const fails = makeBatcher(
    async (items: number[]) => {
      if (items.includes(0)) throw new Error('no zero')
      return items
    },
    { maxItems: 2 },
  )
  const all = await Promise.allSettled([1, 0, 2, 3].map((n) => fails(n)))
  expect(all.map((a) => a.status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled'])
  expect(await fails(4)).toBe(4)
})

test('a caller from within a result is served', async () => {
  const same = makeBatcher(async (items: number[]) => items)
  expect(
    await same(1)
      .then((n) => same(n + 1))
      .then((n) => same(n + 1)),
  ).toBe(3)
})

test('thousands of callers over many turns each get the right result', async () => {
  const sizes: number[] = []
  const double = makeBatcher(
    async (items: number[]) => {
      sizes.push(items.length)
      await sleep(items.length % 3)
      return items.map((i) => i * 2)
    },
    { maxItems: 100 },
  )
  const one = async (i: number) => {
    await sleep(i % 17)
    return double(i)
  }
  const answers = await Promise.all(Array.from({ length: 3_000 }, (_, i) => one(i)))
  expect(answers).toEqual(answers.map((_, i) => i * 2))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100)
})

test('callers beyond the maximum that may wait are refused at once, and no others', async () => {
  const ends: (() => void)[] = []
  const same = makeBatcher(
    async (items: number[]) => {
      await new Promise<void>((resolve) => ends.push(resolve))
      return items
    },
    { maxItems: 2, maxWaiting: 3, full: () => new Error('full') },
  )
  const first = same(0)
  await expect.poll(() => ends.length).toBe(1)
  const waiting = [1, 2, 3].map((i) => same(i))
  await expect(same(4)).rejects.toThrow('full')
  for (let i = 0; i < 3; i++) {
    await expect.poll(() => ends.length).toBeGreaterThan(0)
    ends.shift()?.()
  }
  expect(await Promise.all([first, ...waiting])).toEqual([0, 1, 2, 3])
  const again = same(5)
  await expect.poll(() => ends.length).toBe(1)
  ends.shift()?.()
  expect(await again).toBe(5)
})

test('a caller who aborted before being sent is not sent; one who aborted later gets the outcome', async () => {
  const { batches, double, end } = recorded()
  const [early, late] = [new AbortController(), new AbortController()]
  const first = double(1, late.signal)
  await expect.poll(() => batches.length).toBe(1)
  const left = double(2, early.signal).catch((error) => error.message)
  const stayed = double(3)
  early.abort(new Error('the caller left'))
  late.abort()
  await end()
  await end()
  expect(await Promise.all([first, left, stayed])).toEqual([2, 'the caller left', 6])
  expect(batches).toEqual([[1], [3]])
})

test('a batch that is retried goes again with those who came meanwhile', async () => {
  const batches: number[][] = []
  const ends: ((error?: Error) => void)[] = []
  const same = makeBatcher(
    async (items: number[]) => {
      batches.push(items)
      const error = await new Promise<Error | undefined>((resolve) => ends.push(resolve))
      if (error) throw error
      return items
    },
    { isRetried: (error) => (error as Error).message === 'again' },
  )
  const answers = [same(1)]
  await expect.poll(() => ends.length).toBe(1)
  answers.push(same(2))
  ends.shift()?.(new Error('again'))
  await expect.poll(() => ends.length).toBe(1)
  ends.shift()?.()
  expect(await Promise.all(answers)).toEqual([1, 2])
  expect(batches).toEqual([[1], [1, 2]])
})

test('those who may wait do so for their time, also where they came while a batch was in progress', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const batches: string[][] = []
    const ends: (() => void)[] = []
    const send = makeBatcher(
      async (items: string[]) => {
        batches.push(items)
        await new Promise<void>((resolve) => ends.push(resolve))
        return items
      },
      { delayOf: (item) => (item.startsWith('later') ? 10 : 0) },
    )
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const answers = [send('now')]
    await turn()
    answers.push(send('later 1'))
    vi.advanceTimersByTime(6)
    answers.push(send('later 2'))
    ends.shift()?.()
    await turn()
    vi.advanceTimersByTime(3)
    await turn()
    expect(batches).toEqual([['now']])
    vi.advanceTimersByTime(1)
    await turn()
    expect(batches).toEqual([['now'], ['later 1', 'later 2']])
    answers.push(send('later 3'), send('at once'))
    ends.shift()?.()
    await turn()
    await turn()
    expect(batches[2]).toEqual(['later 3', 'at once'])
    ends.shift()?.()
    expect(await Promise.all(answers)).toEqual(['now', 'later 1', 'later 2', 'later 3', 'at once'])
  } finally {
    vi.useRealTimers()
  }
})
