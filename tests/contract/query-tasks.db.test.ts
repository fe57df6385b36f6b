import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { suspendCustomer } from '../../server/accounts/customers/change'
import { getSigningSecret } from '../../server/agent/webhooks/secret'
import { writeTaskDeliveries } from '../../server/agent/webhooks/task-events'
import { sweepHolds } from '../../server/credits/sweep'
import { prisma } from '../../server/db'
import { env } from '../../server/env'
import { cryptoSettings } from '../../server/tools/crypto/settings'
import { send, type TestResponse, withSandbox } from '../support/api'
import { expectUntouched, expireHolder, readOwnerMoney } from '../support/ledger'
import { makeCaller, makeKey } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { type Received, withReceiver } from '../support/webhook-receiver'
import { withWorker } from '../support/worker'

const sandbox = withSandbox()
const receiver = withReceiver()
/** The address guard does not allow this one. */
const inner = withReceiver({ allowed: false })
withWorker()

const QUERY = '/api/v1/query'
const prices = (coin = 'bitcoin') => ({ tool: 'crypto_get_prices', params: { coinIds: [coin] } })
const ASYNC = { prefer: 'respond-async' }

const begin = (key: string, body: object = prices(), headers: Record<string, string> = {}) =>
  send(QUERY, { key, body, headers: { ...ASYNC, ...headers } })

const poll = (key: string, taskId: unknown, query = '') => send(`/api/v1/tasks/${taskId}${query}`, { key })

/** Polls until a task has ended. */
const ended = (key: string, { body }: TestResponse) =>
  pollUntil('the end of a task', async () => {
    const task = await poll(key, body.taskId, '?wait=5')
    return task.body.status === 'working' ? null : task.body
  })

describe('202', () => {
  it('names the task, whose result is that of the call, charged once', async () => {
    const { owner, key } = await makeCaller()
    const started = await begin(key.key)
    const { taskId } = started.body
    expect(started).toMatchObject({
      status: 202,
      body: { status: 'working', tool: 'crypto_get_prices', poll: `/api/v1/tasks/${taskId}` },
    })
    expect(started.body).not.toHaveProperty('service')
    expect(started.headers.get('location')).toBe(`/api/v1/tasks/${taskId}`)
    expect(started.headers.get('preference-applied')).toBe('respond-async')
    expect(started.headers.get('x-request-id')).toBe(taskId)
    expect(await ended(key.key, started)).toMatchObject({
      taskId,
      status: 'completed',
      httpStatus: 200,
      result: { rows: [{ coinId: 'bitcoin' }], service: { credits_charged: 3 } },
      error: null,
      delivery: null,
    })
    expect(await readOwnerMoney(owner)).toEqual({ available: 997, held: 0, charged: 3, receipts: 1, holds: 0 })
    const receipt = await send(`/api/v1/usage/${taskId}`, { key: key.key })
    expect(receipt.body).toMatchObject({ channel: 'rest', status: 'ok', credits: { charged: 3 } })
  })

  it('has what the call would have answered where it fails: with its charge, and without one', async () => {
    const { owner, key } = await makeCaller()
    const failed = await ended(key.key, await begin(key.key, prices('sandbox-500')))
    expect(failed).toMatchObject({
      status: 'failed',
      httpStatus: 502,
      result: null,
      error: { code: 'upstream_error', reason: 'provider_error', retryable: true, service: { credits_charged: 3 } },
    })
    const base = cryptoSettings().COINGECKO_BASE_URL
    Object.assign(cryptoSettings(), { COINGECKO_BASE_URL: 'http://127.0.0.1:9' })
    const unreached = await ended(key.key, await begin(key.key, prices('solana')))
    Object.assign(cryptoSettings(), { COINGECKO_BASE_URL: base })
    expect(unreached).toMatchObject({
      status: 'failed',
      httpStatus: 502,
      error: { reason: 'provider_unreachable', service: { credits_charged: 0 } },
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 997, charged: 3, held: 0, holds: 0 })
  })

  it('is failed and not charged when its process died', async () => {
    const { owner, key } = await makeCaller()
    const started = await begin(key.key, prices('sandbox-slow'))
    await expireHolder(String(started.body.taskId))
    await sweepHolds()
    const { body } = await poll(key.key, started.body.taskId)
    expect(body).toMatchObject({ status: 'failed', httpStatus: 503, error: { reason: 'unavailable', retryable: true } })
    expect(body.error).not.toHaveProperty('service')
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, held: 0, charged: 0 })
  })

  it('is the same task for a repeat with its Idempotency-Key, and its answer for one that waits', async () => {
    const { owner, key } = await makeCaller()
    const once = { 'idempotency-key': 'a' }
    const first = await begin(key.key, prices('sandbox-slow'), once)
    const second = await begin(key.key, prices('sandbox-slow'), once)
    expect(second).toMatchObject({ status: 202, body: { taskId: first.body.taskId } })
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    await sandbox.hurry()
    const { result } = await ended(key.key, first)
    const waited = await send(QUERY, { key: key.key, body: prices('sandbox-slow'), headers: once })
    expect(waited).toMatchObject({ status: 200, body: result })
    expect(waited.headers.get('idempotent-replayed')).toBe('true')
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, receipts: 1 })
  })

  it('is of the customer that its request names, and so is each call of a batch', async () => {
    const { owner, key } = await makeCaller(1_000, { namesCustomers: true })
    const headers = { ...ASYNC, 'x-tollgate-customer': 'acme' }
    const task = await begin(key.key, prices(), headers)
    await ended(key.key, task)
    await send('/api/v1/query/batch', {
      key: key.key,
      headers: { 'x-tollgate-customer': 'acme' },
      body: { calls: [prices()] },
    })
    const { body } = await send('/api/v1/usage', { key: key.key })
    expect(body.rows).toMatchObject([{ customer: 'acme' }, { customer: 'acme' }])
    const customer = await prisma().customer.findFirstOrThrow({ where: { ownerId: owner.id } })
    await suspendCustomer({ ownerId: owner.id, id: customer.id }, true)
    expect((await begin(key.key, prices(), headers)).status).toBe(403)
    expect(await prisma().mcpTask.count({ where: { ownerId: owner.id } })).toBe(1)
  })

  it('answers a repeat of a call that was waited for with its answer', async () => {
    const { owner, key } = await makeCaller()
    const once = { 'idempotency-key': 'b' }
    const waited = await send(QUERY, { key: key.key, body: prices(), headers: once })
    expect(await begin(key.key, prices(), once)).toMatchObject({ status: 200, body: waited.body })
    expect(await prisma().mcpTask.count({ where: { ownerId: owner.id } })).toBe(0)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, receipts: 1 })
  })
})

describe('callbackUrl', () => {
  const withCallback = (coin: string, path: string) => ({ ...prices(coin), callbackUrl: receiver.url(path) })
  const delivered = (key: string, taskId: unknown) =>
    pollUntil('the delivery', async () => {
      const { body } = await poll(key, taskId)
      const delivery = body.delivery as { status: string } | null
      return delivery?.status === 'delivered' ? body : null
    })

  it.each([
    ['completed', 'bitcoin', 3],
    ['failed', 'sandbox-500', 3],
  ])('gets one signed event of a call that %s', async (status, coin, credits) => {
    const { owner, key } = await makeCaller()
    const started = await send(QUERY, { key: key.key, body: withCallback(coin, `/${status}`) })
    const { taskId } = started.body
    expect(started.status).toBe(202)
    const task = await delivered(key.key, taskId)
    expect(task).toMatchObject({ status, delivery: { deliveryId: taskId, attempts: 1, answerStatus: 200 } })
    const [got, ...more] = receiver.received(`/${status}`) as [Received, ...Received[]]
    expect(more).toEqual([])
    expect(new Webhook((await getSigningSecret(owner.id)).secret).verify(got.body, got.headers)).toMatchObject({
      type: `task.${status}`,
      data: { taskId, tool: 'crypto_get_prices', status, creditsCharged: credits, poll: `/api/v1/tasks/${taskId}` },
    })
    expect(got.headers['webhook-id']).toBe(taskId)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: credits, receipts: 1 })
  })

  it('gets the end of a call whose process died, and of one that died between its charge and its end', async () => {
    const { owner, key } = await makeCaller()
    const lost = await send(QUERY, { key: key.key, body: withCallback('sandbox-slow', '/lost') })
    await expireHolder(String(lost.body.taskId))
    await sweepHolds()
    await delivered(key.key, lost.body.taskId)
    expect(JSON.parse(String(receiver.received('/lost')[0]?.body))).toMatchObject({
      type: 'task.failed',
      data: { creditsCharged: 0 },
    })
    const done = await begin(key.key)
    await ended(key.key, done)
    const id = String(done.body.taskId)
    const data = { endedAt: null, awaitsCallback: true, callbackUrl: receiver.url('/late') }
    await prisma().mcpTask.update({ where: { id }, data })
    await delivered(key.key, id)
    await writeTaskDeliveries()
    expect(receiver.received('/late')).toHaveLength(1)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, held: 0 })
  })

  it('400 for what is not a URL, or not a public one: nothing is held', async () => {
    const { owner, key } = await makeCaller()
    for (const callbackUrl of ['hook', 'ftp://example.com', inner.url()]) {
      const answer = await send(QUERY, { key: key.key, body: { ...prices(), callbackUrl } })
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', issues: [{ path: 'callbackUrl' }] },
      })
    }
    await expectUntouched(owner)
  })
})

describe('what is refused is refused at once, and leaves no task:', () => {
  const refused = async (status: number, answer: Promise<TestResponse>) => {
    const { status: got, body } = await answer
    expect(got, JSON.stringify(body)).toBe(status)
    expect(body).not.toHaveProperty('service')
  }

  it('400, 401, 402, 403, 409 and 422', async () => {
    const { owner, key } = await makeCaller(3)
    const none = await makeKey(owner, { tools: [] })
    await refused(400, begin(key.key, { tool: 'no_such_tool' }))
    await refused(400, begin(key.key, { tool: 'crypto_get_prices', params: { coinIds: 1 } }))
    await refused(401, begin('tg_wrong'))
    await refused(403, begin(none.key))
    await refused(402, begin(key.key, { tool: 'crypto_get_market_data' }))
    expect(await prisma().mcpTask.count({ where: { ownerId: owner.id } })).toBe(0)
    const once = { 'idempotency-key': 'c' }
    const slow = send(QUERY, { key: key.key, body: prices('sandbox-slow'), headers: once })
    await pollUntil('the hold', async () => (await readOwnerMoney(owner)).holds === 1)
    await refused(409, begin(key.key, prices('sandbox-slow'), once))
    await refused(422, begin(key.key, prices('ethereum'), once))
    await sandbox.hurry()
    expect((await slow).status).toBe(200)
    expect(await prisma().mcpTask.count({ where: { ownerId: owner.id } })).toBe(0)
  })

  it('429', async () => {
    const { owner } = await makeCaller()
    const { key } = await makeKey(owner, { rpm: 1 })
    expect((await begin(key)).status).toBe(202)
    await refused(429, begin(key))
  })
})

describe('GET /tasks/{taskId}', () => {
  let task: TestResponse
  let own: Awaited<ReturnType<typeof makeCaller>>
  beforeAll(async () => {
    own = await makeCaller()
    task = await begin(own.key.key)
    await ended(own.key.key, task)
  })

  it('404 for another owner, an unknown id, and one that is older than a day', async () => {
    const stranger = await makeCaller()
    const old = await begin(own.key.key)
    await ended(own.key.key, old)
    await prisma().mcpTask.updateMany({ where: { id: String(old.body.taskId) }, data: { createdAt: new Date(0) } })
    const answers = [
      poll(stranger.key.key, task.body.taskId),
      poll(own.key.key, 'x'),
      poll(own.key.key, old.body.taskId),
    ]
    for (const { status, body } of await Promise.all(answers)) {
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
  })

  it('400 for a wait beyond 30 s, 401 without a key, 403 for a key that may not call the tool', async () => {
    const { taskId } = task.body
    expect((await poll(own.key.key, taskId, '?wait=31')).status).toBe(400)
    expect((await send(`/api/v1/tasks/${taskId}`)).status).toBe(401)
    const other = await makeKey(own.owner, { tools: ['web_search'] })
    expect((await poll(other.key, taskId)).status).toBe(403)
  })
})

describe('POST /tasks/{taskId}/cancel', () => {
  const cancel = (key: string, taskId: unknown, body?: object) =>
    send(`/api/v1/tasks/${taskId}/cancel`, { key, method: 'POST', body })

  /** Eight calls of an account run at the same time: the ninth, which is returned, waits. */
  async function beginWaiting(key: string, callbackUrl?: string): Promise<string> {
    const before = await sandbox.calls()
    const batch = async (count: number) => {
      const calls = Array.from({ length: count }, () => prices('sandbox-slow'))
      const { body } = await send(`${QUERY}/batch`, { key, body: { calls, callbackUrl }, headers: ASYNC })
      return body.results as { requestId: string }[]
    }
    await batch(8)
    await pollUntil('eight at the provider', async () => (await sandbox.calls()) >= before + 8)
    const [ninth] = await batch(1)
    return String(ninth?.requestId)
  }

  it('a call that waits for its turn is cancelled at once, for nothing, and has its event', async () => {
    const { owner, key } = await makeCaller()
    const last = await beginWaiting(key.key, receiver.url('/cancelled'))
    const cancelled = await cancel(key.key, last)
    expect(cancelled).toMatchObject({
      status: 200,
      body: { taskId: last, status: 'cancelled', httpStatus: null, result: null, error: null },
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ holds: 8, held: 24 })
    expect((await cancel(key.key, last)).body.status).toBe('cancelled')
    const arrived = () => receiver.received('/cancelled').map(({ body }) => JSON.parse(String(body)))
    await pollUntil('the event', async () => arrived().some(({ data }) => data.taskId === last))
    expect(arrived().find(({ data }) => data.taskId === last)).toMatchObject({
      type: 'task.failed',
      data: { creditsCharged: 0 },
    })
    await sandbox.hurry()
    await pollUntil('the others', async () => (await readOwnerMoney(owner)).holds === 0)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 24, held: 0 })
  })

  it('a call that the provider has goes on, is charged once and has its result; then 409', async () => {
    const { owner, key } = await makeCaller()
    const task = await begin(key.key, prices('sandbox-slow'))
    await pollUntil('the provider', async () => (await sandbox.calls()) > 0)
    expect((await cancel(key.key, task.body.taskId, {})).body.status).toBe('working')
    await sandbox.hurry()
    expect(await ended(key.key, task)).toMatchObject({
      status: 'completed',
      result: { service: { credits_charged: 3 } },
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, held: 0, receipts: 1 })
    expect(await cancel(key.key, task.body.taskId)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  it('a process that did not get the request stops the call, too', async () => {
    const { owner, key } = await makeCaller()
    const last = await beginWaiting(key.key)
    // As another process notes it.
    await prisma().mcpTask.updateMany({ where: { id: last, ownerId: owner.id }, data: { cancelRequested: true } })
    await pollUntil('the end', async () => (await poll(key.key, last)).body.status === 'cancelled')
    await sandbox.hurry()
    await pollUntil('the others', async () => (await readOwnerMoney(owner)).holds === 0)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 24, held: 0 })
  })

  it('404 for another owner, 403 for a key that may not call the tool, 401 without a key', async () => {
    const { owner, key } = await makeCaller()
    const task = await begin(key.key, prices('sandbox-slow'))
    const stranger = await makeCaller()
    const other = await makeKey(owner, { tools: ['web_search'] })
    expect((await cancel(stranger.key.key, task.body.taskId)).status).toBe(404)
    expect((await cancel(key.key, 'x')).status).toBe(404)
    expect((await cancel(other.key, task.body.taskId)).status).toBe(403)
    expect((await send(`/api/v1/tasks/${task.body.taskId}/cancel`, { method: 'POST' })).status).toBe(401)
    await sandbox.hurry()
    expect((await ended(key.key, task)).status).toBe('completed')
  })
})

describe('GET /tasks', () => {
  const list = (key: string, query = '') => send(`/api/v1/tasks${query}`, { key })
  const idsOf = ({ body }: TestResponse) => (body.tasks as { taskId: string }[]).map(({ taskId }) => taskId)

  it('lists what REST began, newest first, page by page, with status and charge', async () => {
    const { owner, key } = await makeCaller()
    const good = await begin(key.key)
    await ended(key.key, good)
    const bad = await begin(key.key, prices('sandbox-500'))
    await ended(key.key, bad)
    const search = await begin(key.key, { tool: 'web_search', params: { query: 'tolls' } })
    await ended(key.key, search)
    const whole = await list(key.key)
    expect(whole).toMatchObject({
      status: 200,
      body: {
        tasks: [
          { taskId: search.body.taskId, tool: 'web_search', status: 'completed', creditsCharged: 1 },
          { taskId: bad.body.taskId, tool: 'crypto_get_prices', status: 'failed', creditsCharged: 3 },
          { taskId: good.body.taskId, status: 'completed', creditsCharged: 3, poll: good.body.poll },
        ],
        nextCursor: null,
      },
    })
    const first = await list(key.key, '?limit=2')
    const rest = await list(key.key, `?limit=2&cursor=${first.body.nextCursor}`)
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(idsOf(whole))
    expect(idsOf(await list(key.key, '?status=failed'))).toEqual([bad.body.taskId])
    const one = await makeKey(owner, { tools: ['web_search'] })
    expect(idsOf(await list(one.key))).toEqual([search.body.taskId])
    expect(idsOf(await list((await makeCaller()).key.key))).toEqual([])
  })

  it('a task whose process died is failed in it', async () => {
    const { owner, key } = await makeCaller()
    const task = await begin(key.key, prices('sandbox-slow'))
    await expireHolder(String(task.body.taskId))
    await sweepHolds()
    expect((await list(key.key)).body.tasks).toMatchObject([{ status: 'failed', creditsCharged: 0 }])
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, held: 0 })
  })

  it('400 for a wrong cursor or status, 401 without a key', async () => {
    const { key } = await makeCaller()
    expect((await list(key.key, '?cursor=x')).status).toBe(400)
    expect((await list(key.key, '?status=done')).status).toBe(400)
    expect((await send('/api/v1/tasks')).status).toBe(401)
  })
})

describe('in a simulation that only this machine reaches', () => {
  const before = { HOST: env().HOST, mode: env().UPSTREAMS }
  afterAll(() => Object.assign(env(), { HOST: before.HOST }))

  it('a callback URL may be on this machine, and nowhere else where it listens to others', async () => {
    const { key } = await makeCaller()
    Object.assign(env(), { HOST: '127.0.0.1' })
    const local = inner.url('/local').replace('127.0.0.1', 'localhost')
    const { status, body } = await send(QUERY, { key: key.key, body: { ...prices(), callbackUrl: local } })
    expect(status).toBe(202)
    await pollUntil('the delivery', async () => inner.received('/local').length === 1)
    expect(inner.received('/local')[0]?.headers['webhook-id']).toBe(body.taskId)
    for (const url of ['http://10.0.0.1/hook', 'http://192.168.1.1:80/']) {
      expect((await send(QUERY, { key: key.key, body: { ...prices(), callbackUrl: url } })).status).toBe(400)
    }
    Object.assign(env(), { HOST: '0.0.0.0' })
    expect((await send(QUERY, { key: key.key, body: { ...prices(), callbackUrl: local } })).status).toBe(400)
  })
})
