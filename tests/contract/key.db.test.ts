import { describe, expect, it } from 'vitest'
import { mainPool } from '../../server/db'
import { makeSecret } from '../../server/keys/secret'
import { callQuery, send, withSandbox } from '../support/api'
import { takeHold } from '../support/hold'
import { expectUntouched } from '../support/ledger'
import { makeManager } from '../support/management'
import { makeCaller, makeKey } from '../support/owners'
import { settleById } from '../support/settle'

withSandbox()
const KEY = '/api/v1/key'
const prices = { coinIds: ['bitcoin'] }

describe('200', () => {
  it('reports everything the key may do and nothing of its secret', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const { owner, key } = await makeCaller(1_000, {
      name: 'ci',
      tools: ['crypto_get_prices'],
      llm: true,
      agent: true,
      agentRunBudgetCredits: 700,
      capabilities: ['web', 'crypto'],
      budget: 50,
      rpm: 30,
      expiresAt,
    })
    const answer = await send(KEY, { key: key.key })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id: key.id,
      name: 'ci',
      last4: key.key.slice(-4),
      state: 'active',
      tools: ['crypto_get_prices'],
      llm: true,
      allowedModels: [],
      strict: false,
      agent: true,
      agentRunBudgetCredits: 700,
      capabilities: ['web', 'crypto'],
      budget: 50,
      spent: 0,
      held: 0,
      remaining: 50,
      recurringBudget: null,
      tags: [],
      customer: null,
      namesCustomers: false,
      responseDays: null,
      rpm: 30,
      expiresAt,
      lastUsedAt: expect.any(String),
      createdAt: expect.any(String),
      balance: { available: 1_000, held: 0 },
      dailyLimit: null,
      left: { credits: 50, limitedBy: 'key_budget' },
      limits: [
        { id: 'balance', name: 'Balance', window: 'lifetime', cap: 1_000, spent: 0, held: 0, resetsAt: null },
        { id: `key:${key.id}`, name: 'ci', window: 'lifetime', cap: 50, spent: 0, held: 0, resetsAt: null },
      ],
      rate: { limit: 30, remaining: 29, resetS: expect.any(Number) },
    })
    expect(answer.text).not.toContain(key.key)
    expect(answer.body).not.toHaveProperty('service')
    await expectUntouched(owner)
  })

  it('has null where there is no limit, and "all" where every tool is meant', async () => {
    const { key } = await makeCaller()
    const { body } = await send(KEY, { key: key.key })
    expect(body).toMatchObject({ tools: 'all', budget: null, remaining: null, expiresAt: null, capabilities: null })
    expect(body.left).toEqual({ credits: 1_000, limitedBy: 'balance' })
  })

  it('says which limit applies first', async () => {
    const { key } = await makeCaller(30, { budget: 100 })
    expect((await send(KEY, { key: key.key })).body.left).toEqual({ credits: 30, limitedBy: 'balance' })
  })

  it('lists every limit that its calls meet, each as a refusal would show it', async () => {
    const { owner, manage } = await makeManager()
    const week = { credits: 90, every: 'week' } as const
    const mine = await makeKey(owner, { tags: ['shop'], recurringBudget: week, customer: 'acme' })
    const other = await makeKey(owner)
    const make = async (name: string, scope: object) =>
      (await manage('/budgets', { body: { name, credits: 7, window: 'month', scope } })).body.id
    const crypto = await make('crypto', { tags: ['shop'], tools: ['crypto'] })
    const each = await make('each', { customers: 'each' })
    const all = await make('all', {})
    await callQuery(mine.key, 'crypto_get_prices', prices)
    const limitsOf = async (key: string) =>
      (await send(KEY, { key })).body.limits as { id: string; spent: number; cap: number; resetsAt: string | null }[]
    const limits = await limitsOf(mine.key)
    expect(limits.map(({ id }) => id)).toEqual(['balance', `key:${mine.id}:week`, crypto, each, all])
    const month = { cap: 7, spent: 3, held: 0, resetsAt: expect.stringMatching(/-01T00:00:00.000Z$/) }
    expect(limits.slice(2)).toMatchObject([
      { ...month, name: 'crypto', scope: { tools: ['crypto_*'] } },
      { ...month, name: 'each', scope: {} },
      { ...month, name: 'all', scope: {} },
    ])
    expect((await limitsOf(other.key)).map(({ id }) => id)).toEqual(['balance', all])
    await callQuery(mine.key, 'crypto_get_prices', prices)
    const refused = await callQuery(mine.key, 'crypto_get_prices', { coinIds: ['solana'] })
    const { id: refusing } = refused.body.limit as { id: string }
    const now = (await limitsOf(mine.key)).find(({ id }) => id === refusing)
    expect([refused.status, now]).toMatchObject([402, refused.body.limit])
  })

  it('says what a recurring budget leaves, and when it begins anew', async () => {
    const { owner, key } = await makeCaller(1_000, { recurringBudget: { credits: 5, every: 'month' } })
    await takeHold(owner, 3, { keyId: key.id })
    const { body } = await send(KEY, { key: key.key })
    expect(body.left).toEqual({ credits: 2, limitedBy: 'key_period' })
    expect(body.recurringBudget).toEqual({
      credits: 5,
      every: 'month',
      spent: 0,
      held: 3,
      remaining: 2,
      resetsAt: expect.stringMatching(/-01T00:00:00.000Z$/),
    })
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({
      status: 402,
      body: { code: 'insufficient_credits', limitSource: 'key_period' },
    })
  })

  it('counts what calls in progress hold, and releases it when they end', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 100 })
    const id = await takeHold(owner, 60, { keyId: key.id })
    expect((await send(KEY, { key: key.key })).body).toMatchObject({
      held: 60,
      remaining: 40,
      balance: { available: 940, held: 60 },
      left: { credits: 40, limitedBy: 'key_budget' },
    })
    await settleById({ id, actual: 10n, status: 'ok' })
    expect((await send(KEY, { key: key.key })).body).toMatchObject({
      held: 0,
      spent: 10,
      remaining: 90,
      left: { credits: 90 },
    })
  })

  it('reports a key whose budget is spent', async () => {
    const { key } = await makeCaller(1_000, { budget: 3 })
    await callQuery(key.key, 'crypto_get_prices', prices)
    expect((await send(KEY, { key: key.key })).body).toMatchObject({
      state: 'spent',
      remaining: 0,
      left: { credits: 0, limitedBy: 'key_budget' },
    })
  })

  it('what is left is exactly what can be spent', async () => {
    const { key } = await makeCaller(1_000, { budget: 7 })
    await callQuery(key.key, 'crypto_get_prices', prices)
    const { credits } = (await send(KEY, { key: key.key })).body.left as { credits: number }
    expect(credits).toBe(4)
    expect(await callQuery(key.key, 'crypto_get_market_data')).toMatchObject({ status: 402 })
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 200 })
  })

  it('is the same for HEAD as for GET', async () => {
    const { key } = await makeCaller()
    expect(await send(KEY, { key: key.key, method: 'HEAD' })).toMatchObject({ status: 200 })
  })
})

describe('400', () => {
  it.each(['?id=1', '?format=md', '?__proto__=1'])('is returned for the unknown parameter in %s', async (query) => {
    const { key } = await makeCaller()
    expect(await send(KEY + query, { key: key.key })).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })
})

describe('401', () => {
  it('is returned without a key, to a wrong one, and to an expired one', async () => {
    const { key } = await makeCaller()
    await mainPool().query('UPDATE "key" SET expires_at = now() WHERE id = $1', [key.id])
    for (const given of [undefined, makeSecret(), 'x', key.key]) {
      expect(await send(KEY, { key: given })).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    }
  })

  it('comes before 400', async () => {
    expect(await send(`${KEY}?x=1`)).toMatchObject({ status: 401 })
  })
})

describe('405', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'is returned for %s: keys are managed at the dashboard',
    async (method) => {
      const { key } = await makeCaller()
      const answer = await send(KEY, { key: key.key, method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('GET')
    },
  )
})
