import { afterEach, describe, expect, test, vi } from 'vitest'
import { buildTryRequest, sendTryRequest } from './try-request'

const target = {
  method: 'POST',
  path: '/api/v1/agent/{jobId}/answer',
  parameters: [
    { name: 'jobId', in: 'path', required: true },
    { name: 'limit', in: 'query', required: false },
    { name: 'Idempotency-Key', in: 'header', required: false },
  ],
  hasBody: true,
} as const

describe('a request', () => {
  test('has its parameters where they belong, and the key', () => {
    const parameters = { jobId: 'a/b ', limit: '5', 'Idempotency-Key': 'once' }
    const built = buildTryRequest(target, { parameters, body: '{}' }, 'tg_secret')
    expect(built).toMatchObject({
      path: '/api/v1/agent/a%2Fb/answer?limit=5',
      init: { method: 'POST', body: '{}', credentials: 'omit' },
    })
    const { headers } = (built as { init: { headers: Headers } }).init
    expect(Object.fromEntries(headers)).toEqual({
      authorization: 'Bearer tg_secret',
      'content-type': 'application/json',
      'idempotency-key': 'once',
    })
  })

  test('leaves out what is empty, and sends no body where none is taken', () => {
    const built = buildTryRequest(
      { ...target, hasBody: false },
      { parameters: { jobId: 'a', limit: ' ' }, body: '' },
      '',
    )
    expect(built).toMatchObject({ path: '/api/v1/agent/a/answer' })
    expect(Object.keys((built as { init: object }).init)).not.toContain('body')
  })

  test.each([
    [{ parameters: {}, body: '{}' }, 'Fill in jobId.'],
    [{ parameters: { jobId: 'a' }, body: '{' }, 'The body is not JSON.'],
  ])('that cannot be sent says why', (input, why) => {
    expect(buildTryRequest(target, input, 'tg_secret')).toBe(why)
  })
})

describe('an answer', () => {
  const answerOf = (body: BodyInit, type: string, status = 200) => {
    const headers = { 'content-type': type, 'x-request-id': 'r1' }
    vi.stubGlobal('fetch', async () => new Response(body, { status, headers }))
    return sendTryRequest({ path: '/', init: {} }, new AbortController().signal)
  }
  afterEach(() => vi.unstubAllGlobals())

  test('of JSON is indented, and says what was charged', async () => {
    const json = JSON.stringify({ a: 1, service: { credits_charged: 3 } })
    expect(await answerOf(json, 'application/json')).toMatchObject({ status: 200, requestId: 'r1', charged: 3 })
    expect((await answerOf('{"a":1}', 'application/json; charset=utf-8')).text).toBe('{\n  "a": 1\n}')
    expect(await answerOf('{"error":"No."}', 'application/json', 403)).toMatchObject({ status: 403, charged: null })
  })

  test('that streams has its charge on one event', async () => {
    const stream = 'data: {"id":1}\n\ndata: {"service":{"credits_charged":2}}\n\ndata: [DONE]\n\n'
    expect(await answerOf(stream, 'text/event-stream')).toMatchObject({ charged: 2, text: stream })
  })

  test('that is not text is named', async () => {
    expect((await answerOf(new Uint8Array(12), 'image/png')).text).toBe('12 bytes of image/png')
    expect((await answerOf('', 'image/png')).text).toBe('')
  })
})
