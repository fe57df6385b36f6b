import { describe, expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { callQuery, send, withSandbox } from '../support/api'
import { takeHold } from '../support/hold'
import { MANAGE, makeManagementKey, makeManager } from '../support/management'
import { makeCaller, makeKey } from '../support/owners'
import { settleById } from '../support/settle'

withSandbox()
const prices = { coinIds: ['bitcoin'] }
const today = () => new Date().toISOString().slice(0, 10)

describe('GET /manage/usage', () => {
  it('200: sums by day, or by what is asked for', async () => {
    const { manage, owner } = await makeManager()
    const [till, other] = [await makeKey(owner, { name: 'till', tags: ['shop'] }), await makeKey(owner)]
    const customer = await prisma().customer.create({ data: { ownerId: owner.id, name: 'Olbia', hash: 'x' } })
    await callQuery(till.key, 'crypto_get_prices', prices)
    await callQuery(till.key, 'crypto_get_prices', prices)
    await callQuery(other.key, 'crypto_get_prices', prices)
    const id = await takeHold(owner, 9, { product: 'chat', what: 'a/b', customerId: customer.id })
    await settleById({ id, actual: 7n, status: 'ok' })
    await makeCaller()
    const sums = async (query: string) => (await manage(`/usage${query}`)).body
    expect(await sums('')).toEqual({ rows: [{ day: today(), credits: 16, calls: 4 }], nextCursor: null })
    expect(await sums('?groupBy=key')).toEqual({
      rows: [
        { key: null, keyName: null, credits: 7, calls: 1 },
        { key: till.id, keyName: 'till', credits: 6, calls: 2 },
        { key: other.id, keyName: 'test', credits: 3, calls: 1 },
      ],
      nextCursor: null,
    })
    expect(await sums('?groupBy=tag')).toMatchObject({
      rows: [
        { tag: null, credits: 10 },
        { tag: 'shop', credits: 6 },
      ],
    })
    expect(await sums('?groupBy=customer,product')).toMatchObject({
      rows: [
        { customer: null, customerId: null, product: 'tool', credits: 9, calls: 3 },
        { customer: 'Olbia', customerId: customer.id, product: 'chat', credits: 7, calls: 1 },
      ],
    })
    expect(await sums('?groupBy=model,tool')).toMatchObject({
      rows: [
        { tool: null, model: 'a/b', credits: 7 },
        { tool: 'crypto_get_prices', model: null, credits: 9 },
      ],
    })
    const first = await sums('?groupBy=key&limit=2')
    const rest = await sums(`?groupBy=key&limit=2&cursor=${encodeURIComponent(String(first.nextCursor))}`)
    expect(rest).toMatchObject({ rows: [{ key: other.id }], nextCursor: null })
    expect(await sums('?from=2020-01-01&to=2020-01-31')).toEqual({ rows: [], nextCursor: null })
  })

  it.each([
    '?groupBy=team',
    '?groupBy=',
    '?groupBy=day,,key',
    '?from=yesterday',
    '?from=2026-02-30',
    '?from=2026-02-02&to=2026-02-01',
    '?from=2020-01-01&to=2026-01-01',
    '?limit=0',
    '?limit=1001',
    '?cursor=x',
    '?nobody=1',
  ])('400: %s', async (query) => {
    const { manage } = await makeManager()
    expect(await manage(`/usage${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  it('403: without the scope, and with an ordinary key', async () => {
    const { manage, owner } = await makeManager({ scopes: ['keys'] })
    expect(await manage('/usage')).toMatchObject({ status: 403, body: { error: expect.stringContaining('usage') } })
    const { key } = await makeKey(owner)
    expect(await send(`${MANAGE}/usage`, { key })).toMatchObject({ status: 403 })
  })

  it('with a key of one tag has the calls of its keys alone', async () => {
    const { owner } = await makeManager()
    const { key } = await makeManagementKey(owner, { tag: 'shop' })
    const [till, other] = [await makeKey(owner, { tags: ['shop'] }), await makeKey(owner)]
    expect((await send(`${MANAGE}/usage`, { key })).body).toEqual({ rows: [], nextCursor: null })
    for (const { key: secret } of [till, other]) await callQuery(secret, 'crypto_get_prices', prices)
    for (const groupBy of ['day', 'key', 'customer', 'tool'])
      expect((await send(`${MANAGE}/usage?groupBy=${groupBy}`, { key })).body, groupBy).toMatchObject({
        rows: [{ credits: 3, calls: 1 }],
      })
  })
})
