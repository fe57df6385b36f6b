import { describe, expect, it } from 'vitest'
import { revokeKey } from '../../server/keys/revoke'
import { makeSecret } from '../../server/keys/secret'
import { send, withSandbox } from '../support/api'
import { CHAT_MODEL, makeChatter } from '../support/chat'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import {
  COUNT_PATH,
  expectMessagesError,
  MESSAGES_PATH,
  messagesBody,
  modelCalls,
  sendMessages,
} from '../support/messages'
import { modelOf, withWireModels } from '../support/wire-models'

withSandbox()
withWireModels(['chat', 'messages'])

const MIB = 1024 * 1024
const NATIVE = modelOf('messages')
const user = (...content: object[]) => [{ role: 'user', content }]
const asked = (more: object = {}, model = CHAT_MODEL) => messagesBody(model, { text: 'ok' }, { ...more })
const image = (source: object) => ({ type: 'image', source })

describe.each([MESSAGES_PATH, COUNT_PATH])('POST %s', (path) => {
  const post = (key: string, body: object) => send(path, { key, body })

  describe('405', () => {
    it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('is answered to %s with what is allowed', async (method) => {
      const answer = await send(path, { method, key: 'nonsense' })
      expectMessagesError(answer, 405, 'method_not_allowed', 'invalid_request_error')
      expect(answer.headers.get('allow')).toBe('POST')
    })
  })

  describe('401', () => {
    it.each([
      ['no key', {}],
      ['an unknown key', { 'x-api-key': makeSecret() }],
      ['a wrong key', { authorization: 'Bearer sk-ant-x' }],
    ])('is answered to %s, before 415, 413 and 400', async (_name, headers: Record<string, string>) => {
      const more = { 'content-type': 'text/plain', 'content-length': String(21 * MIB) }
      const answer = await send(path, { raw: '{', headers: { ...headers, ...more } })
      expectMessagesError(answer, 401, 'unauthorized', 'authentication_error')
    })

    it('is answered to a revoked key', async () => {
      const { owner, key } = await makeChatter(1_000)
      await revokeKey(owner.id, key.id)
      expectMessagesError(await post(key.key, asked()), 401, 'unauthorized', 'authentication_error')
      await expectUntouched(owner)
    })
  })

  describe('429', () => {
    it('comes before 415 and 400, with Retry-After; each request counts once', async () => {
      const { owner, key } = await makeChatter(1_000, { rpm: 1, llm: false })
      expect(await post(key.key, asked())).toMatchObject({ status: 403 })
      const answer = await send(path, { key: key.key, raw: '{', headers: { 'content-type': 'text/plain' } })
      expectMessagesError(answer, 429, 'rate_limited', 'rate_limit_error')
      expect(answer.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/)
      await expectUntouched(owner)
    })
  })

  describe('415 and 413', () => {
    it('are answered to another content type, and to more than 20 MiB', async () => {
      const { owner, key } = await makeChatter(1_000)
      const text = await send(path, { key: key.key, raw: '{}', headers: { 'content-type': 'text/plain' } })
      expectMessagesError(text, 415, 'unsupported_media_type', 'invalid_request_error')
      const large = await send(path, { key: key.key, raw: '{', headers: { 'content-length': String(20 * MIB + 1) } })
      expectMessagesError(large, 413, 'payload_too_large', 'request_too_large')
      await expectUntouched(owner)
    })
  })

  describe('400', () => {
    it.each(['', '{"model": ', '[]', 'null', '{}'])('is answered to the body %j', async (raw) => {
      const { owner, key } = await makeChatter(1_000)
      const headers = { 'content-type': 'application/json' }
      const answer = await send(path, { key: key.key, raw, method: 'POST', headers })
      expectMessagesError(answer, 400, 'invalid_request', 'invalid_request_error')
      await expectUntouched(owner)
    })

    it.each([
      ['no model', asked({ model: undefined }), 'model'],
      ['no messages', asked({ messages: undefined }), 'messages'],
      ['a role that is not known', asked({ messages: [{ role: 'tool', content: 'x' }] }), 'messages.0.role'],
      ['half a limit', asked({ max_tokens: 1.5 }), 'max_tokens'],
      ['a limit of 0', asked({ max_tokens: 0 }), 'max_tokens'],
      ['a container', asked({ container: 'c' }), 'container'],
      ['servers', asked({ mcp_servers: [{ type: 'url', url: 'https://example.com' }] }), 'mcp_servers'],
      ['other models', asked({ fallbacks: [{ model: 'x' }] }), 'fallbacks'],
      [
        'compaction',
        asked({ context_management: { edits: [{ type: 'compact_20260112' }] } }),
        'context_management.edits.0',
      ],
      ['a kept conversation', asked({ thread: { type: 'create' } }), 'thread'],
      ['a place', asked({ inference_geo: 'us' }), 'inference_geo'],
      [
        'an image of http',
        asked({ messages: user(image({ type: 'url', url: 'http://example.com/a.png' })) }),
        'messages.0.content.0.source.url',
      ],
      [
        'a private image',
        asked({ messages: user(image({ type: 'url', url: 'https://127.0.0.1/a.png' })) }),
        'messages.0.content.0.source.url',
      ],
      [
        'a stored file',
        asked({ messages: user(image({ type: 'file', file_id: 'file_1' })) }),
        'messages.0.content.0.source.type',
      ],
      [
        'an image of the assistant',
        asked({
          messages: [{ role: 'assistant', content: [image({ type: 'base64', media_type: 'image/png', data: 'QQ' })] }],
        }),
        'messages.0.content.0',
      ],
      [
        'a private document in a result',
        asked({
          messages: user({
            type: 'tool_result',
            tool_use_id: 'a',
            content: [{ type: 'document', source: { type: 'url', url: 'https://10.0.0.1/a.pdf' } }],
          }),
        }),
        'messages.0.content.0.content.0.source.url',
      ],
      [
        'a tool that runs at the provider and is forced',
        asked({
          tools: [{ type: 'web_search_20250305', name: 'web_search' }],
          tool_choice: { type: 'tool', name: 'web_search' },
        }),
        'tool_choice.name',
      ],
      ['a tool that chat does not know', asked({ tools: [{ type: 'bash_20250124', name: 'bash' }] }), 'tools.0.type'],
      [
        'a linked document for chat',
        asked({ messages: user({ type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }) }),
        'messages.0.content.0.source.type',
      ],
    ])('names the field for %s: nothing runs, nothing is billed', async (_name, body, field) => {
      const { owner, key } = await makeChatter(1_000)
      const answer = await post(key.key, body)
      expectMessagesError(answer, 400, 'invalid_request', 'invalid_request_error')
      expect((answer.body.error as { issues: object[] }).issues[0]).toMatchObject({ path: field })
      expect(await modelCalls()).toBe(0)
      await expectUntouched(owner)
    })

    it('is unknown_model for a model that is not there, or that does not chat', async () => {
      const { owner, key } = await makeChatter(1_000)
      for (const model of ['claude-sonnet-4-5', 'palette/umber-1']) {
        const answer = await post(key.key, asked({}, model))
        expectMessagesError(answer, 400, 'unknown_model', 'invalid_request_error')
        expect(answer.body.error).toMatchObject({ message: expect.stringContaining(model) })
      }
      await expectUntouched(owner)
    })

    it('says which models take images where one does not', async () => {
      const { key } = await makeChatter()
      const messages = user(image({ type: 'base64', media_type: 'image/png', data: 'QQ' }))
      const answer = await post(key.key, asked({ messages }, 'lantern/wick-tiny'))
      expectMessagesError(answer, 400, 'invalid_request', 'invalid_request_error')
      expect(answer.body.error).toMatchObject({ message: expect.stringContaining(CHAT_MODEL) })
    })
  })

  describe('403', () => {
    it('is answered to a key without the scope llm, and for a model outside its set', async () => {
      const mute = await makeChatter(0, { llm: false })
      expectMessagesError(await post(mute.key.key, asked()), 403, 'forbidden', 'permission_error')
      const other = await makeChatter(0, { allowedModels: ['northwind/gale-4-mini'] })
      expectMessagesError(await post(other.key.key, asked()), 403, 'forbidden', 'permission_error')
      await expectUntouched(other.owner, 0)
    })
  })
})

describe('400', () => {
  it('is answered without max_tokens, which says what is missing', async () => {
    const { owner, key } = await makeChatter(1_000)
    const answer = await sendMessages(key.key, asked({ max_tokens: undefined }))
    expectMessagesError(answer, 400, 'invalid_request', 'invalid_request_error')
    expect(answer.body.error).toMatchObject({ message: expect.stringMatching(/max_tokens: is required/) })
    await expectUntouched(owner)
  })

  it('of the upstream comes through with its message, and costs nothing', async () => {
    const { owner, key } = await makeChatter()
    for (const model of [CHAT_MODEL, NATIVE]) {
      const answer = await sendMessages(key.key, messagesBody(model, { status: 400, message: 'Too long by 7' }))
      expectMessagesError(answer, 400, 'invalid_request', 'invalid_request_error')
      expect(answer.body.error).toMatchObject({ message: 'Too long by 7' })
    }
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0, receipts: 2 })
  })
})

describe('402', () => {
  it.each([
    ['balance', 0, {}],
    ['key_budget', 1_000, { budget: 1 }],
  ])('names the limit: %s', async (limitSource, credits, settings) => {
    const { owner, key } = await makeChatter(credits, settings)
    for (const stream of [false, true]) {
      const answer = await sendMessages(key.key, asked({ stream }))
      expectMessagesError(answer, 402, 'insufficient_credits', 'billing_error')
      expect(answer.body.error).toMatchObject({ limitSource })
    }
    expect(await modelCalls()).toBe(0)
    await expectUntouched(owner, credits)
  })

  it('is never answered by count_tokens, which is free', async () => {
    const { key } = await makeChatter(0)
    expect(await send(COUNT_PATH, { key: key.key, body: asked() })).toMatchObject({ status: 200 })
  })
})

describe('409 and 422', () => {
  const headers = { 'idempotency-key': 'a' }
  it('belong to an Idempotency-Key: replayed once it is answered, refused before and for another body', async () => {
    const { owner, key } = await makeChatter()
    const slow = messagesBody(NATIVE, { text: 'once', delayMs: 1_000 })
    const first = sendMessages(key.key, slow, headers)
    await expect.poll(modelCalls).toBe(1)
    expectMessagesError(await sendMessages(key.key, slow, headers), 409, 'conflict', 'invalid_request_error')
    const { body } = await first
    const again = await sendMessages(key.key, slow, headers)
    expect(again).toMatchObject({ status: 200, body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expectMessagesError(
      await sendMessages(key.key, asked(), headers),
      422,
      'idempotency_mismatch',
      'invalid_request_error',
    )
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, receipts: 1, held: 0 })
  })

  it('of one wire says nothing to another', async () => {
    const { key } = await makeChatter()
    const body = asked()
    expect(await send('/api/v1/chat/completions', { key: key.key, body, headers })).toMatchObject({ status: 200 })
    expectMessagesError(
      await sendMessages(key.key, body, headers),
      422,
      'idempotency_mismatch',
      'invalid_request_error',
    )
  })
})

describe('502', () => {
  it.each([CHAT_MODEL, NATIVE])('is answered where %s fails before it answers, and costs nothing', async (model) => {
    const { owner, key } = await makeChatter()
    for (const script of [
      { status: 500 },
      { status: 529 },
      { status: 429, retryAfterS: 7 },
      { status: 401 },
      { errorBody200: true },
    ]) {
      for (const stream of [false, true]) {
        const answer = await sendMessages(key.key, messagesBody(model, script, { stream }))
        expectMessagesError(answer, 502, 'upstream_error', 'api_error')
        const isBusy = script.status === 429 || script.status === 529
        expect((answer.body.error as { message: string }).message.includes('overloaded')).toBe(isBusy)
        expect(answer.headers.get('retry-after')).toBe(script.retryAfterS ? '7' : null)
      }
    }
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0, receipts: 10 })
  })
})
