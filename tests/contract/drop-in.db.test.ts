import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { canonicalRequest } from '../../server/http/api-paths'
import { handlerAt } from '../../server/http/mounts'
import { send, withSandbox } from '../support/api'
import { CHAT_MODEL, expectChatError, makeChatter, scriptedBody, sendChat, sendStreamedChat } from '../support/chat'
import { expectUntouched } from '../support/ledger'
import { fetchFromListener, sharedListener } from '../support/listener'
import { withAliases } from '../support/model-aliases'

withAliases({ [CHAT_MODEL]: ['gpt-4o', 'openai/gpt-4o'], 'palette/umber-1': ['gpt-image-1'] })
withSandbox()

const BASES = ['/v1', '/openai/v1', '/api/v1']
const openai = (base: string, apiKey: string) =>
  new OpenAI({ baseURL: `http://127.0.0.1:3000${base}`, apiKey, fetch: fetchFromListener, maxRetries: 0 })

describe.each(BASES)('a client whose base URL ends with %s', (base) => {
  it('lists models, chats and streams', async () => {
    const { key } = await makeChatter()
    const client = openai(base, key.key)
    const models = []
    for await (const { id } of client.models.list()) models.push(id)
    expect(models).toContain(CHAT_MODEL)
    const answer = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Hi' }],
    })
    expect(answer.choices[0]?.message.content).toMatch(/\S/)
    const texts: string[] = []
    const stream = await client.responses.create({ model: 'gpt-4o', input: 'Hi', stream: true })
    for await (const event of stream) if (event.type === 'response.output_text.delta') texts.push(event.delta)
    expect(texts.join('')).toMatch(/\S/)
  })

  it('is served with a slash at the end of a path', async () => {
    const { key } = await makeChatter()
    expect((await send(`${base}/chat/completions/`, { key: key.key, body: scriptedBody() })).status).toBe(200)
    expect((await send(`${base}/models/?kind=chat`)).body.object).toBe('list')
    expect((await send(`${base}/key/`, { key: key.key })).body).toHaveProperty('balance')
  })

  it('is served by the mounts of Next as well', async () => {
    const { key } = await makeChatter()
    const ask = (path: string, init?: RequestInit) => {
      const url = `http://127.0.0.1:3000${base}${path}`
      const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' }
      return handlerAt(new URL(url).pathname)?.(new Request(url, { headers, ...init }))
    }
    expect((await ask('/models'))?.status).toBe(200)
    const answer = await ask('/chat/completions', { method: 'POST', body: JSON.stringify(scriptedBody()) })
    expect(await answer?.json()).toMatchObject({ object: 'chat.completion', service: expect.anything() })
  })
})

it('the SDK of the messages API takes the address itself as its base URL', async () => {
  const { key } = await makeChatter()
  const client = new Anthropic({ baseURL: 'http://127.0.0.1:3000', apiKey: key.key, fetch: fetchFromListener })
  const message = await client.messages.create({
    model: 'gpt-4o',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi' }],
  })
  expect(message.content[0]).toMatchObject({ type: 'text' })
})

it('a request keeps its body, method and headers under its canonical path', async () => {
  const req = new Request('http://x/v1/files/?a=1', { method: 'POST', body: 'text', headers: { 'x-a': 'b' } })
  const canonical = canonicalRequest(req)
  expect([canonical.url, canonical.method, canonical.headers.get('x-a'), await canonical.text()]).toEqual([
    'http://x/api/v1/files?a=1',
    'POST',
    'b',
    'text',
  ])
})

describe('404 in JSON outside the API, with the path that was meant', () => {
  it.each([
    ['POST', '/chat/completions', 'POST /api/v1/chat/completions'],
    ['POST', '/responses', 'POST /api/v1/responses'],
    ['POST', '/openai/deployments/gpt-4o/chat/completions', 'POST /api/v1/chat/completions'],
    ['POST', '/api/chat/completions', 'POST /api/v1/chat/completions'],
    ['POST', '/v2/embeddings', 'POST /api/v1/embeddings'],
    ['GET', '/api/models', 'GET /api/v1/models'],
    ['DELETE', '/assistants/a1', 'POST /api/v1/agent'],
    ['POST', '/v1beta/models/gemini-2.5-pro:generateContent', 'POST /api/v1/chat/completions'],
    ['POST', '/api/generate', 'POST /api/v1/chat/completions'],
  ])('%s %s in the envelope of chat SDKs', async (method, path, right) => {
    const { owner, key } = await makeChatter()
    const answer = await send(path, { method, key: key.key, ...(method === 'POST' && { body: {} }) })
    expectChatError(answer, 404, 'not_found', 'invalid_request_error')
    const { message } = answer.body.error as { message: string }
    expect(message).toContain(path)
    expect(message).toContain(right)
    await expectUntouched(owner, 1_000_000)
  })

  it('POST /messages in the envelope of the messages API', async () => {
    for (const path of ['/messages', '/api/messages', '/anthropic/messages'])
      expect(await send(path, { body: {} })).toMatchObject({
        status: 404,
        body: {
          type: 'error',
          error: { type: 'not_found_error', message: expect.stringContaining('/api/v1/messages') },
        },
      })
  })

  it('POST /query in the envelope of REST', async () => {
    const { status, body } = await send('/query', { body: {} })
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect(body.error).toContain('POST /api/v1/query')
  })

  it('what a browser asks for goes to the pages', async () => {
    const { url } = await sharedListener()
    const ask = (path: string, init: RequestInit) => fetch(url + path, init)
    // What stands for Next in tests answers 404 without a body.
    for (const answer of [
      await ask('/chat/completions', { headers: { accept: 'text/html' } }),
      await ask('/query', { headers: { 'sec-fetch-mode': 'no-cors', accept: 'image/*' } }),
      await ask('/keys', { method: 'POST', headers: { 'next-action': 'a' }, body: '[]' }),
      await ask('/sign-in', { method: 'POST', body: new URLSearchParams({ a: 'b' }) }),
    ])
      expect([answer.status, await answer.text()]).toEqual([404, ''])
  })
})

describe('aliases of models', () => {
  it('name a model wherever its id does', async () => {
    const { key } = await makeChatter(1_000_000, { allowedModels: [CHAT_MODEL] })
    const answer = await sendChat(key.key, scriptedBody({}, { model: 'gpt-4o' }))
    expect(answer.body.model).toBe('gpt-4o')
    const receipt = await send(`/api/v1/usage/${answer.headers.get('x-request-id')}`, { key: key.key })
    expect(receipt.body.what).toBe(CHAT_MODEL)
    for (const id of ['gpt-4o', 'openai/gpt-4o', encodeURIComponent('openai/gpt-4o')])
      expect((await send(`/v1/models/${id}`)).body).toMatchObject({
        id: CHAT_MODEL,
        aliases: ['gpt-4o', 'openai/gpt-4o'],
      })
  })

  it('name a model that a key may not use as little as its id does', async () => {
    const { key } = await makeChatter(1_000_000, { allowedModels: ['northwind/gale-4-mini'] })
    expectChatError(
      await sendChat(key.key, scriptedBody({}, { model: 'gpt-4o' })),
      403,
      'forbidden',
      'permission_error',
    )
  })

  it('name an image model', async () => {
    const { key } = await makeChatter()
    const body = { model: 'gpt-image-1', prompt: 'A house' }
    expect((await send('/v1/images/generations', { key: key.key, body })).status).toBe(200)
  })
})

describe('what clients of routers ask', () => {
  it('GET /generation finds the receipt of an answer by its id', async () => {
    const { key } = await makeChatter()
    const whole = await sendChat(key.key, scriptedBody())
    const streamed = await sendStreamedChat(key.key, scriptedBody())
    const { body: response } = await send('/v1/responses', { key: key.key, body: { model: CHAT_MODEL, input: 'Hi' } })
    for (const id of [whole.body.id, whole.headers.get('x-request-id'), streamed.chunks[0]?.id, response.id]) {
      const { status, body } = await send(`/v1/generation?id=${id}`, { key: key.key })
      expect([status, (body.data as { model: string }).model]).toEqual([200, CHAT_MODEL])
    }
    const { body } = await send(`/v1/generation?id=${whole.body.id}`, { key: key.key })
    const { credits_charged } = whole.body.service as { credits_charged: number }
    expect(body.data).toMatchObject({ credits_charged, total_cost: credits_charged / 2778, api_type: 'chat' })
    const other = await makeChatter()
    expectChatError(
      await send(`/v1/generation?id=${whole.body.id}`, { key: other.key.key }),
      404,
      'not_found',
      'invalid_request_error',
    )
  })

  it('GET /credits adds up what was granted and charged', async () => {
    const { key } = await makeChatter(27_780)
    const { body } = await sendChat(key.key, scriptedBody())
    const { credits_charged: charged } = body.service as { credits_charged: number }
    expect((await send('/v1/credits', { key: key.key })).body).toEqual({
      data: {
        total_credits: 10,
        total_usage: charged / 2778,
        credits: { available: 27_780 - charged, held: 0, charged },
      },
    })
  })

  it('GET /models/{id}/endpoints has one endpoint at our price', async () => {
    const { status, body } = await send(`/v1/models/${CHAT_MODEL}/endpoints`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      id: CHAT_MODEL,
      endpoints: [{ context_length: 256_000, max_completion_tokens: 64_000, pricing: { prompt: '0.000003000000' } }],
    })
    const { key } = await makeChatter(1_000, { allowedModels: ['northwind/gale-4-mini'] })
    expect((await send(`/v1/models/${CHAT_MODEL}/endpoints`, { key: key.key })).status).toBe(404)
    expect((await send('/v1/models/no/model/endpoints')).status).toBe(404)
  })
})
