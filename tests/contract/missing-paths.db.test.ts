import OpenAI, { NotFoundError } from 'openai'
import { describe, expect, it } from 'vitest'
import { send, withSandbox } from '../support/api'
import { expectChatError } from '../support/chat'
import { expectUntouched } from '../support/ledger'
import { fetchFromListener } from '../support/listener'
import { makeCaller } from '../support/owners'

withSandbox()
const at = (path: string) => `/api/v1/${path}`

describe('404 in the envelope of chat SDKs, with what exists instead', () => {
  it.each([
    ['completions', 'POST', /POST \/api\/v1\/chat\/completions/],
    ['chat', 'POST', /POST \/api\/v1\/chat\/completions/],
    ['chat/completions/chatcmpl-1', 'GET', /POST \/api\/v1\/chat\/completions/],
    ['responses/resp_1/events', 'GET', /POST \/api\/v1\/responses/],
    ['assistants', 'POST', /POST \/api\/v1\/agent/],
    ['threads/t1/runs', 'POST', /POST \/api\/v1\/agent/],
    ['files', 'GET', /inside the request/],
    ['files/f1/content', 'GET', /inside the request/],
    ['uploads', 'POST', /inside the request/],
    ['batches', 'POST', /answered at once/],
    ['fine_tuning/jobs', 'POST', /GET \/api\/v1\/models/],
    ['moderations', 'POST', /GET \/api\/v1\/models/],
    ['audio/speech', 'POST', /No model here/],
    ['audio/transcriptions', 'POST', /No model here/],
    ['images/edits', 'POST', /POST \/api\/v1\/images\/generations/],
    ['images/variations', 'POST', /POST \/api\/v1\/images\/generations/],
    ['videos', 'POST', /video_generate/],
    ['vector_stores', 'POST', /POST \/api\/v1\/embeddings/],
    ['rerank', 'POST', /POST \/api\/v1\/embeddings/],
    ['realtime/sessions', 'POST', /stream: true/],
    ['organization/usage/completions', 'GET', /GET \/api\/v1\/usage/],
    ['v1/chat/completions', 'POST', /\/v1 twice/],
  ])('to /api/v1/%s', async (path, method, instead) => {
    const { owner, key } = await makeCaller(1_000, { llm: true })
    const answer = await send(at(path), { method, key: key.key, ...(method === 'POST' && { body: {} }) })
    expectChatError(answer, 404, 'not_found', 'invalid_request_error')
    const { message } = answer.body.error as { message: string }
    expect(message).toContain(`/api/v1/${path}`)
    expect(message).toMatch(instead)
    await expectUntouched(owner)
  })
})

describe('404 in the envelope of the messages API', () => {
  it.each([
    ['messages/batches', 'POST', /POST \/api\/v1\/messages/],
    ['messages/batches/b1/results', 'GET', /POST \/api\/v1\/messages/],
    ['messages/nothing', 'POST', /count_tokens/],
    ['complete', 'POST', /POST \/api\/v1\/messages/],
    ['skills', 'GET', /POST \/api\/v1\/messages/],
  ])('to /api/v1/%s, whatever its headers', async (path, method, instead) => {
    const answer = await send(at(path), { method, ...(method === 'POST' && { body: {} }) })
    expect(answer).toMatchObject({
      status: 404,
      body: { type: 'error', error: { type: 'not_found_error', code: 'not_found' } },
    })
    expect((answer.body.error as { message: string }).message).toMatch(instead)
    expect(answer.body.request_id).toBe(answer.headers.get('request-id'))
    expect(answer.headers.get('x-request-id')).toBe(answer.headers.get('request-id'))
  })

  it.each(['files', 'v1/messages', 'organizations/me', 'nobody-knows'])(
    'to /api/v1/%s of a client that speaks it',
    async (path) => {
      const answer = await send(at(path), { headers: { 'anthropic-version': '2023-06-01' } })
      expect(answer).toMatchObject({ status: 404, body: { type: 'error', error: { type: 'not_found_error' } } })
    },
  )
})

describe('elsewhere', () => {
  it('a path that nobody knows is 404 in the envelope of REST', async () => {
    for (const path of ['nobody-knows', 'filesystem', 'query/x', 'constructor'])
      expect(await send(at(path))).toMatchObject({
        status: 404,
        body: { code: 'not_found', error: expect.any(String) },
      })
  })

  it.each(['chat/completions', 'embeddings', 'images/generations', 'responses'])(
    'a wrong method of /api/v1/%s is 405 in the envelope of chat SDKs',
    async (path) => {
      for (const method of ['GET', 'DELETE']) {
        const answer = await send(at(path), { method })
        expectChatError(answer, 405, 'method_not_allowed', 'invalid_request_error')
        expect(answer.headers.get('allow')).toBe('POST')
      }
    },
  )

  it('the openai SDK throws what it throws for a 404', async () => {
    const client = new OpenAI({
      baseURL: 'http://127.0.0.1:3000/api/v1',
      apiKey: 'tg_x',
      fetch: fetchFromListener,
      maxRetries: 0,
    })
    await expect(client.moderations.create({ input: 'x' })).rejects.toBeInstanceOf(NotFoundError)
    await expect(client.files.list()).rejects.toThrow(/inside the request/)
  })
})
