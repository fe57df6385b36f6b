import { afterEach, describe, expect, it, vi } from 'vitest'
import { withSandbox } from '../support/api'
import {
  chargeIn,
  expectChatError,
  makeChatter,
  receiptOf,
  sandboxUpstream,
  scriptedBody,
  sendChat,
  sendStreamedChat,
  textIn,
} from '../support/chat'
import { sseEvent, streamChunk, withFakeUpstream } from '../support/fake-upstream'
import { readOwnerMoney } from '../support/ledger'

const upstream = withFakeUpstream()
withSandbox()
afterEach(() => vi.restoreAllMocks())

const VOID = { available: 1_000, held: 0, charged: 0, receipts: 1, holds: 0 }
const LONG = 'All work and no play makes for a dull afternoon. '.repeat(40).trim()
const modes = [
  ['without a stream', false],
  ['before a stream', true],
] as const
/** Enough for one call, without max_tokens. */
const failing = (script: object, stream: boolean) => scriptedBody({ ...script }, { stream, max_tokens: 50 })

describe('400', () => {
  it.each([400, 413, 422].flatMap((status) => modes.map(([name, stream]) => [status, name, stream] as const)))(
    'is answered to the upstream’s %i %s, with its message, and nothing is charged',
    async (status, _name, stream) => {
      const { owner, key } = await makeChatter(1_000)
      const script = { status, message: 'temperature is too high for gale-4', param: 'temperature', code: 'bad_value' }
      const answer = await sendChat(key.key, failing(script, stream))
      expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
      expect(answer.body.error).toMatchObject({
        message: 'temperature is too high for northwind/gale-4',
        param: 'temperature',
      })
      expect(await sandboxUpstream.calls()).toBe(1)
      expect(await readOwnerMoney(owner)).toEqual(VOID)
      expect(await receiptOf(key.key, answer)).toMatchObject({ status: 'void', credits: { charged: 0 } })
    },
  )

  it('reveals nothing about the operator’s account with the provider', async () => {
    const { key } = await makeChatter()
    const message =
      'Bad request req_0123456789abcdef of org-12345abc at https://api.provider.example/v1, key sk-12345678abc'
    const { text } = await sendChat(key.key, failing({ status: 400, message }, false))
    expect(text).not.toMatch(/req_0123|org-123|provider\.example|sk-123/)
  })
})

describe('502', () => {
  it.each(
    [401, 402, 403, 404, 429, 500, 502, 503, 529].flatMap((s) =>
      modes.map(([name, stream]) => [s, name, stream] as const),
    ),
  )(
    'is answered to the upstream’s %i %s: no service, nothing charged, none of its words',
    async (status, _name, stream) => {
      const { owner, key } = await makeChatter(1_000)
      const answer = await sendChat(key.key, failing({ status, message: 'secret words' }, stream))
      expectChatError(answer, 502, 'upstream_error', 'upstream_error')
      expect(answer.text).not.toContain('secret words')
      expect(answer.headers.has('retry-after')).toBe(false)
      expect(await readOwnerMoney(owner)).toEqual(VOID)
      expect(await receiptOf(key.key, answer)).toMatchObject({ status: 'void', detail: { error: expect.any(String) } })
    },
  )

  it.each([429, 503])('passes on the Retry-After of %i', async (status) => {
    const { key } = await makeChatter()
    const answer = await sendChat(key.key, failing({ status, retryAfterS: 12.3 }, false))
    expect(answer.status).toBe(502)
    expect(answer.headers.get('retry-after')).toBe('13')
  })

  it.each(modes)('is answered to an error that came with 200 %s', async (_name, stream) => {
    const { owner, key } = await makeChatter(1_000)
    const answer = await sendChat(key.key, failing({ errorBody200: true }, stream))
    expectChatError(answer, 502, 'upstream_error', 'upstream_error')
    expect(await readOwnerMoney(owner)).toEqual(VOID)
  })

  it.each(modes)('is answered to an upstream that never answers %s', async (_name, stream) => {
    const { owner, key } = await makeChatter(1_000)
    const real = globalThis.setTimeout
    const soon = (ms = 0) => (ms >= 60_000 ? 300 : ms)
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number, ...args: []) =>
      real(run, soon(ms), ...args)) as typeof setTimeout)
    const answer = await sendChat(key.key, failing({ hang: true }, stream))
    expectChatError(answer, 502, 'upstream_error', 'upstream_error')
    expect(await readOwnerMoney(owner)).toEqual(VOID)
    await expect.poll(sandboxUpstream.aborted).toBeGreaterThan(0)
  })

  it.each([
    ['a page of HTML', 'text/html', '<h1>Bad gateway</h1>'],
    ['JSON without choices', 'application/json', '{"ok": true}'],
    ['half of a JSON body', 'application/json', '{"choices": ['],
    ['an empty body', 'application/json', ''],
    ['an empty stream', 'text/event-stream', ''],
    ['only [DONE]', 'text/event-stream', 'data: [DONE]\n\n'],
    ['garbage as the first event', 'text/event-stream', 'data: {"choices": [{\n\n'],
    ['an event that is not an object', 'text/event-stream', 'data: 5\n\n'],
  ])('is answered to 200 with %s, in both modes', async (_name, type, text) => {
    const { owner, key } = await makeChatter(1_000)
    upstream.play((_req, res) => void res.writeHead(200, { 'content-type': type }).end(text))
    for (const stream of [false, true]) {
      const answer = await sendChat(key.key, { ...failing({}, stream), model: 'upstream/one' })
      expectChatError(answer, 502, 'upstream_error', 'upstream_error')
    }
    expect(await readOwnerMoney(owner)).toEqual({ ...VOID, receipts: 2 })
  })

  it.each([
    ['before the headers', false],
    ['after the headers', true],
  ])('is answered to a connection cut %s, in both modes', async (_name, withHeaders) => {
    const { owner, key } = await makeChatter(1_000)
    for (const stream of [false, true]) {
      upstream.play((_req, res) => {
        if (!withHeaders) return void res.destroy()
        res.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
        res.write(stream ? ': hello\n\n' : '{"choices"')
        setTimeout(() => res.destroy(), 50)
      })
      const answer = await sendChat(key.key, { ...failing({}, stream), model: 'upstream/one' })
      expectChatError(answer, 502, 'upstream_error', 'upstream_error')
    }
    expect(await readOwnerMoney(owner)).toEqual({ ...VOID, receipts: 2 })
  })
})

describe('several upstreams', () => {
  it.each([false, true])('serve in order: the second when the first fails (stream: %s)', async (stream) => {
    const { owner, key } = await makeChatter()
    const body = scriptedBody({ text: 'from the second' }, { model: 'lantern/wick-relay' })
    const answer = stream ? await sendStreamedChat(key.key, body) : await sendChat(key.key, body)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('second')
    expect(answer.text).not.toContain('always-503')
    expect(await sandboxUpstream.calls()).toBe(2)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, held: 0, receipts: 1 })
  })

  it.each([401, 402, 403, 404, 429, 500, 503])('are tried one after another after %i', async (status) => {
    const { key } = await makeChatter()
    upstream.play((_req, res) => void res.writeHead(status).end('{}'))
    for (const stream of [false, true]) {
      const answer = await sendChat(key.key, scriptedBody({ text: 'ok' }, { model: 'upstream/two', stream }))
      expect(answer.status).toBe(200)
    }
    expect(upstream.calls()).toBe(2)
  })

  it('are not tried after the caller’s mistake', async () => {
    const { key } = await makeChatter()
    upstream.play((_req, res) => void res.writeHead(400).end('{"error": {"message": "no"}}'))
    expect(await sendChat(key.key, scriptedBody({}, { model: 'upstream/two' }))).toMatchObject({ status: 400 })
    expect(await sandboxUpstream.calls()).toBe(0)
  })

  it('serve when the first fails with its first event, and not after it has said something', async () => {
    const { key } = await makeChatter()
    const error = sseEvent({ error: { message: 'no', code: 500 } })
    upstream.play((_req, res) => void res.writeHead(200, { 'content-type': 'text/event-stream' }).end(error))
    expect(
      textIn((await sendStreamedChat(key.key, scriptedBody({ text: 'ok' }, { model: 'upstream/two' }))).chunks),
    ).toBe('ok')
    upstream.play((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end(sseEvent(streamChunk({ content: 'a' })) + error)
    })
    const broken = await sendStreamedChat(key.key, scriptedBody({ text: 'ok' }, { model: 'upstream/two' }))
    expect(textIn(broken.chunks)).toBe('a')
    expect(broken.events.at(-1)).toMatchObject({ event: 'error' })
  })
})

describe('a stream that breaks after it began', () => {
  it.each([
    ['an error event', { failAfterChunks: 150 }],
    ['a cut connection', { cutAfterChunks: 150 }],
    ['garbage', { garbageAfterChunks: 150 }],
  ])('by %s ends with an error event that carries the charge of what came', async (_name, script) => {
    const { owner, key } = await makeChatter()
    const answer = await sendStreamedChat(key.key, scriptedBody({ text: LONG, ...script, message: 'secret words' }))
    expect(answer.status).toBe(200)
    expect(textIn(answer.chunks).split(' ')).toHaveLength(150)
    const last = answer.events.at(-1)
    expect(last).toMatchObject({
      event: 'error',
      data: { error: { type: 'upstream_error', code: 'upstream_error', param: null, message: expect.any(String) } },
    })
    expect(answer.text).not.toMatch(/secret words|\[DONE\]/)
    const charged = chargeIn(answer)
    expect(charged).toBeGreaterThan(4)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, held: 0, holds: 0, receipts: 1 })
    expect(await receiptOf(key.key, answer)).toMatchObject({
      status: 'failed',
      detail: { estimated: true, error: expect.any(String) },
    })
  })

  it('by silence ends so too, and the upstream is let go', async () => {
    const { owner, key } = await makeChatter()
    const before = await sandboxUpstream.aborted()
    const real = globalThis.setTimeout
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0, ...args: []) =>
      real(run, ms >= 60_000 ? 400 : ms, ...args)) as typeof setTimeout)
    const answer = await sendStreamedChat(key.key, scriptedBody({ text: LONG, hangAfterChunks: 100 }))
    expect(answer.events.at(-1)).toMatchObject({ event: 'error' })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: chargeIn(answer), held: 0 })
    await expect.poll(sandboxUpstream.aborted).toBe(before + 1)
  })

  it('with usage on the error event is charged by that usage', async () => {
    const { key } = await makeChatter()
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 1 }
    upstream.play((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.end(sseEvent(streamChunk({ content: 'a' })) + sseEvent({ error: { message: 'no' }, usage }))
    })
    const answer = await sendStreamedChat(key.key, scriptedBody({}, { model: 'upstream/one' }))
    expect(await receiptOf(key.key, answer)).toMatchObject({ detail: { inputTokens: 1_000_000, estimated: false } })
  })

  it('after its finish_reason keeps that chunk, without the charge', async () => {
    const { key } = await makeChatter()
    upstream.play((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.end(sseEvent(streamChunk({ content: 'a' }, 'stop')) + sseEvent({ error: { message: 'no' } }))
    })
    const { chunks, events } = await sendStreamedChat(key.key, scriptedBody({}, { model: 'upstream/one' }))
    expect(chunks).toMatchObject([{ choices: [{ finish_reason: 'stop' }] }])
    expect(chunks[0]).not.toHaveProperty('service')
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { service: { credits_charged: 1 } } })
  })
})
