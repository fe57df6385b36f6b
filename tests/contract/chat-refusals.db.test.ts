import { describe, expect, it } from 'vitest'
import { revokeKey } from '../../server/keys/revoke'
import { makeSecret } from '../../server/keys/secret'
import { send, withSandbox } from '../support/api'
import {
  CHAT_MODEL,
  CHAT_PATH,
  expectChatError,
  makeChatter,
  sandboxUpstream,
  scriptedBody,
  sendChat,
} from '../support/chat'
import { expectUntouched } from '../support/ledger'

withSandbox()
const MIB = 1024 * 1024
const user = (content: unknown) => [{ role: 'user', content }]

describe('404', () => {
  it.each(['/api/v1/chat', '/api/v1/chat/', '/api/v1/chat/completions/x'])(
    'is answered at %s in the chat envelope, also without a key',
    async (path) => {
      expectChatError(await send(path, { body: scriptedBody() }), 404, 'not_found', 'invalid_request_error')
    },
  )
})

describe('405', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('is answered to %s with what is allowed', async (method) => {
    const answer = await send(CHAT_PATH, { method, key: 'nonsense' })
    expectChatError(answer, 405, 'method_not_allowed', 'invalid_request_error')
    expect(answer.headers.get('allow')).toBe('POST')
  })
})

describe('401', () => {
  it.each([
    ['no key', {}],
    ['a key that is not ours', { authorization: `Bearer ${makeSecret()}` }],
    ['another scheme', { authorization: 'Basic x' }],
  ])('is answered to %s', async (_name, headers: Record<string, string>) => {
    expectChatError(
      await send(CHAT_PATH, { headers, body: scriptedBody() }),
      401,
      'unauthorized',
      'authentication_error',
    )
    expect(await sandboxUpstream.calls()).toBe(0)
  })

  it('is answered to a revoked key', async () => {
    const { owner, key } = await makeChatter(1_000)
    await revokeKey(owner.id, key.id)
    expectChatError(await sendChat(key.key, scriptedBody()), 401, 'unauthorized', 'authentication_error')
    await expectUntouched(owner)
  })

  it('comes before 415, 413 and 400', async () => {
    const headers = { 'content-type': 'text/plain', 'content-length': String(21 * MIB) }
    expect(await send(CHAT_PATH, { key: makeSecret(), raw: '{', headers })).toMatchObject({ status: 401 })
  })
})

describe('429', () => {
  it('comes before 415, 413, 400, 403 and 402, with Retry-After, and counts as no request', async () => {
    const { owner, key } = await makeChatter(0, { rpm: 1, llm: false })
    expect(await sendChat(key.key, scriptedBody())).toMatchObject({ status: 403 })
    for (const type of ['application/json', 'text/plain']) {
      const answer = await send(CHAT_PATH, { key: key.key, raw: '{', headers: { 'content-type': type } })
      expectChatError(answer, 429, 'rate_limited', 'rate_limit_error')
      expect(answer.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/)
    }
    await expectUntouched(owner, 0)
  })
})

describe('415', () => {
  it('is answered to another content type, before 413 and 400', async () => {
    const { owner, key } = await makeChatter(1_000)
    const headers = { 'content-type': 'text/plain', 'content-length': String(21 * MIB) }
    const answer = await send(CHAT_PATH, { key: key.key, raw: '{', headers })
    expectChatError(answer, 415, 'unsupported_media_type', 'invalid_request_error')
    await expectUntouched(owner)
  })
})

describe('413', () => {
  it('is answered to a Content-Length over 20 MiB without reading, before 400', async () => {
    const { owner, key } = await makeChatter(1_000)
    const answer = await send(CHAT_PATH, {
      key: key.key,
      raw: '{',
      headers: { 'content-length': String(20 * MIB + 1) },
    })
    expectChatError(answer, 413, 'payload_too_large', 'invalid_request_error')
    await expectUntouched(owner)
  })

  it('is answered to a body that passes 20 MiB, and not to one of exactly 20 MiB', async () => {
    const { key } = await makeChatter()
    const raw = JSON.stringify(scriptedBody({ text: 'ok' }))
    expect(await send(CHAT_PATH, { key: key.key, raw: raw.padEnd(20 * MIB) })).toMatchObject({ status: 200 })
    expect(await send(CHAT_PATH, { key: key.key, raw: raw.padEnd(20 * MIB + 1) })).toMatchObject({ status: 413 })
  })
})

describe('400', () => {
  it.each([
    ['an empty body', ''],
    ['broken JSON', '{"model": '],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['deep nesting', '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('is answered to %s: nothing runs, nothing is billed', async (_name, raw) => {
    const { owner, key } = await makeChatter(1_000)
    const answer = await send(CHAT_PATH, {
      key: key.key,
      raw,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
    expect(await sandboxUpstream.calls()).toBe(0)
    await expectUntouched(owner)
  })

  it.each([
    ['no model', { messages: user('x') }, 'model'],
    ['a model that is not a string', { model: 1, messages: user('x') }, 'model'],
    ['no messages', { model: CHAT_MODEL }, 'messages'],
    ['messages that are a text', { model: CHAT_MODEL, messages: 'x' }, 'messages'],
    ['no message', { model: CHAT_MODEL, messages: [] }, 'messages'],
    ['a message without a role', { model: CHAT_MODEL, messages: [{ content: 'x' }] }, 'messages.0.role'],
    ['a message that is a text', { model: CHAT_MODEL, messages: ['x'] }, 'messages.0'],
    ['a content that is a number', { model: CHAT_MODEL, messages: user(1) }, 'messages.0.content'],
    ['a part without a type', { model: CHAT_MODEL, messages: user([{ text: 'x' }]) }, 'messages.0.content'],
    ['stream as a text', scriptedBody({}, { stream: 'true' }), 'stream'],
    ['stream as a number', scriptedBody({}, { stream: 1 }), 'stream'],
    ['stream_options as a list', scriptedBody({}, { stream_options: [] }), 'stream_options'],
    [
      'include_usage as a text',
      scriptedBody({}, { stream_options: { include_usage: 'yes' } }),
      'stream_options.include_usage',
    ],
    ['n above 8', scriptedBody({}, { n: 9 }), 'n'],
    ['n of 0', scriptedBody({}, { n: 0 }), 'n'],
    ['n below 0', scriptedBody({}, { n: -1 }), 'n'],
    ['half an n', scriptedBody({}, { n: 1.5 }), 'n'],
    ['n as a text', scriptedBody({}, { n: '2' }), 'n'],
    ['a limit of 0', scriptedBody({}, { max_tokens: 0 }), 'max_tokens'],
    ['a limit below 0', scriptedBody({}, { max_tokens: -5 }), 'max_tokens'],
    ['half a limit', scriptedBody({}, { max_completion_tokens: 1.5 }), 'max_completion_tokens'],
    ['a limit as a text', scriptedBody({}, { max_completion_tokens: '10' }), 'max_completion_tokens'],
    ['a limit beyond all measure', scriptedBody({}, { max_tokens: 1e300 }), 'max_tokens'],
    ['models', scriptedBody({}, { models: [CHAT_MODEL] }), 'models'],
    ['route', scriptedBody({}, { route: 'fallback' }), 'route'],
    ['provider', scriptedBody({}, { provider: { order: ['x'] } }), 'provider'],
    ['plugins', scriptedBody({}, { plugins: [{ id: 'web' }] }), 'plugins'],
    ['web_search_options', scriptedBody({}, { web_search_options: {} }), 'web_search_options'],
    ['background', scriptedBody({}, { background: true }), 'background'],
    ['audio', scriptedBody({}, { audio: { voice: 'x' } }), 'audio'],
    ['audio output', scriptedBody({}, { modalities: ['text', 'audio'] }), 'modalities'],
    ['image output', scriptedBody({}, { modalities: ['image'] }), 'modalities'],
  ])('names the field for %s', async (_name, body, param) => {
    const { owner, key } = await makeChatter(1_000)
    const answer = await sendChat(key.key, body)
    expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
    expect(answer.body.error).toMatchObject({ param })
    expect(await sandboxUpstream.calls()).toBe(0)
    await expectUntouched(owner)
  })

  it.each([
    ['a part', (deep: string) => `"messages": [{"role": "user", "content": [{"type": "x", "a": ${deep}}]}]`],
    ['a message', (deep: string) => `"messages": [{"role": "user", "content": "x", "a": ${deep}}]`],
    ['a field', (deep: string) => `"x_more": ${deep}, "messages": [{"role": "user", "content": "x"}]`],
  ])('is answered to %s that is nested without end', async (_name, bodyWith) => {
    const { owner, key } = await makeChatter(1_000)
    const raw = `{"model": "${CHAT_MODEL}", "max_tokens": 9, ${bodyWith('['.repeat(50_000) + ']'.repeat(50_000))}}`
    expectChatError(await send(CHAT_PATH, { key: key.key, raw }), 400, 'invalid_request', 'invalid_request_error')
    await expectUntouched(owner)
  })

  it.each(['nobody/nothing', 'gale-4', '__proto__', 'NORTHWIND/GALE-4', `${CHAT_MODEL} `])(
    'is unknown_model for %j',
    async (model) => {
      const { owner, key } = await makeChatter(1_000)
      const answer = await sendChat(key.key, scriptedBody({}, { model }))
      expectChatError(answer, 400, 'unknown_model', 'invalid_request_error')
      expect(answer.body.error).toMatchObject({ param: 'model', message: expect.stringContaining(model) })
      await expectUntouched(owner)
    },
  )

  it.each(['palette/umber-1', 'palette/ochre-fast', 'lumiere/reel-2'])(
    'is unknown_model for %s, which does not chat',
    async (model) => {
      const { owner, key } = await makeChatter(1_000)
      expectChatError(
        await sendChat(key.key, scriptedBody({}, { model })),
        400,
        'unknown_model',
        'invalid_request_error',
      )
      await expectUntouched(owner)
    },
  )

  it.each([
    ['without a stream', false],
    ['before a stream', true],
  ])('is answered %s as plain JSON', async (_name, stream) => {
    const { key } = await makeChatter(1_000)
    const answer = await sendChat(key.key, scriptedBody({}, { stream, n: 0 }))
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  })

  it('comes before 403 and 402', async () => {
    const { key } = await makeChatter(0, { llm: false })
    expect(await sendChat(key.key, scriptedBody({}, { n: 0 }))).toMatchObject({ status: 400 })
    expect(await sendChat(key.key, scriptedBody({}, { model: 'x/y' }))).toMatchObject({ status: 400 })
  })

  it('takes null for what may be left out', async () => {
    const { key } = await makeChatter()
    const nothing = { stream: null, stream_options: null, n: null, max_tokens: null, models: null, audio: null }
    expect(await sendChat(key.key, scriptedBody({ text: 'ok' }, nothing))).toMatchObject({ status: 200 })
  })
})

describe('403', () => {
  it('is answered to a key without the scope llm, before 402', async () => {
    const { owner, key } = await makeChatter(0, { llm: false })
    const answer = await sendChat(key.key, scriptedBody())
    expectChatError(answer, 403, 'forbidden', 'permission_error')
    expect(answer.body.error).toMatchObject({ message: expect.stringContaining('llm') })
    expect(await sandboxUpstream.calls()).toBe(0)
    await expectUntouched(owner, 0)
  })

  it('is answered for a model outside the key’s set, whose models it names, and not for one inside', async () => {
    const { owner, key } = await makeChatter(1_000_000, { allowedModels: ['northwind/gale-4-mini'] })
    const answer = await sendChat(key.key, scriptedBody())
    expectChatError(answer, 403, 'forbidden', 'permission_error')
    expect(answer.body.error).toMatchObject({ message: expect.stringContaining('northwind/gale-4-mini') })
    await expectUntouched(owner, 1_000_000)
    expect(await sendChat(key.key, scriptedBody({ text: 'ok' }, { model: 'northwind/gale-4-mini' }))).toMatchObject({
      status: 200,
    })
  })

  it('is answered when a stream was asked for, too, as plain JSON', async () => {
    const { key } = await makeChatter(1_000, { llm: false })
    const answer = await sendChat(key.key, scriptedBody({}, { stream: true }))
    expectChatError(answer, 403, 'forbidden', 'permission_error')
  })
})
