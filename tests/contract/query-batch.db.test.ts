import { describe, expect, it } from 'vitest'
import { send, withSandbox } from '../support/api'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { makeManagementKey } from '../support/management'
import { makeCaller, makeKey } from '../support/owners'
import { pollUntil } from '../support/poll-until'

const sandbox = withSandbox()

type Result = { status: number; requestId: string; replayed: boolean; body: Record<string, unknown> }
type Call = { tool: string; params?: object; idempotencyKey?: string }

const price = (coin = 'bitcoin', more: object = {}): Call => ({
  tool: 'crypto_get_prices',
  params: { coinIds: [coin] },
  ...more,
})
const market: Call = { tool: 'crypto_get_market_data' }

async function batch(key: string, calls: readonly object[], headers: Record<string, string> = {}) {
  const { status, body } = await send('/api/v1/query/batch', { key, body: { calls }, headers })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { results: Result[]; succeeded: number; failed: number; creditsCharged: number }
}
const statuses = ({ results }: { results: Result[] }) => results.map(({ status }) => status)

describe('200', () => {
  it('has each call’s own answer in order, its receipt and its charge', async () => {
    const { owner, key } = await makeCaller()
    const answer = await batch(key.key, [price(), market, price('ethereum')])
    expect(statuses(answer)).toEqual([200, 200, 200])
    expect(answer).toMatchObject({ succeeded: 3, failed: 0, creditsCharged: 11 })
    expect(answer.results[2]?.body).toMatchObject({ rows: [{ coinId: 'ethereum' }], service: { credits_charged: 3 } })
    const ids = answer.results.map(({ requestId }) => requestId)
    expect(new Set(ids).size).toBe(3)
    for (const [index, id] of ids.entries()) {
      const receipt = await send(`/api/v1/usage/${id}`, { key: key.key })
      expect(receipt.body).toMatchObject({ credits: { charged: [3, 5, 3][index] } })
    }
    expect(await readOwnerMoney(owner)).toEqual({ available: 989, held: 0, charged: 11, receipts: 3, holds: 0 })
  })

  it('a refusal or failure of one stops no other: 400, 402, 403 and 502 in one batch', async () => {
    const { owner } = await makeCaller(8)
    const key = await makeKey(owner, { tools: ['crypto_get_prices', 'crypto_get_market_data'] })
    const first = await batch(key.key, [
      { tool: 'none' },
      price(7 as never),
      { tool: 'web_search', params: { query: 'x' } },
    ])
    expect(statuses(first)).toEqual([400, 400, 403])
    await expectUntouched(owner, 8)
    // 8 credits are enough for one of each, not for two market lists.
    const second = await batch(key.key, [market, price('sandbox-500'), market])
    expect(statuses(second).sort()).toEqual([200, 402, 502].sort())
    const refused = second.results.find(({ status }) => status === 402)
    expect(refused?.body).toMatchObject({ code: 'insufficient_credits', reason: expect.any(String) })
    expect(refused?.body).not.toHaveProperty('service')
    expect(second).toMatchObject({ succeeded: 1, failed: 2, creditsCharged: 8 })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 0, charged: 8, held: 0, holds: 0 })
  })

  it('each call counts in the key’s minute: what is beyond it is a 429 of its own', async () => {
    const { owner } = await makeCaller()
    const key = await makeKey(owner, { rpm: 3 })
    const answer = await batch(
      key.key,
      Array.from({ length: 5 }, () => price()),
    )
    expect(statuses(answer).filter((status) => status === 200)).toHaveLength(3)
    const late = answer.results.filter(({ status }) => status === 429)
    expect(late).toHaveLength(2)
    expect(late[0]?.body).toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number), retryable: true })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 9, receipts: 3 })
  })

  it('runs few at a time, and an owner’s other calls do not wait for them', async () => {
    const { owner, key } = await makeCaller()
    const slow = batch(
      key.key,
      Array.from({ length: 30 }, (_, i) => price('sandbox-slow', { params: { coinIds: ['sandbox-slow', `c${i}`] } })),
    )
    await pollUntil('the first holds', async () => (await readOwnerMoney(owner)).holds === 8)
    const other = send('/api/v1/query', { key: key.key, body: price() })
    expect(await Promise.race([other.then(({ status }) => status), slow])).toBe(200)
    expect((await readOwnerMoney(owner)).holds).toBeLessThanOrEqual(8)
    await sandbox.hurry()
    expect(statuses(await slow)).toEqual(Array.from({ length: 30 }, () => 200))
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 93, receipts: 31, holds: 0 })
  })

  it('with an Idempotency-Key a repeat has the stored answers, and calls again only what was free', async () => {
    const { owner, key } = await makeCaller(3)
    const once = { 'idempotency-key': 'night' }
    const first = await batch(key.key, [price(), market], once)
    expect(statuses(first)).toEqual([200, 402])
    const { owner: rich, key: other } = await makeCaller(100)
    const whole = await batch(other.key, [price(), market], once)
    const asked = await sandbox.calls()
    const again = await batch(other.key, [price(), market], once)
    expect(await sandbox.calls()).toBe(asked)
    expect(again.results.map(({ replayed, body }) => [replayed, body])).toEqual(
      whole.results.map(({ body }) => [true, body]),
    )
    expect(again.creditsCharged).toBe(0)
    const changed = await batch(other.key, [price('ethereum'), market], once)
    expect(statuses(changed)).toEqual([422, 200])
    expect(await readOwnerMoney(rich)).toMatchObject({ charged: 8, receipts: 2 })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, receipts: 1 })
  })

  it('a call’s own idempotencyKey goes before the batch’s, in any place of any batch', async () => {
    const { owner, key } = await makeCaller()
    await batch(key.key, [market, price('bitcoin', { idempotencyKey: 'k' })], { 'idempotency-key': 'x' })
    const again = await batch(key.key, [price('bitcoin', { idempotencyKey: 'k' })])
    expect(again.results[0]).toMatchObject({ status: 200, replayed: true })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 8, receipts: 2 })
  })

  it('with Prefer: respond-async each call is a task, refused ones are not', async () => {
    const { owner, key } = await makeCaller()
    const calls = [price(), { tool: 'none' }, price('ethereum')]
    const { results } = await batch(key.key, calls, { prefer: 'respond-async' })
    expect(results.map(({ status }) => status)).toEqual([202, 400, 202])
    for (const { body, requestId } of results.filter(({ status }) => status === 202)) {
      expect(body).toMatchObject({ taskId: requestId, status: 'working' })
      const task = await send(`${body.poll}?wait=10`, { key: key.key })
      expect(task.body).toMatchObject({ status: 'completed', result: { service: { credits_charged: 3 } } })
    }
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 6, receipts: 2, holds: 0, held: 0 })
  })

  it('100 calls', async () => {
    const { owner, key } = await makeCaller()
    const answer = await batch(
      key.key,
      Array.from({ length: 100 }, () => price()),
    )
    expect(answer).toMatchObject({ succeeded: 100, creditsCharged: 300 })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 300, receipts: 100, holds: 0 })
  })
})

describe('the whole batch is refused, and nothing runs:', () => {
  const refused = async (status: number, body: unknown, more: { key?: string; headers?: Record<string, string> }) => {
    const answer = await send('/api/v1/query/batch', { body, ...more })
    expect(answer.status, answer.text).toBe(status)
    expect(answer.body).not.toHaveProperty('service')
  }

  it('400 for none, for 101 calls, for what is no call, and for a wrong Idempotency-Key', async () => {
    const { owner, key } = await makeCaller()
    const more = { key: key.key }
    await refused(400, { calls: [] }, more)
    await refused(400, { calls: Array.from({ length: 101 }, () => price()) }, more)
    await refused(400, { calls: [{ params: {} }] }, more)
    await refused(400, { calls: [price()], tool: 'x' }, more)
    await refused(400, { calls: [price()] }, { ...more, headers: { 'idempotency-key': 'a b' } })
    await refused(400, { calls: [price()], callbackUrl: 'no' }, more)
    await expectUntouched(owner)
  })

  it('401 without a key, 403 for a management key, 429 for a key that has no requests left', async () => {
    const { owner } = await makeCaller()
    await refused(401, { calls: [price()] }, {})
    await refused(403, { calls: [price()] }, { key: (await makeManagementKey(owner)).key })
    const key = await makeKey(owner, { rpm: 1 })
    await batch(key.key, [price()])
    await refused(429, { calls: [price()] }, { key: key.key })
  })
})
