import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { restOperations } from '../../server/api/operations'
import { scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { send, type TestResponse, withSandbox } from '../support/api'
import { sharedListener } from '../support/listener'
import { makeCaller } from '../support/owners'
import { exchangeBytes } from '../support/socket'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

let key: string
beforeAll(async () => {
  key = (await makeCaller(1_000_000, { agent: true, llm: true })).key.key
})

/** A run that waits for its owner. */
async function waiting(): Promise<string> {
  const goal = scriptedGoal({ toolCalls: [{ name: 'present_plan', arguments: { plan: 'Go.' } }] })
  const { body } = await startAgentRun(key, { goal, mode: 'interactive' })
  await untilStatus(key, body.jobId, 'awaiting_input')
  return String(body.jobId)
}

const NOTHING: [string, object][] = [
  ['no body', {}],
  ['no body, but a content type', { headers: { 'content-type': 'application/json' } }],
  ['an empty body', { raw: '' }],
  ['an empty body without a type', { raw: '', headers: { 'content-type': '' } }],
  ['an empty form', { raw: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ['{}', { raw: '{}' }],
  ['{} without a type', { raw: '{}', headers: { 'content-type': '' } }],
  ['{} with another type', { raw: ' {}\n', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ['an empty chunked body', { raw: new ReadableStream({ start: (c) => c.close() }), headers: { 'content-type': '' } }],
  ['a chunked {}', { raw: new Blob(['{}']).stream() }],
]

describe('an operation that takes nothing but its path', () => {
  it('is one of these', () => {
    const wholly = restOperations().filter(({ openapi, input }) => {
      const params = openapi.path.match(/\{/g)?.length ?? 0
      return (
        openapi.method === 'POST' &&
        params > 0 &&
        Object.keys((input as { shape?: object })?.shape ?? {}).length === params
      )
    })
    expect(wholly.map(({ openapi }) => openapi.path)).toEqual([
      '/agent/{jobId}/cancel',
      '/agent/{jobId}/deliveries/{deliveryId}/send',
      '/sites/{slug}/take-down',
      ...['pause', 'resume', 'run'].map((verb) => `/agent/schedules/{scheduleId}/${verb}`),
      '/responses/{responseId}/cancel',
      '/tasks/{taskId}/cancel',
    ])
  })

  it.each(NOTHING)('is served with %s', async (_name, given) => {
    const path = `/api/v1/agent/${await waiting()}/cancel`
    expect(await send(path, { method: 'POST', key, ...given })).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    })
  })

  it('is 409 where the run has finished, and 404 where it does not exist, with any of them', async () => {
    const jobId = await waiting()
    await send(`/api/v1/agent/${jobId}/cancel`, { method: 'POST', key })
    for (const type of ['application/json', '']) {
      for (const raw of [undefined, '', '{}']) {
        const ask = (id: string): Promise<TestResponse> =>
          send(`/api/v1/agent/${id}/cancel`, { method: 'POST', key, raw, headers: { 'content-type': type } })
        expect(await ask(jobId)).toMatchObject({ status: 409, body: { code: 'conflict' } })
        expect(await ask(randomUUID())).toMatchObject({ status: 404, body: { code: 'not_found' } })
      }
    }
  })

  it('is served without Content-Length and without Transfer-Encoding, as curl -X POST sends it', async () => {
    const { port } = await sharedListener()
    const head = `POST /api/v1/agent/${await waiting()}/cancel HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`
    const answer = await exchangeBytes(port, `${head}Connection: close\r\n\r\n`)
    expect(answer.status, answer.text).toBe(200)
  })

  it.each([
    ['415', 'not JSON', { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['415', 'JSON without a type', { raw: '{"a": 1}', headers: { 'content-type': '' } }],
    ['413', 'more than 1 MiB', { raw: ' '.repeat(1024 * 1024 + 1) }],
    ['400', 'half an object', { raw: '{' }],
    ['400', 'a list', { raw: '[]' }],
    ['400', 'null', { raw: 'null' }],
    ['400', 'a parameter that is not there', { raw: '{"force": true}' }],
  ])('is %s with %s', async (status, _name, given) => {
    const jobId = await waiting()
    const answer = await send(`/api/v1/agent/${jobId}/cancel`, { method: 'POST', key, ...given })
    expect(answer.status).toBe(Number(status))
    expect((await send(`/api/v1/agent/${jobId}`, { key })).body.status).toBe('awaiting_input')
  })
})
