import { beforeAll, describe, expect, it } from 'vitest'
import { restOperations } from '../../server/api/operations'
import { scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { callQuery, send, withSandbox } from '../support/api'
import { sendRpc } from '../support/mcp'
import { makeKey, makeOwner, type TestOwner } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const prices = (key: string) => callQuery(key, 'crypto_get_prices', { coinIds: ['bitcoin'] })
const done = scriptedGoal({ text: 'Done.' })
const get = (key: string, path: string) => send(`/api/v1${path}`, { key })

let owner: TestOwner
let acme: string
let olbia: string
let plain: string
/** What was done for acme. */
let receiptId: string
let jobId: string

beforeAll(async () => {
  owner = await makeOwner(1_000_000)
  const keyFor = async (customer?: string) =>
    (await makeKey(owner, { agent: true, llm: true, ...(customer !== undefined && { customer }) })).key
  ;[acme, olbia, plain] = await Promise.all([keyFor('acme'), keyFor('olbia'), keyFor()])
  receiptId = String((await prices(acme)).headers.get('x-request-id'))
  await callQuery(acme, 'crypto_get_prices', { coinIds: [] })
  const started = await startAgentRun(acme, { goal: done, idempotencyKey: 'report' })
  jobId = String(started.body.jobId)
  await untilStatus(acme, jobId, 'completed')
})

/** What a key that is bound to a customer may read without naming anything. */
const READABLE = ['/catalog', '/key', '/models', '/usage', '/usage/refusals']

const LISTS = restOperations()
  .filter(({ openapi }) => openapi.method === 'GET' && !openapi.path.includes('{') && openapi.path !== '/generation')
  .map(({ openapi }) => openapi.path)
  .filter((path) => !path.startsWith('/manage'))

describe('a key that is bound to a customer', () => {
  it.each(LISTS)('reads GET %s only where that has nothing of the rest of the account', async (path) => {
    const { status, text } = await get(olbia, path)
    expect(status, text).toBe(READABLE.includes(path) ? 200 : 403)
    if (status === 403) expect(text).toContain('This key is for one customer')
  })

  it('lists the receipts of its customer, and of no other', async () => {
    const mine = String((await prices(olbia)).headers.get('x-request-id'))
    const { body } = await get(olbia, '/usage')
    expect(body.rows).toMatchObject([{ requestId: mine, customer: 'olbia' }])
    expect((await get(olbia, '/usage?customer=acme')).status).toBe(403)
    expect((await get(olbia, '/usage?customer=olbia')).body.rows).toHaveLength(1)
    expect((await get(olbia, `/usage/${receiptId}`)).status).toBe(404)
    expect((await get(olbia, `/generation?id=${receiptId}`)).status).toBe(404)
    expect((await get(acme, `/usage/${receiptId}`)).status).toBe(200)
    expect((await get(plain, `/usage/${receiptId}`)).status).toBe(200)
  })

  it('lists what was refused to itself', async () => {
    await get(olbia, '/credits')
    const rows = await pollUntil('its refusal', async () => {
      const { body } = await get(olbia, '/usage/refusals')
      const rows = body.rows as { keyId: number }[]
      return rows.length > 0 ? rows : null
    })
    const { body } = await get(olbia, '/key')
    expect(new Set(rows.map(({ keyId }) => keyId))).toEqual(new Set([body.id]))
  })

  it.each([
    ['GET', ''],
    ['GET', '/steps'],
    ['GET', '/events'],
    ['GET', '/deliveries'],
    ['POST', '/answer', { approved: true }],
    ['POST', '/cancel'],
    ['POST', '/limit', { capCredits: 90_000 }],
    ['POST', '/deliveries/1/send'],
  ])('does not find another customer’s run: %s %s', async (method, path, sent?: object) => {
    const answer = await send(`/api/v1/agent/${jobId}${path}`, { key: olbia, method, ...(sent && { body: sent }) })
    expect(answer.status, answer.text).toBe(404)
  })

  it('neither follows up such a run, nor is given it by the key of its start', async () => {
    expect((await startAgentRun(olbia, { goal: done, conversationId: jobId })).status).toBe(404)
    expect((await startAgentRun(olbia, { goal: done, idempotencyKey: 'report' })).status).toBe(404)
    const replayed = await startAgentRun(acme, { goal: done, idempotencyKey: 'report' })
    expect(replayed.body.jobId).toBe(jobId)
  })

  it('reads its own runs, and answers with them', async () => {
    expect((await get(acme, `/agent/${jobId}`)).body).toMatchObject({ status: 'completed', customer: 'acme' })
    expect((await get(acme, `/agent/${jobId}/steps`)).status).toBe(200)
    expect((await get(plain, `/agent/${jobId}`)).status).toBe(200)
  })

  it('is offered no dataset of the account over MCP', async () => {
    const { body } = await sendRpc(olbia, { id: 1, method: 'resources/list', params: {} })
    expect(body.result).toMatchObject({ resources: [{ name: 'catalog' }] })
    expect((body.result as { resources: unknown[] }).resources).toHaveLength(1)
  })
})
