import { expect, test } from 'vitest'
import { inThread } from './thread'

const FILE = { name: 'none', source: '../tests/support/thread-fixture.mjs' }
const BOUNDS = { timeoutMs: 10_000, heapMb: 64 }

test('a thread answers once, and sees nothing of our environment', async () => {
  expect(await inThread(FILE, { act: 'echo', say: 'hi' }, BOUNDS)).toEqual({
    kind: 'done',
    value: { said: 'hi', env: 0 },
  })
})

test('one that spins is ended in time, and others run meanwhile', async () => {
  const spinning = inThread(FILE, { act: 'spin' }, { ...BOUNDS, timeoutMs: 1_500 })
  expect(await inThread(FILE, { act: 'echo' }, BOUNDS)).toMatchObject({ kind: 'done' })
  expect(await spinning).toEqual({ kind: 'late' })
})

test('one that fills its heap ends alone', async () => {
  expect(await inThread(FILE, { act: 'fill' }, BOUNDS)).toEqual({ kind: 'too_large' })
})

test('one that throws, or ends without a word, has failed', async () => {
  expect(await inThread(FILE, { act: 'fail' }, BOUNDS)).toEqual({ kind: 'failed', message: 'on purpose' })
  expect(await inThread(FILE, { act: 'end' }, BOUNDS)).toMatchObject({ kind: 'failed' })
})

test('an aborted one throws the reason', async () => {
  const stop = new AbortController()
  const running = inThread(FILE, { act: 'spin' }, { ...BOUNDS, signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
})
