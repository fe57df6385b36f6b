import { expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { callQuery, send, type TestResponse, withSandbox } from '../support/api'
import { scriptedBody, sendChat } from '../support/chat'
import { makeManager } from '../support/management'
import { makeKey } from '../support/owners'
import { pollUntil } from '../support/poll-until'

withSandbox()

const prices = { coinIds: ['bitcoin'] }
const call = (key: string, customer?: string) =>
  callQuery(key, 'crypto_get_prices', prices, customer === undefined ? {} : { 'x-tollgate-customer': customer })
const statuses = (answers: readonly TestResponse[]) => answers.map(({ status }) => status)

/** An account with a budget of a rate, and a key of its tag. */
async function withRate(rate: object, scope: object = { tags: ['shop'] }) {
  const manager = await makeManager({}, 1_000_000)
  const body = { name: 'Shop', credits: 1_000_000, window: 'month', scope, ...rate }
  const made = await manager.manage('/budgets', { body })
  expect(made).toMatchObject({ status: 201, body: rate })
  const key = await makeKey(manager.owner, { tags: ['shop'], llm: true, namesCustomers: true })
  return { ...manager, key: key.key, keyId: key.id, id: String(made.body.id) }
}

it('requests a minute: those beyond are 429, with the name of the budget and when its minute ends', async () => {
  const { key, id, owner } = await withRate({ requestsPerMinute: 3 })
  const answers = []
  for (let n = 0; n < 5; n++) answers.push(await call(key))
  expect(statuses(answers)).toEqual([200, 200, 200, 429, 429])
  const { body, headers } = answers[4] as TestResponse
  expect(body).toMatchObject({
    code: 'rate_limited',
    reason: 'rate_limited',
    retryable: true,
    limitSource: 'budget',
    limit: { id, name: 'Shop', unit: 'requests', window: 'minute', cap: 3, spent: 3 },
  })
  expect(body.error).toMatch(/^The budget "Shop" allows 3 requests a minute\. Wait \d+ s\.$/)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect(statuses([await call((await makeKey(owner)).key)])).toEqual([200])
})

it('exactly as many of many at once are served, on every wire together', async () => {
  const { key } = await withRate({ requestsPerMinute: 10 })
  await call(key)
  const many = Array.from({ length: 40 }, (_, n) => (n % 2 ? call(key) : sendChat(key, scriptedBody({ text: 'Hi.' }))))
  const answers = await Promise.all(many)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(31)
})

it('each customer has a minute of its own', async () => {
  const { key } = await withRate({ requestsPerMinute: 1 }, { customers: 'each' })
  const answers = []
  for (const name of ['acme', 'acme', 'olbia', undefined, undefined]) answers.push(await call(key, name))
  expect(statuses(answers)).toEqual([200, 429, 200, 200, 200])
})

it('a change holds for the next call, and a call that is refused for its key counts nowhere', async () => {
  const { key, keyId, id, manage, owner } = await withRate({ requestsPerMinute: 1 })
  expect(statuses([await call(key), await call(key)])).toEqual([200, 429])
  await manage(`/budgets/${id}`, { method: 'PATCH', body: { requestsPerMinute: 3 } })
  expect(statuses([await call(key)])).toEqual([200])
  await manage(`/budgets/${id}`, { method: 'PATCH', body: { requestsPerMinute: 1 } })
  expect(statuses([await call(key)])).toEqual([429])
  // What was counted before the process knew of the change stays counted.
  await manage(`/budgets/${id}`, { method: 'PATCH', body: { requestsPerMinute: 4 } })
  const other = await makeKey(owner, { tags: ['shop'] })
  await prisma().key.update({ where: { id: keyId, ownerId: owner.id }, data: { revokedAt: new Date() } })
  expect(statuses([await call(key), await call(key)])).toEqual([401, 401])
  expect(statuses([await call(other.key), await call(other.key)])).toEqual([200, 429])
  await manage(`/budgets/${id}`, { method: 'PATCH', body: { requestsPerMinute: null } })
  expect(statuses([await call(other.key)])).toEqual([200])
})

it('tokens a minute: a call begins while some are left, and counts when it has ended', async () => {
  const { key, id } = await withRate({ tokensPerMinute: 20 })
  const chat = () => sendChat(key, scriptedBody({ text: 'A few words of an answer.' }))
  expect((await chat()).status).toBe(200)
  const refused = await pollUntil('a refusal', async () => {
    const answer = await chat()
    return answer.status === 429 ? answer : null
  })
  expect(refused.body.error).toMatchObject({ code: 'rate_limited', limit: { id, unit: 'tokens', cap: 20 } })
  expect(statuses([await call(key)])).toEqual([429])
})

it('a rate out of range is 400', async () => {
  const { manage, key } = await withRate({ requestsPerMinute: 5 })
  const body = { name: 'x', credits: 1, window: 'day', scope: {}, requestsPerMinute: 0 }
  expect(await manage('/budgets', { body })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'requestsPerMinute' }] },
  })
  expect((await send('/api/v1/key', { key })).status).toBe(200)
})
