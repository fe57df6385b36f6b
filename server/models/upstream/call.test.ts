import { getEventListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { log } from '../../kit/log'
import { startSandboxServer } from '../../sandbox/start'
import type { CallModelOptions, CompletionBody, CompletionChunk, CompletionEvent } from '../completion'
import type { Model, Upstream } from '../shape'
import { chatModelRequest } from '../wires/chat/request'
import { callModel } from './call'

let sandbox: Awaited<ReturnType<typeof startSandboxServer>>
beforeAll(async () => {
  log.level = 'silent'
  sandbox = await startSandboxServer({ port: 0 })
})
afterAll(() => sandbox.stop())

const open: { close: () => void }[] = []
afterAll(() => {
  for (const server of open) server.close()
})

/** An upstream that responds with `handle`. Returns its base URL. */
async function startUpstream(handle: (req: IncomingMessage, res: ServerResponse) => void): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const upstream = (baseUrl: string, model = 'one'): Upstream => ({ api: 'chat', baseUrl, apiKeyEnv: null, model })
const modelAt = (...upstreams: Upstream[]): Model => ({
  id: 'acme/one',
  name: 'One',
  provider: 'Acme',
  kind: 'chat',
  contextSize: 128_000,
  maxOutput: 16_000,
  defaultMaxOutput: 16_000,
  usdPer1mInput: 1,
  usdPer1mOutput: 1,
  creditsPer1mInput: 1n,
  creditsPer1mOutput: 1n,
  vision: true,
  upstreams,
})
const sandboxModel = () => modelAt(upstream(`${sandbox.url}/llm/v1`))
const ask = (script: object, more: object = {}): CompletionBody => ({
  model: 'acme/one',
  messages: [{ role: 'user', content: `Hello [[sandbox ${JSON.stringify(script)}]]` }],
  ...more,
})
const streamed = (body: CompletionBody) => ({ ...chatModelRequest(body), isStream: true })
const idle = () => new AbortController().signal

async function eventsOf(
  model: Model,
  body: CompletionBody,
  options: CallModelOptions = { signal: idle() },
): Promise<CompletionEvent[]> {
  const completion = await callModel(model, streamed(body), options)
  if (completion.kind !== 'stream') throw new Error('not a stream')
  return Array.fromAsync(completion.events)
}
async function streamOf(model: Model, body: CompletionBody, options: CallModelOptions = { signal: idle() }) {
  const completion = await callModel(model, streamed(body), options)
  if (completion.kind !== 'stream') throw new Error('not a stream')
  return completion.events[Symbol.asyncIterator]()
}
const textOf = (events: CompletionEvent[]) =>
  events
    .flatMap((e) => (e.kind === 'chunk' ? [e.chunk] : []))
    .map((chunk: CompletionChunk) => (chunk.choices as { delta: { content?: string } }[])[0]?.delta.content ?? '')
    .join('')
const aborted = async () => ((await (await fetch(`${sandbox.url}/llm/__aborted`)).json()) as { count: number }).count
const lastBody = async () =>
  ((await (await fetch(`${sandbox.url}/llm/__last`)).json()) as { body: CompletionBody }).body
const sse = (res: ServerResponse) => res.writeHead(200, { 'content-type': 'text/event-stream' })
const chunkLine = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

describe('an answer', () => {
  test('comes as the upstream sent it, and the request goes out as it came, but for the model', async () => {
    const body = ask({ text: 'Good day' }, { temperature: 0.5, x_unknown: { deep: [1] }, seed: 7 })
    const sent = { accepted: false }
    const completion = await callModel(sandboxModel(), chatModelRequest(body), { signal: idle(), sent })
    expect(completion).toMatchObject({
      kind: 'json',
      upstreamModel: 'one',
      body: { object: 'chat.completion', sandbox: true, choices: [{ message: { content: 'Good day' } }] },
    })
    expect(sent.accepted).toBe(true)
    expect(await lastBody()).toEqual({ ...body, model: 'one' })
  })
  test('streams in pieces, always with usage, and keeps the other stream options', async () => {
    const events = await eventsOf(sandboxModel(), ask({ text: 'one two three' }, { stream_options: { x: 1 } }))
    expect(textOf(events)).toBe('one two three')
    expect(events.at(-1)).toMatchObject({ chunk: { choices: [], usage: { completion_tokens: 3 } } })
    expect((await lastBody()).stream_options).toEqual({ x: 1, include_usage: true })
  })
  test('is asked for with the key its upstream names, and without one where none is named', async () => {
    process.env.TEST_UPSTREAM_KEY = 'sk-operator'
    const asked: (string | undefined)[] = []
    const base = await startUpstream((req, res) => {
      asked.push(req.headers.authorization)
      res.end('{"choices": []}')
    })
    await callModel(modelAt({ ...upstream(base), apiKeyEnv: 'TEST_UPSTREAM_KEY' }), chatModelRequest({}), {
      signal: idle(),
    })
    await callModel(modelAt(upstream(base)), chatModelRequest({}), { signal: idle() })
    expect(asked).toEqual(['Bearer sk-operator', undefined])
  })
  test('may come with padding before it, and with comments in between', async () => {
    const base = await startUpstream((req, res) => {
      if (req.url === '/json/chat/completions') return void res.end('\n      \n\n   {"choices": []}')
      sse(res).end(`: busy\n\n: still busy\n\n${chunkLine('a')}: busy\n\n${chunkLine('b')}data: [DONE]`)
    })
    expect(await callModel(modelAt(upstream(`${base}/json`)), chatModelRequest({}), { signal: idle() })).toMatchObject({
      kind: 'json',
    })
    expect(textOf(await eventsOf(modelAt(upstream(base)), {}))).toBe('ab')
  })
  test('ends with the stream when there is no [DONE], and ignores what follows one', async () => {
    const base = await startUpstream((req, res) => {
      sse(res).end(
        req.url?.startsWith('/after') ? `${chunkLine('a')}data: [DONE]\n\n${chunkLine('b')}` : chunkLine('a'),
      )
    })
    expect(textOf(await eventsOf(modelAt(upstream(base)), {}))).toBe('a')
    expect(textOf(await eventsOf(modelAt(upstream(`${base}/after`)), {}))).toBe('a')
  })
  test('in pieces of any size is the same', async () => {
    const text = `${chunkLine('grüße')}${chunkLine('🦆')}data: [DONE]\n\n`.replaceAll('\n', '\r\n')
    const base = await startUpstream(async (_req, res) => {
      sse(res)
      for (const byte of Buffer.from(text)) {
        res.write(Buffer.of(byte))
        await new Promise(setImmediate)
      }
      res.end()
    })
    expect(textOf(await eventsOf(modelAt(upstream(base)), {}))).toBe('grüße🦆')
  })
  test('leaves its connection for the next call', async () => {
    const sockets = new Set<Socket>()
    const base = await startUpstream((req, res) => {
      sockets.add(req.socket)
      req.resume().on('end', () => sse(res).end(`${chunkLine('a')}data: [DONE]\n\n`))
    })
    for (let i = 0; i < 5; i++) {
      await eventsOf(modelAt(upstream(base)), {})
      await sleep(10)
    }
    expect(sockets.size).toBe(1)
  })
})

describe('several upstreams', () => {
  const answering = () => upstream(`${sandbox.url}/llm/v1`, 'good')
  const at = async (status: number, body: unknown, headers: Record<string, string> = {}) =>
    upstream(
      await startUpstream((_req, res) => {
        res.writeHead(status, { 'content-type': 'application/json', ...headers })
        res.end(JSON.stringify(body))
      }),
    )

  test.each([401, 402, 403, 404, 408, 429, 500, 502, 503, 529, 302])(
    'after a %i the next one answers',
    async (status) => {
      const model = modelAt(await at(status, { error: { message: 'no' } }), answering())
      expect(await callModel(model, chatModelRequest(ask({})), { signal: idle() })).toMatchObject({
        kind: 'json',
        upstreamModel: 'good',
      })
      expect(textOf(await eventsOf(model, ask({ text: 'yes' })))).toBe('yes')
    },
  )
  test('so it does after a refused connection, an answer that is not a completion, and an error with status 200', async () => {
    for (const bad of [
      upstream('http://127.0.0.1:1'),
      await at(200, 'hello'),
      await at(200, {}),
      await at(200, { error: { code: 502, message: 'late' } }),
    ]) {
      const model = modelAt(bad, answering())
      expect(await callModel(model, chatModelRequest(ask({})), { signal: idle() })).toMatchObject({
        upstreamModel: 'good',
      })
      expect(textOf(await eventsOf(model, ask({ text: 'yes' })))).toBe('yes')
    }
  })
  test('so it does after a stream that begins with an error, with rubbish, or not at all', async () => {
    for (const start of [
      'data: {"error":{"code":502}}\n\n',
      'event: error\ndata: {"message":"x"}\n\n',
      'data: {\n\n',
      '',
      '{"error":"x"}\n\n',
      'data: [DONE]\n\n',
    ]) {
      const base = await startUpstream((_req, res) => sse(res).end(start))
      expect(textOf(await eventsOf(modelAt(upstream(base), answering()), ask({ text: 'yes' })))).toBe('yes')
    }
  })
  test('so it does after one that takes too long, for headers or for the first event', async () => {
    const silent = await startUpstream(() => {})
    const talkative = await startUpstream((_req, res) => {
      sse(res)
      const timer = setInterval(() => res.write(': wait\n\n'), 10)
      res.on('close', () => clearInterval(timer))
    })
    const timeouts = { connectMs: 100, firstByteMs: 100 }
    for (const base of [silent, talkative]) {
      const sent = { accepted: false }
      const model = modelAt(upstream(base), answering())
      expect(textOf(await eventsOf(model, ask({ text: 'yes' }), { signal: idle(), timeouts, sent }))).toBe('yes')
    }
  })
  test.each([400, 413, 422])('a %i is the caller’s and ends it, without ids', async (status) => {
    const error = { message: 'bad for org-Ab12Cd34', param: 'tools', code: 'bad_tools' }
    const model = modelAt(await at(status, { error, user_id: 'user_ours' }), answering())
    for (const stream of [true, false]) {
      await expect(
        callModel(model, { ...chatModelRequest(ask({})), isStream: stream }, { signal: idle() }),
      ).rejects.toMatchObject({
        code: 'invalid_request',
        message: 'bad for …',
        detail: { param: 'tools', upstreamCode: 'bad_tools' },
      })
    }
  })
  test('all of them failing is a 502 with the shortest wait', async () => {
    const model = modelAt(
      await at(429, { error: {} }, { 'retry-after': '30' }),
      await at(503, 'down', { 'retry-after': '4' }),
      await at(401, { error: { message: 'our key' } }),
    )
    const sent = { accepted: true }
    const thrown = callModel(model, chatModelRequest(ask({})), { signal: idle(), sent })
    await expect(thrown).rejects.toMatchObject({ code: 'upstream_error', retryAfter: 4, charge: undefined })
    await expect(callModel(modelAt(), chatModelRequest({}), { signal: idle() })).rejects.toMatchObject({
      code: 'upstream_error',
    })
  })
  test('only those that speak chat are asked', async () => {
    const model = modelAt({ ...(await at(200, { choices: [] })), api: 'fal' }, answering())
    expect(await callModel(model, chatModelRequest(ask({})), { signal: idle() })).toMatchObject({
      upstreamModel: 'good',
    })
  })
})

describe('a failure after the beginning is the last event', () => {
  const failing = async (script: object, timeouts = {}) => {
    const events = await eventsOf(sandboxModel(), ask({ text: 'a b c d e f', ...script }), { signal: idle(), timeouts })
    expect(textOf(events)).toBe('a b c')
    expect(events.filter(({ kind }) => kind === 'error')).toHaveLength(1)
    return events.at(-1)
  }
  test('an error event, with its usage', async () => {
    expect(await failing({ failAfterChunks: 3, message: 'secret' })).toMatchObject({
      kind: 'error',
      error: { code: 'upstream_error', message: "The model's provider failed while answering." },
      usage: null,
    })
  })
  test('a line that is not JSON', async () => {
    expect(await failing({ garbageAfterChunks: 3 })).toMatchObject({ kind: 'error', error: { code: 'upstream_error' } })
  })
  test('a connection that breaks', async () => {
    expect(await failing({ cutAfterChunks: 3 })).toMatchObject({ kind: 'error', error: { code: 'upstream_error' } })
  })
  test('silence', async () => {
    const before = await aborted()
    expect(await failing({ hangAfterChunks: 3 }, { idleMs: 150 })).toMatchObject({ kind: 'error', usage: null })
    await expect.poll(aborted).toBe(before + 1)
  })
  test('an event without end', async () => {
    const base = await startUpstream((_req, res) => {
      sse(res).write(chunkLine('a'))
      const more = () => {
        while (!res.destroyed && res.write('data: '.padEnd(1024 * 1024, 'x')));
      }
      res.on('drain', more)
      more()
    })
    const events = await eventsOf(modelAt(upstream(base)), {})
    expect(events.at(-1)).toMatchObject({ kind: 'error', error: { message: expect.stringContaining('too large') } })
  })
})

test('an answer of more than 32 MiB is a failure of the upstream', async () => {
  const base = await startUpstream((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' })
    res.end(Buffer.alloc(33 * 1024 * 1024, ' '))
  })
  await expect(callModel(modelAt(upstream(base)), chatModelRequest({}), { signal: idle() })).rejects.toMatchObject({
    code: 'upstream_error',
  })
})

test('a whole answer that stops halfway is a failure of the upstream', async () => {
  const base = await startUpstream(
    (_req, res) => void res.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":'),
  )
  const options = { signal: idle(), timeouts: { idleMs: 100 } }
  await expect(callModel(modelAt(upstream(base)), chatModelRequest({}), options)).rejects.toMatchObject({
    code: 'upstream_error',
  })
})

describe('aborting', () => {
  const reason = new Error('the caller left')

  test('before the first byte closes the upstream at once, and was accepted', async () => {
    const before = await aborted()
    const caller = new AbortController()
    const sent = { accepted: false }
    const running = callModel(sandboxModel(), chatModelRequest(ask({ hang: true })), { signal: caller.signal, sent })
    await expect.poll(() => sent.accepted).toBe(true)
    caller.abort(reason)
    await expect(running).rejects.toBe(reason)
    await expect.poll(aborted).toBe(before + 1)
  })
  test('while the body goes out was not accepted', async () => {
    const sockets: Socket[] = []
    const server = createSocketServer((socket) => sockets.push(socket.pause()))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const caller = new AbortController()
    const sent = { accepted: false }
    const body = { messages: [{ role: 'user', content: 'x'.repeat(19 * 1024 * 1024) }] }
    const running = callModel(modelAt(upstream(base)), chatModelRequest(body), { signal: caller.signal, sent })
    await expect.poll(() => sockets.length).toBe(1)
    await sleep(200)
    expect(sent.accepted).toBe(false)
    caller.abort(reason)
    await expect(running).rejects.toBe(reason)
    await sleep(50)
    expect(sent.accepted).toBe(false)
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  test('in the middle of a stream closes the upstream, and the stream throws the reason', async () => {
    const before = await aborted()
    const caller = new AbortController()
    const events = await streamOf(sandboxModel(), ask({ text: 'a b c', chunkDelayMs: 5_000 }), {
      signal: caller.signal,
    })
    await events.next()
    const waiting = events.next().then(() => events.next())
    setTimeout(() => caller.abort(reason), 20)
    await expect(waiting).rejects.toBe(reason)
    await expect.poll(aborted).toBe(before + 1)
  })
  test('while nobody reads closes the upstream too', async () => {
    const before = await aborted()
    const caller = new AbortController()
    await streamOf(sandboxModel(), ask({ text: 'a b c', chunkDelayMs: 5_000 }), { signal: caller.signal })
    caller.abort(reason)
    await expect.poll(aborted).toBe(before + 1)
  })
  test('is what leaving a stream early does, also before its first event was taken', async () => {
    for (const taken of [0, 1, 2]) {
      const before = await aborted()
      const events = await streamOf(sandboxModel(), ask({ text: 'a b c', chunkDelayMs: 200 }))
      for (let i = 0; i < taken; i++) await events.next()
      await events.return?.()
      await expect.poll(aborted).toBe(before + 1)
      expect(await events.next()).toMatchObject({ done: true })
    }
  })
  test('before it began asks nobody', async () => {
    await expect(
      callModel(sandboxModel(), chatModelRequest(ask({})), { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
  })
  test('leaves no listener on a signal that lives on', async () => {
    const caller = new AbortController()
    await callModel(sandboxModel(), chatModelRequest(ask({})), { signal: caller.signal })
    await eventsOf(sandboxModel(), ask({}), { signal: caller.signal })
    await eventsOf(sandboxModel(), ask({ text: 'a b', failAfterChunks: 1 }), { signal: caller.signal })
    await callModel(sandboxModel(), chatModelRequest(ask({ status: 503 })), { signal: caller.signal }).catch(() => {})
    await expect.poll(() => getEventListeners(caller.signal, 'abort')).toEqual([])
  })
})

test('a slow reader stops the upstream instead of filling memory, and is not taken for silence', async () => {
  let written = 0
  const piece = chunkLine('x'.repeat(60_000))
  const base = await startUpstream((_req, res) => {
    sse(res)
    const more = () => {
      while (written < 400 * 1024 * 1024 && !res.destroyed) {
        written += piece.length
        if (!res.write(piece)) return
      }
    }
    res.on('drain', more)
    more()
  })
  const events = await streamOf(modelAt(upstream(base)), {}, { signal: idle(), timeouts: { idleMs: 2_000 } })
  for (let i = 0; i < 20; i++) await events.next()
  await sleep(2_500)
  const atRest = written
  expect(atRest).toBeLessThan(40 * 1024 * 1024)
  await sleep(300)
  expect(written).toBe(atRest)
  expect(await events.next()).toMatchObject({ value: { kind: 'chunk' } })
  for (let i = 0; i < 2_000; i++) expect(await events.next()).toMatchObject({ value: { kind: 'chunk' } })
  expect(written).toBeGreaterThan(atRest)
  await events.return?.()
})
