import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { callQuery, send, withSandbox } from '../support/api'
import { CHAT_MODEL, CHAT_PATH, scriptedBody } from '../support/chat'
import type { ExportedSpan } from '../support/fake-collector'
import { makeCaller } from '../support/owners'
import { ancestry, spanNamed, spansOf, withTracing } from '../support/traced'
import { withReceiver } from '../support/webhook-receiver'
import { withWorker } from '../support/worker'

const collector = withTracing()
withSandbox()
withWorker()
const receiver = withReceiver()

const SECRET_TEXT = 'a goal that nobody else may read'

/** The header of a caller's trace that is not to be exported, as far as the caller is asked. */
function newCaller() {
  const traceId = randomBytes(16).toString('hex')
  return { traceId, headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-00` } }
}

describe('the trace of a request', () => {
  test('goes from the caller over authentication, hold and provider to the settlement', async () => {
    const { owner, key } = await makeCaller(1_000_000, { llm: true })
    const { traceId, headers } = newCaller()
    const { status, headers: answered } = await callQuery(
      key.key,
      'crypto_get_prices',
      { coinIds: ['bitcoin'] },
      headers,
    )
    expect(status).toBe(200)
    const spans = await spansOf(collector(), traceId, 'POST /api/v1/query')
    const request = spanNamed(spans, 'POST /api/v1/query')
    expect(request).toMatchObject({
      kind: 2,
      parentSpanId: '00f067aa0ba902b7',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/query',
        'http.response.status_code': 200,
        'tollgate.request.id': answered.get('x-request-id'),
        'tollgate.owner.id': owner.id,
        'tollgate.key.id': key.id,
      },
    })
    for (const name of ['authenticate', 'reserve', 'execute_tool crypto_get_prices', 'settle'])
      expect(ancestry(spans, spanNamed(spans, name))).toEqual([name, 'POST /api/v1/query'])
    expect(ancestry(spans, spanNamed(spans, 'GET'))).toContain('execute_tool crypto_get_prices')
    const { attributes } = spanNamed(spans, 'settle')
    expect(attributes['tollgate.credits.charged']).toBe(attributes['tollgate.credits.held'])
    expect(spanNamed(spans, 'reserve').attributes['tollgate.credits.held']).toBe(attributes['tollgate.credits.held'])
  })

  test('has the tokens of a streamed completion, its first token and why it ended, and none of its text', async () => {
    const { key } = await makeCaller(1_000_000, { llm: true })
    const { traceId, headers } = newCaller()
    const body = scriptedBody({ text: SECRET_TEXT }, { stream: true })
    await send(CHAT_PATH, { key: key.key, body, headers })
    const spans = await spansOf(collector(), traceId, `POST ${CHAT_PATH}`)
    const model = spanNamed(spans, `chat ${CHAT_MODEL}`)
    expect(model.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': CHAT_MODEL,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
    })
    expect(model.events.map(({ name }) => name)).toEqual(['gen_ai.first_token'])
    expect(ancestry(spans, spanNamed(spans, 'settle'))).toEqual(['settle', `POST ${CHAT_PATH}`])
    expect(collector().text()).not.toContain(SECRET_TEXT)
    expect(collector().text()).not.toContain(key.key)
  })

  test('names the kind of a refusal, and the service has not failed', async () => {
    const { key } = await makeCaller(0, { llm: true })
    const { traceId, headers } = newCaller()
    const { status } = await callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] }, headers)
    expect(status).toBe(402)
    const spans = await spansOf(collector(), traceId, 'POST /api/v1/query')
    expect(spanNamed(spans, 'reserve')).toMatchObject({
      status: { code: 0 },
      attributes: { 'error.type': 'insufficient_credits' },
    })
    expect(spanNamed(spans, 'POST /api/v1/query').status.code).toBe(0)
  })
})

test('a run belongs to the trace of its start: turn, steps, models, tools and settlements', async () => {
  const { key } = await makeCaller(10_000, { agent: true, llm: true })
  const { traceId, headers } = newCaller()
  const call = { name: 'web_search', arguments: { query: 'tolls' } }
  const goal = scriptedGoal({ turns: [{ toolCalls: [call] }, { text: 'Found.' }] }, SECRET_TEXT)
  const { body } = await startAgentRun(key.key, { goal }, headers)
  await untilStatus(key.key, body.jobId, 'completed')
  const spans = await spansOf(collector(), traceId, /^invoke_agent /)
  const [turn] = spans.filter(({ name }) => name.startsWith('invoke_agent ')) as [ExportedSpan]
  expect(turn.attributes).toMatchObject({ 'gen_ai.conversation.id': body.jobId, 'tollgate.run.status': 'completed' })
  const up = [turn.name, 'POST /api/v1/agent']
  expect(ancestry(spans, spanNamed(spans, 'execute_tool web_search'))).toEqual([
    'execute_tool web_search',
    'step tool_calls',
    ...up,
  ])
  const models = spans.filter(({ name }) => name.startsWith('chat '))
  expect(models.map((span) => ancestry(spans, span).slice(1))).toEqual([
    ['step model_step', ...up],
    ['step model_step', ...up],
  ])
  expect(spans.filter(({ name }) => name === 'settle').map((span) => ancestry(spans, span)[1])).toEqual(
    expect.arrayContaining(['step model_step', 'step tool_calls']),
  )
  expect(collector().text()).not.toContain(SECRET_TEXT)
})

test('the receiver of a webhook gets the trace of the run, and no baggage', async () => {
  const { key } = await makeCaller(10_000, { agent: true, llm: true })
  const { traceId, headers } = newCaller()
  const fields = { goal: scriptedGoal({ text: 'Done.' }), callbackUrl: receiver.url('/hook') }
  await startAgentRun(key.key, fields, { ...headers, baggage: 'a=1' })
  await expect.poll(() => receiver.received('/hook').length).toBe(1)
  const [received] = receiver.received('/hook')
  expect(received?.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  expect(received?.headers).not.toHaveProperty('baggage')
  await spansOf(collector(), traceId, 'webhook')
})
