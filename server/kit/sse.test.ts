import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { endStreams, openStreams, sseBody, sseData } from './sse'

const text = (chunk: Uint8Array | undefined) => new TextDecoder().decode(chunk)

test('one event is a line of JSON and an empty one', () => {
  expect(sseData({ a: 'x\ny' })).toBe('data: {"a":"x\\ny"}\n\n')
})

test('parts come in order, then the end, and onLeave is not called', async () => {
  let left = 0
  async function* texts() {
    yield 'a'
    yield 'b'
  }
  expect(await new Response(sseBody(texts(), () => left++)).text()).toBe('ab')
  expect([left, openStreams.count]).toEqual([0, 0])
})

test('nothing is taken from the source before the reader wants it', async () => {
  let taken = 0
  async function* texts() {
    for (;;) yield String(taken++)
  }
  const reader = sseBody(texts(), () => {}).getReader()
  await sleep(20)
  expect(taken).toBe(0)
  await reader.read()
  await reader.read()
  await sleep(20)
  expect(taken).toBe(2)
  expect(openStreams.count).toBe(1)
  await reader.cancel()
  expect(openStreams.count).toBe(0)
})

test('comments keep a silent stream alive, and stop with it', async () => {
  const { promise: twoCame, resolve } = Promise.withResolvers<void>()
  async function* texts() {
    await twoCame
    yield 'late'
  }
  let answer = ''
  for await (const chunk of sseBody(texts(), () => {}, { keepaliveMs: 20 })) {
    answer += text(chunk)
    if (answer.split('keepalive').length > 2) resolve()
  }
  expect(answer).toMatch(/^(: keepalive\n\n){2,}late$/)
})

test('a reader who disconnects ends the source, whose end is awaited', async () => {
  const seen: string[] = []
  const gone = new AbortController()
  async function* texts() {
    try {
      yield 'a'
      await new Promise((_, reject) => gone.signal.addEventListener('abort', () => reject(new Error('left'))))
    } finally {
      await sleep(20)
      seen.push('settled')
    }
  }
  const reader = sseBody(texts(), () => gone.abort()).getReader()
  expect(text((await reader.read()).value)).toBe('a')
  const pending = reader.read()
  await sleep(5)
  const cancelled = reader.cancel().catch(() => {})
  expect(openStreams.count).toBe(1)
  await cancelled
  await pending
  expect(seen).toEqual(['settled'])
  expect(openStreams.count).toBe(0)
})

test('a reader who leaves before reading anything still lets the source clean up', async () => {
  const seen: string[] = []
  async function* texts() {
    try {
      yield 'a'
    } finally {
      seen.push('settled')
    }
  }
  await sseBody(texts(), () => seen.push('left')).cancel()
  expect(seen).toEqual(['left', 'settled'])
  expect(openStreams.count).toBe(0)
})

test('an aborted stream ends with one last event, and its source is ended', async () => {
  let left = 0
  let isOver = false
  const silence = Promise.withResolvers<void>()
  async function* texts() {
    try {
      yield 'data: 1\n\n'
      await silence.promise
      yield 'data: 2\n\n'
    } finally {
      isOver = true
    }
  }
  const leave = () => {
    left++
    silence.resolve()
  }
  const reader = sseBody(texts(), leave).getReader()
  expect(text((await reader.read()).value)).toBe('data: 1\n\n')
  const next = reader.read()
  endStreams('event: error\n\n')
  expect(text((await next).value)).toBe('event: error\n\n')
  expect((await reader.read()).done).toBe(true)
  await vi.waitFor(() => expect([left, isOver, openStreams.count]).toEqual([1, true, 0]))
})
