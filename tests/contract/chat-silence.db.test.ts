import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sseTiming } from '../../server/kit/sse'
import { waitForCallsToEnd, withSandbox } from '../support/api'
import {
  CHAT_PATH,
  chargeIn,
  makeChatter,
  parseSse,
  receiptOf,
  sandboxUpstream,
  scriptedBody,
  sendChat,
  sendStreamedChat,
  textIn,
} from '../support/chat'
import { sseEvent, streamChunk, type UpstreamHandler, withFakeUpstream } from '../support/fake-upstream'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'

const upstream = withFakeUpstream()
withSandbox()

const PRODUCTION = { ...sseTiming }
beforeEach(() => {
  Object.assign(sseTiming, { openAfterMs: 250, keepaliveMs: 200 })
})
afterEach(() => {
  Object.assign(sseTiming, PRODUCTION)
})

const SSE = { 'content-type': 'text/event-stream' }
const atUpstream = (more: object = {}) =>
  scriptedBody({ text: 'second' }, { model: 'upstream/two', max_tokens: 50, ...more })
const alone = (more: object = {}) => scriptedBody({}, { model: 'upstream/one', max_tokens: 50, ...more })
const ROLE = sseEvent(streamChunk({ role: 'assistant', content: '' }))

/** Takes the request, sends this at once and that after a while. */
const thenLater =
  (now: string | null, later: string, ms: number): UpstreamHandler =>
  (_req, res) => {
    if (now !== null) res.writeHead(200, SSE).write(now)
    setTimeout(() => (now === null ? res.writeHead(503).end('{}') : res.end(later)), ms)
  }

const begin = async (key: string, body: object, signal?: AbortSignal) =>
  fetch((await sharedListener()).url + CHAT_PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true }),
    signal,
  })

it('the headers wait 10 s for the first token, and comments come every 15 s', () => {
  expect(PRODUCTION).toEqual({ openAfterMs: 10_000, keepaliveMs: 15_000 })
})

describe('a stream whose model is silent', () => {
  it('opens with a comment, gets more of them, and then its answer', async () => {
    const { owner, key } = await makeChatter()
    const answer = await sendStreamedChat(key.key, scriptedBody({ text: 'late', delayMs: 2_500 }))
    expect(answer.text).toMatch(/^: keepalive\n\n/)
    expect(answer.comments.length).toBeGreaterThanOrEqual(2)
    expect(new Set(answer.comments)).toEqual(new Set(['keepalive']))
    expect(textIn(answer.chunks)).toBe('late')
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: chargeIn(answer), held: 0, holds: 0 })
  })

  it('has its headers and the first comment long before the answer', async () => {
    const { key } = await makeChatter()
    const leaving = new AbortController()
    const response = await begin(key.key, scriptedBody({ hang: true }), leaving.signal)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('x-request-id')).toMatch(/\S/)
    const first = await response.body?.getReader().read()
    expect(Buffer.from(first?.value ?? []).toString()).toBe(': keepalive\n\n')
    leaving.abort()
    await waitForCallsToEnd()
  })

  it('opens although its upstream has accepted and announced a role', async () => {
    const { key } = await makeChatter()
    upstream.play(thenLater(ROLE, sseEvent(streamChunk({ content: 'ok' }, 'stop')) + sseEvent('[DONE]'), 900))
    const answer = await sendStreamedChat(key.key, alone())
    expect(answer.text).toMatch(/^: keepalive\n\n/)
    expect(textIn(answer.chunks)).toBe('ok')
    expect(answer.chunks[0]).toMatchObject({ choices: [{ delta: { role: 'assistant' } }] })
  })

  it('gets comments between two tokens', async () => {
    const { key } = await makeChatter()
    const answer = await sendStreamedChat(key.key, scriptedBody({ text: 'one two', chunkDelayMs: 1_500 }))
    expect(answer.text).not.toMatch(/^:/)
    expect(answer.comments.length).toBeGreaterThanOrEqual(1)
    expect(textIn(answer.chunks)).toBe('one two')
    expect(chargeIn(answer)).toBe(1)
  })

  it('has no comment when the answer is there in time', async () => {
    Object.assign(sseTiming, { openAfterMs: 20_000, keepaliveMs: 20_000 })
    const { key } = await makeChatter()
    expect((await sendStreamedChat(key.key, scriptedBody({ text: 'one two' }))).comments).toEqual([])
  })
})

describe('until the first token another upstream can serve', () => {
  it('after the headers have gone out', async () => {
    const { owner, key } = await makeChatter()
    upstream.play(thenLater(null, '', 800))
    const answer = await sendStreamedChat(key.key, atUpstream())
    expect(answer.text).toMatch(/^: keepalive\n\n/)
    expect(textIn(answer.chunks)).toBe('second')
    expect(answer.events.filter(({ event }) => event === 'error')).toEqual([])
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: chargeIn(answer), held: 0, receipts: 1 })
  })

  it.each([
    ['fails', sseEvent({ error: { message: 'overloaded', code: 503 } })],
    ['ends in garbage', 'data: {"choices": [{\n\n'],
  ])('when the first has announced a role and then %s', async (_name, ending) => {
    const { key } = await makeChatter()
    for (const ms of [0, 700]) {
      upstream.play(thenLater(ROLE, ending, ms))
      const answer = await sendStreamedChat(key.key, atUpstream())
      expect(answer.status).toBe(200)
      expect(textIn(answer.chunks)).toBe('second')
      expect(answer.text).not.toContain('overloaded')
    }
  })

  it('when the first disconnects after a role', async () => {
    const { key } = await makeChatter()
    upstream.play((_req, res) => {
      res.writeHead(200, SSE).write(ROLE)
      setTimeout(() => res.destroy(), 50)
    })
    expect(textIn((await sendStreamedChat(key.key, atUpstream())).chunks)).toBe('second')
  })

  it('and not after it: what came is charged', async () => {
    const { key } = await makeChatter()
    upstream.play((_req, res) => {
      res.writeHead(200, SSE).write(ROLE + sseEvent(streamChunk({ content: 'a' })))
      setTimeout(() => res.destroy(), 50)
    })
    const answer = await sendStreamedChat(key.key, atUpstream())
    expect(textIn(answer.chunks)).toBe('a')
    expect(answer.events.at(-1)).toMatchObject({ event: 'error', data: { error: { code: 'upstream_error' } } })
    expect(chargeIn(answer)).toBeGreaterThan(0)
    expect(await sandboxUpstream.calls()).toBe(0)
  })
})

describe('a failure of every upstream', () => {
  it('before the headers has a status', async () => {
    Object.assign(sseTiming, { openAfterMs: 20_000 })
    const { owner, key } = await makeChatter()
    upstream.play(thenLater(ROLE, sseEvent({ error: { message: 'no', code: 503 } }), 10))
    const answer = await sendChat(key.key, alone({ stream: true }))
    expect(answer).toMatchObject({ status: 502, body: { error: { code: 'upstream_error' } } })
    expect(answer.body).not.toHaveProperty('service')
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0, holds: 0 })
  })

  it('after the headers is an error event with service, 0 credits, and the end', async () => {
    const { owner, key } = await makeChatter()
    const answer = await sendStreamedChat(key.key, scriptedBody({ status: 503, delayMs: 800 }))
    expect(answer).toMatchObject({
      status: 200,
      events: [{ event: 'error', data: { error: { code: 'upstream_error' }, service: { credits_charged: 0 } } }],
    })
    expect(answer.text).toMatch(/^: keepalive\n\n/)
    expect(await receiptOf(key.key, answer)).toMatchObject({ status: 'void', credits: { charged: 0 } })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0, holds: 0 })
  })

  it('that is the caller’s own is an error event too', async () => {
    const { key } = await makeChatter()
    const answer = await sendStreamedChat(key.key, scriptedBody({ status: 400, message: 'too hot', delayMs: 800 }))
    expect(answer.events).toMatchObject([
      { event: 'error', data: { error: { code: 'invalid_request' }, service: { credits_charged: 0 } } },
    ])
  })
})

it('a caller who disconnects while the model is silent cancels the upstream, and pays for the prompt', async () => {
  const { owner, key } = await makeChatter()
  const before = await sandboxUpstream.aborted()
  const leaving = new AbortController()
  const response = await begin(key.key, scriptedBody({ hang: true }), leaving.signal)
  await response.body?.getReader().read()
  leaving.abort()
  await expect.poll(sandboxUpstream.aborted).toBe(before + 1)
  await expect.poll(async () => (await readOwnerMoney(owner)).holds).toBe(0)
  expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, held: 0, receipts: 1 })
})

it('the comment is what event-stream clients ignore', () => {
  expect(parseSse(': keepalive\n\ndata: {"a":1}\n\n').chunks).toEqual([{ a: 1 }])
})
