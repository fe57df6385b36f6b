import { describe, expect, it } from 'vitest'
import { makeSecret } from '../../server/keys/secret'
import { send, withSandbox } from '../support/api'
import { CHAT_MODEL, expectChatError, makeChatter, receiptOf, sandboxUpstream } from '../support/chat'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { RESPONSES_PATH, scriptedResponse, sendResponses } from '../support/responses'
import { modelOf, withWireModels } from '../support/wire-models'

withWireModels(['chat', 'responses', 'messages'])
withSandbox()

const MIB = 1024 * 1024
const PNG = 'data:image/png;base64,iVBORw0KGgo='
const VOID = { available: 1_000, held: 0, charged: 0, receipts: 1, holds: 0 }

const calls = async () => {
  const seen = await (await fetch(`${process.env.SANDBOX_URL}/__calls`)).json()
  return (
    ((seen as { byPath: Record<string, number> }).byPath['/llm/v1/responses'] ?? 0) + (await sandboxUpstream.calls())
  )
}

describe('405', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('is answered to %s with what is allowed', async (method) => {
    const answer = await send(RESPONSES_PATH, { method, key: 'nonsense' })
    expectChatError(answer, 405, 'method_not_allowed', 'invalid_request_error')
    expect(answer.headers.get('allow')).toBe('POST')
  })
})

describe('401', () => {
  it.each([
    ['no key', {}],
    ['a key that is not ours', { authorization: `Bearer ${makeSecret()}` }],
  ])('is answered to %s', async (_name, headers: Record<string, string>) => {
    const answer = await send(RESPONSES_PATH, { headers, body: scriptedResponse() })
    expectChatError(answer, 401, 'unauthorized', 'authentication_error')
    expect(await calls()).toBe(0)
  })
})

describe('429', () => {
  it('comes before 415 and 400, with Retry-After', async () => {
    const { owner, key } = await makeChatter(0, { rpm: 1, llm: false })
    expect(await sendResponses(key.key, scriptedResponse())).toMatchObject({ status: 403 })
    const answer = await send(RESPONSES_PATH, { key: key.key, raw: '{', headers: { 'content-type': 'text/plain' } })
    expectChatError(answer, 429, 'rate_limited', 'rate_limit_error')
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    await expectUntouched(owner, 0)
  })
})

describe('415', () => {
  it('is answered to another content type', async () => {
    const { owner, key } = await makeChatter(1_000)
    const answer = await send(RESPONSES_PATH, { key: key.key, raw: '{', headers: { 'content-type': 'text/plain' } })
    expectChatError(answer, 415, 'unsupported_media_type', 'invalid_request_error')
    await expectUntouched(owner)
  })
})

describe('413', () => {
  it('is answered to a Content-Length over 20 MiB', async () => {
    const { owner, key } = await makeChatter(1_000)
    const headers = { 'content-length': String(20 * MIB + 1) }
    const answer = await send(RESPONSES_PATH, { key: key.key, raw: '{', headers })
    expectChatError(answer, 413, 'payload_too_large', 'invalid_request_error')
    await expectUntouched(owner)
  })
})

describe('400', () => {
  const say = { role: 'user', content: 'x' }
  const imagePart = (more: object) => ({ type: 'input_image', ...more })
  const of = (part: object, role = 'user') => ({ input: [{ role, content: [part] }] })

  it.each([
    ['no model', { model: undefined }, 'model'],
    ['no input', { input: undefined }, 'input'],
    ['no item', { input: [] }, 'input'],
    ['input that is a number', { input: 5 }, 'input'],
    ['a content that is a number', { input: [{ role: 'user', content: 5 }] }, 'input'],
    ['stream as a text', { stream: 'true' }, 'stream'],
    ['tools as an object', { tools: {} }, 'tools'],
    ['a tool without a type', { tools: [{ name: 'x' }] }, 'tools.0.type'],
    ['a limit of 0', { max_output_tokens: 0 }, 'max_output_tokens'],
    ['half a limit', { max_output_tokens: 1.5 }, 'max_output_tokens'],
    ['a limit as a text', { max_output_tokens: '10' }, 'max_output_tokens'],
    ['two histories', { previous_response_id: 'resp_1', conversation: 'conv_1' }, 'previous_response_id'],
    ['a stream in the background', { background: true, stream: true }, 'stream'],
    ['background without store', { background: true, store: false }, 'store'],
    ['a conversation without store', { conversation: 'conv_1', store: false }, 'store'],
    ['a stored prompt', { prompt: { id: 'pmpt_1' } }, 'prompt'],
    [
      'a forced hosted tool',
      { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
      'tool_choice.type',
    ],
    ['a forced MCP tool', { tool_choice: { type: 'mcp', server_label: 'x' } }, 'tool_choice.type'],
    ['only hosted tools, one required', { tools: [{ type: 'web_search' }], tool_choice: 'required' }, 'tool_choice'],
    [
      'only hosted tools allowed',
      { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search' }] } },
      'tool_choice.tools',
    ],
    ['models', { models: [CHAT_MODEL] }, 'models'],
    ['route', { route: 'fallback' }, 'route'],
    ['provider', { provider: { order: ['x'] } }, 'provider'],
    ['plugins', { plugins: [{ id: 'web' }] }, 'plugins'],
    ['web_search_options', { web_search_options: {} }, 'web_search_options'],
    ['audio', { audio: { voice: 'x' } }, 'audio'],
    ['audio output', { modalities: ['audio'] }, 'modalities'],
    ['an image by id', of(imagePart({ file_id: 'file-1' })), 'input.0.content.0.file_id'],
    ['an image over http', of(imagePart({ image_url: 'http://example.com/a.png' })), 'input.0.content.0.image_url'],
    ['an image at home', of(imagePart({ image_url: 'https://127.0.0.1/a.png' })), 'input.0.content.0.image_url'],
    ['an image of the assistant', of(imagePart({ image_url: PNG }), 'assistant'), 'input.0.content.0.image_url'],
    ['a file by id', of({ type: 'input_file', file_id: 'file-1' }), 'input.0.content.0.file_id'],
    ['a file at home', of({ type: 'input_file', file_url: 'https://10.0.0.1/a.pdf' }), 'input.0.content.0.file_url'],
  ])('names the field for %s', async (_name, more, param) => {
    const { owner, key } = await makeChatter(1_000)
    for (const model of [modelOf('chat'), modelOf('responses')]) {
      const answer = await sendResponses(key.key, scriptedResponse({}, { model, ...more }))
      expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
      expect(answer.body.error).toMatchObject({ param })
    }
    expect(await calls()).toBe(0)
    await expectUntouched(owner)
  })

  it.each([
    ['a compaction', { input: [say, { type: 'compaction', encrypted_content: 'x' }] }, 'input.1.type'],
    ['a linked file', of({ type: 'input_file', file_url: 'https://example.com/a.pdf' }), 'input.0.content.0.file_url'],
    ['a tool that only models of this wire know', { tools: [{ type: 'apply_patch' }] }, 'tools.0.type'],
  ])('names what an upstream of another wire does not have: %s', async (_name, more, param) => {
    const { owner, key } = await makeChatter(1_000)
    const answer = await sendResponses(key.key, scriptedResponse({}, { model: modelOf('chat'), ...more }))
    expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
    expect(answer.body.error).toMatchObject({ param })
    await expectUntouched(owner)
    const here = await sendResponses(key.key, scriptedResponse({}, { model: modelOf('responses'), ...more }))
    expect(here.status).toBe(200)
  })

  it('is unknown_model for a model that is not there, and for one that does not chat', async () => {
    const { owner, key } = await makeChatter(1_000)
    for (const model of ['nobody/nothing', 'palette/umber-1']) {
      const answer = await sendResponses(key.key, scriptedResponse({}, { model }))
      expectChatError(answer, 400, 'unknown_model', 'invalid_request_error')
    }
    await expectUntouched(owner)
  })

  it('is answered to an image for a model that takes none, with those that do', async () => {
    const { key } = await makeChatter(1_000)
    const answer = await sendResponses(key.key, {
      model: 'alpenglow/edelweiss-small',
      ...of(imagePart({ image_url: PNG })),
    })
    expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
    expect(answer.body.error).toMatchObject({ param: 'input', message: expect.stringContaining(CHAT_MODEL) })
  })

  it.each(['chat', 'responses'] as const)('is the upstream’s own, which speaks %s', async (wire) => {
    for (const stream of [false, true]) {
      const { owner, key } = await makeChatter(1_000)
      const script = { status: 400, message: 'temperature is too high for gale-4', param: 'temperature' }
      const more = { model: modelOf(wire), stream, max_output_tokens: 50 }
      const answer = await sendResponses(key.key, scriptedResponse(script, more))
      expectChatError(answer, 400, 'invalid_request', 'invalid_request_error')
      expect(answer.body.error).toMatchObject({ message: `temperature is too high for ${modelOf(wire)}` })
      expect(await readOwnerMoney(owner)).toEqual(VOID)
      expect(await receiptOf(key.key, answer)).toMatchObject({ status: 'void', credits: { charged: 0 } })
    }
  })

  it('takes null for what may be left out', async () => {
    const { key } = await makeChatter()
    const names = ['instructions', 'stream', 'tools', 'tool_choice', 'text', 'reasoning', 'include', 'conversation']
    const nothing = Object.fromEntries(
      [...names, 'previous_response_id', 'prompt', 'max_output_tokens'].map((n) => [n, null]),
    )
    for (const model of [modelOf('chat'), modelOf('responses')]) {
      const answer = await sendResponses(
        key.key,
        scriptedResponse({ text: 'ok' }, { ...nothing, background: false, model }),
      )
      expect(answer.status).toBe(200)
    }
  })
})

describe('403', () => {
  it('is answered to a key without the scope llm, and for a model outside the key’s set', async () => {
    for (const settings of [{ llm: false }, { allowedModels: ['northwind/gale-4-mini'] }]) {
      const { owner, key } = await makeChatter(1_000, settings)
      const answer = await sendResponses(key.key, scriptedResponse({}, { stream: true }))
      expectChatError(answer, 403, 'forbidden', 'permission_error')
      await expectUntouched(owner)
    }
    expect(await calls()).toBe(0)
  })
})

describe('402', () => {
  it.each([
    ['balance', 0, {}],
    ['key_budget', 1_000, { budget: 1 }],
  ])(
    'is answered where the %s is too small, whether it streams or not, and nothing runs',
    async (source, credits, settings) => {
      const { owner, key } = await makeChatter(credits, settings)
      for (const stream of [false, true]) {
        const answer = await sendResponses(key.key, scriptedResponse({}, { stream, max_output_tokens: 10_000 }))
        expectChatError(answer, 402, 'insufficient_credits', 'insufficient_quota')
        expect(answer.body.error).toMatchObject({ limitSource: source })
      }
      expect(await calls()).toBe(0)
      await expectUntouched(owner, credits)
    },
  )
})

describe('502', () => {
  it.each(['chat', 'responses'] as const)('is answered where the upstream, which speaks %s, fails', async (wire) => {
    for (const script of [{ status: 500 }, { status: 429 }, { status: 401 }, { errorBody200: true }]) {
      for (const stream of [false, true]) {
        const { owner, key } = await makeChatter(1_000)
        const more = { model: modelOf(wire), stream, max_output_tokens: 50 }
        const answer = await sendResponses(key.key, scriptedResponse({ ...script, message: 'secret words' }, more))
        expectChatError(answer, 502, 'upstream_error', 'upstream_error')
        expect(answer.text).not.toContain('secret words')
        expect(await readOwnerMoney(owner)).toEqual(VOID)
      }
    }
  })
})
