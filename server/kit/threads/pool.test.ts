import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { QueueFullError } from '../fair-slots'
import type { Parser } from './parser'
import { closeParsers, runParser } from './pool'

const FIXTURE = path.resolve('tests/support/thread-fixture.mjs')
const QUICK: Parser = { file: FIXTURE, lane: 'quick', reused: true, cpuMs: 500, wallMs: 60_000, memoryMb: 64 }
const HEAVY: Parser = { ...QUICK, lane: 'heavy', reused: false }

afterAll(closeParsers)

const run = (task: object, { parser = QUICK, owner = 'a', signal }: RunOptions = {}) =>
  runParser<unknown>(parser, task, { owner, signal })
type RunOptions = { parser?: Parser; owner?: string; signal?: AbortSignal }

test('a thread returns a value, and sees nothing of our environment', async () => {
  expect(await run({ act: 'echo', say: 'hi' })).toEqual({ kind: 'done', value: { said: 'hi', env: [] }, usedBytes: 0 })
})

test('one that throws, or ends without a word, has failed; the next task has a thread', async () => {
  expect(await run({ act: 'fail' })).toEqual({ kind: 'failed', message: 'on purpose' })
  expect(await run({ act: 'end' })).toMatchObject({ kind: 'failed' })
  expect(await run({ act: 'echo' })).toMatchObject({ kind: 'done' })
})

test.each(['spin', 'backtrack'])('%s is stopped at its CPU budget', async (act) => {
  expect(await run({ act })).toEqual({ kind: 'out_of_time' })
})

test('time on the clock is no CPU time: what waits, or has to share the processor, is not stopped', async () => {
  const spinning = ['b', 'c', 'd'].map((owner) =>
    run({ act: 'spin' }, { owner, parser: { ...HEAVY, lane: 'shell', cpuMs: 2_000 } }),
  )
  expect(await run({ act: 'sleep', ms: 800 })).toMatchObject({ kind: 'done' })
  expect(await run({ act: 'compute', ms: 250 })).toMatchObject({ kind: 'done', value: 'computed' })
  expect(await Promise.all(spinning)).toEqual(Array(3).fill({ kind: 'out_of_time' }))
})

test('what waits longer than its wall time is stopped too', async () => {
  expect(await run({ act: 'sleep', ms: 60_000 }, { parser: { ...QUICK, wallMs: 300 } })).toEqual({
    kind: 'out_of_time',
  })
})

test.each(['fill', 'fillBuffers'])('memory is bounded, heap and buffers alike: %s', async (act) => {
  expect(await run({ act }, { parser: { ...QUICK, cpuMs: 30_000 } })).toEqual({ kind: 'out_of_memory' })
})

test('an aborted task throws the reason, waiting or running, and frees its slot', async () => {
  const stop = new AbortController()
  const tasks = [1, 2].map(() => run({ act: 'spin' }, { parser: { ...HEAVY, cpuMs: 60_000 }, signal: stop.signal }))
  setTimeout(() => stop.abort(new Error('enough')), 200)
  await Promise.all(tasks.map((task) => expect(task).rejects.toThrow('enough')))
  expect(await run({ act: 'echo' }, { parser: HEAVY })).toMatchObject({ kind: 'done' })
})

test('a thread that keeps nothing is used again, and one that may keep something is not', async () => {
  expect(await run({ act: 'count' })).toMatchObject({ value: 1 })
  expect(await run({ act: 'count' })).toMatchObject({ value: 2 })
  expect(await run({ act: 'count' }, { parser: HEAVY })).toMatchObject({ value: 1 })
  expect(await run({ act: 'count' }, { parser: HEAVY })).toMatchObject({ value: 1 })
})

test('an owner with many tasks does not hold up another', async () => {
  const stop = new AbortController()
  const many = Array.from({ length: 20 }, () =>
    run({ act: 'sleep', ms: 60_000 }, { parser: HEAVY, owner: 'greedy', signal: stop.signal }),
  )
  expect(await run({ act: 'echo' }, { parser: HEAVY, owner: 'other' })).toMatchObject({ kind: 'done' })
  stop.abort(new Error('over'))
  await Promise.allSettled(many)
})

test('an owner whose queue is full is refused at once', async () => {
  const stop = new AbortController()
  const many = Array.from({ length: 70 }, () =>
    run({ act: 'sleep', ms: 60_000 }, { parser: HEAVY, owner: 'greedy', signal: stop.signal }),
  )
  const outcomes = Promise.allSettled(many)
  await expect(many.at(-1)).rejects.toThrow(QueueFullError)
  expect(await run({ act: 'echo' }, { parser: HEAVY, owner: 'other' })).toMatchObject({ kind: 'done' })
  stop.abort(new Error('over'))
  await outcomes
})
