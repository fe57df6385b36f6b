import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findLedgerDifferences } from '../../server/credits/verify'
import { prisma } from '../../server/db'
import { callQuery, send, withSandbox } from '../support/api'
import { CHAT_MODEL } from '../support/chat'
import { takeHold } from '../support/hold'
import { MANAGE, makeManagementKey, makeManager } from '../support/management'
import { makeCaller, makeKey } from '../support/owners'
import { settleById } from '../support/settle'

withSandbox()
const prices = { coinIds: ['bitcoin'] }
const shop = { name: 'Shop', credits: 100, window: 'month' }

const auditOf = (ownerId: number) =>
  prisma().auditEvent.findMany({ where: { ownerId }, orderBy: { id: 'asc' }, omit: { id: true, at: true } })
const customerOf = async (ownerId: number, name: string) =>
  (await prisma().customer.findFirstOrThrow({ where: { ownerId, name } })).id
type Manage = Awaited<ReturnType<typeof makeManager>>['manage']
const make = async (manage: Manage, body: object = shop) => {
  const answer = await manage('/budgets', { body })
  expect(answer, answer.text).toMatchObject({ status: 201 })
  return answer.body as { id: string; scope: Record<string, unknown> }
}

describe('POST /manage/budgets', () => {
  it('201: makes a budget that limits the next call, and says so in its 402', async () => {
    const { manage, owner } = await makeManager()
    const key = await makeKey(owner, { tags: ['shop'] })
    const made = await manage('/budgets', {
      body: {
        ...shop,
        credits: 5,
        externalId: 'crm',
        scope: { tags: ['shop'], tools: ['crypto'] },
        alertAt: [100, 80],
      },
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      ...{ name: 'Shop', externalId: 'crm', credits: 5, window: 'month', spent: 0, held: 0, alertAt: [80, 100] },
      ...{ scope: { tags: ['shop'], tools: ['crypto_*'] }, resetsAt: expect.stringMatching(/Z$/) },
    })
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 200 })
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({
      status: 402,
      body: {
        limitSource: 'budget',
        limit: { id: made.body.id, name: 'Shop', window: 'month', cap: 5, spent: 3, resetsAt: made.body.resetsAt },
      },
    })
    expect(await callQuery(key.key, 'web_search', { query: 'x' })).toMatchObject({ status: 200 })
    const read = await manage(`/budgets/${made.body.id}`)
    expect(read.body).toMatchObject({ spent: 3, held: 0 })
    expect(read.headers.get('etag')).toBe(made.headers.get('etag'))
    expect(await auditOf(owner.id)).toMatchObject([
      { action: 'budget_created', actorKind: 'key', actor: 'ops', subject: 'Shop', detail: { credits: 5 } },
    ])
    expect(await findLedgerDifferences()).toEqual([])
  })

  it('stores groups as the beginnings of their tools, customers as themselves, each name once', async () => {
    const { manage, owner } = await makeManager()
    const key = await makeKey(owner)
    const { scope } = await make(manage, {
      ...shop,
      scope: {
        keys: [key.id, key.id],
        customers: ['olbia', 'ada', 'olbia'],
        products: ['tool', 'agent'],
        tools: ['dataApi', 'media', 'web_search', 'web_s*'],
        models: [CHAT_MODEL, `${CHAT_MODEL.split('/')[0]}/*`],
      },
    })
    expect(scope).toEqual({
      keys: [key.id],
      customers: expect.toSatisfy((names: string[]) => [...names].sort().join() === 'ada,olbia'),
      products: ['agent', 'tool'],
      tools: expect.arrayContaining(['forum_*', 'image_*', 'marketplace_*', 'video_*', 'web_s*', 'web_search']),
      models: [`${CHAT_MODEL.split('/')[0]}/*`, CHAT_MODEL],
    })
    const log = JSON.stringify(await auditOf(owner.id))
    expect(log).toContain('"customers":2')
    expect(log).not.toContain('olbia')
  })

  it.each<[string, object]>([
    ['name', {}],
    ['credits', { name: 'x', window: 'day' }],
    ['credits', { ...shop, credits: -1 }],
    ['credits', { ...shop, credits: 0.5 }],
    ['window', { ...shop, window: 'hour' }],
    ['alertAt.0', { ...shop, alertAt: [0] }],
    ['externalId', { ...shop, externalId: '' }],
    ['scope.keys.0', { ...shop, scope: { keys: [2_000_000_000] } }],
    ['scope.keys.0', { ...shop, scope: { keys: [9_000_000_000] } }],
    ['scope.keys', { ...shop, scope: { keys: [] } }],
    ['scope.tags', { ...shop, scope: { tags: [] } }],
    ['scope.tags.0', { ...shop, scope: { tags: ['a,b'] } }],
    ['scope.customers', { ...shop, scope: { customers: 'every' } }],
    ['scope.customers', { ...shop, scope: { customers: [] } }],
    ['scope.customers.0', { ...shop, scope: { customers: ['x'.repeat(129)] } }],
    ['scope.products.0', { ...shop, scope: { products: ['mcp'] } }],
    ['scope.tools.1', { ...shop, scope: { tools: ['web', 'webb'] } }],
    ['scope.tools.0', { ...shop, scope: { tools: ['*'] } }],
    ['scope.tools.0', { ...shop, scope: { tools: ['nothing_*'] } }],
    ['scope.tools.0', { ...shop, scope: { tools: ['pod'] } }],
    ['scope.models.0', { ...shop, scope: { models: ['no/model'] } }],
    ['scope.models.0', { ...shop, scope: { models: ['*'] } }],
    ['scope.products', { ...shop, scope: { products: ['chat'], tools: ['web'] } }],
    ['scope.products', { ...shop, scope: { products: ['tool'], models: [CHAT_MODEL] } }],
    ['scope', { ...shop, scope: { users: ['x'] } }],
  ])('400: %s of %j', async (path, body) => {
    const { manage } = await makeManager()
    const answer = await manage('/budgets', { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect((answer.body.issues as { path: string }[]).map((issue) => issue.path)).toContain(path)
  })

  it('400: another account’s key, and a management key', async () => {
    const { manage, manager } = await makeManager()
    const { key: theirs } = await makeCaller()
    for (const id of [theirs.id, manager.id])
      expect(await manage('/budgets', { body: { ...shop, scope: { keys: [id] } } })).toMatchObject({ status: 400 })
  })

  it('400: more than 200 of an account, of 12 at once none too many', async () => {
    const { manage, owner } = await makeManager()
    await prisma().budget.createMany({
      data: Array.from({ length: 195 }, () => ({
        id: randomUUID(),
        ownerId: owner.id,
        name: 'x',
        credits: 1n,
        scope: {},
      })),
    })
    const answers = await Promise.all(Array.from({ length: 12 }, () => manage('/budgets', { body: shop })))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(7).fill(400)])
  })

  it('409: another budget has the external id, until it is deleted', async () => {
    const { manage } = await makeManager()
    const body = { ...shop, externalId: 'crm' }
    const { id } = await make(manage, body)
    expect(await manage('/budgets', { body })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await manage(`/budgets/${id}`, { method: 'DELETE' })
    await make(manage, body)
  })

  it('an Idempotency-Key makes one budget of twenty at once; another body is 422', async () => {
    const { manage, owner } = await makeManager()
    const headers = { 'idempotency-key': randomUUID() }
    const body = { ...shop, scope: { customers: ['olbia'] } }
    const answers = await Promise.all(Array.from({ length: 20 }, () => manage('/budgets', { body, headers })))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await prisma().budget.count({ where: { ownerId: owner.id } })).toBe(1)
    expect(await auditOf(owner.id)).toHaveLength(1)
    expect(await manage('/budgets', { body: { ...body, credits: 1 }, headers })).toMatchObject({ status: 422 })
  })
})

describe('a budget by its id', () => {
  it('PATCH changes what it names, DELETE ends it, each in the log', async () => {
    const { manage, owner } = await makeManager()
    const key = await makeKey(owner)
    const { id } = await make(manage, { ...shop, credits: 2, scope: { keys: [key.id] } })
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 402 })
    const changed = await manage(`/budgets/${id}`, { method: 'PATCH', body: { credits: 5, window: 'lifetime' } })
    expect(changed).toMatchObject({
      status: 200,
      body: { credits: 5, window: 'lifetime', resetsAt: null, name: 'Shop', scope: { keys: [key.id] } },
    })
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 200 })
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 402 })
    expect(await manage(`/budgets/${id}`, { method: 'DELETE' })).toMatchObject({ status: 200, body: { id, spent: 3 } })
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 200 })
    expect(await manage(`/budgets/${id}`)).toMatchObject({ status: 404 })
    expect((await auditOf(owner.id)).map(({ action, detail }) => [action, detail])).toEqual([
      ['budget_created', expect.objectContaining({ credits: 2 })],
      ['budget_changed', { credits: 5, window: 'lifetime' }],
      ['budget_deleted', null],
    ])
    expect(await findLedgerDifferences()).toEqual([])
  })

  it('is read when a customer that it names has no name any more', async () => {
    const { manage, owner } = await makeManager()
    const { id } = await make(manage, { ...shop, scope: { customers: ['ada', 'olbia'] } })
    await prisma().customer.updateMany({ where: { ownerId: owner.id, name: 'ada' }, data: { name: null } })
    const customers = expect.arrayContaining(['olbia', expect.stringMatching(/^deleted:/)])
    expect(await manage(`/budgets/${id}`)).toMatchObject({ status: 200, body: { scope: { customers } } })
    expect(await manage('/budgets')).toMatchObject({ status: 200, body: { rows: [{ scope: { customers } }] } })
  })

  it('400: what is wrong of a change; whether each customer counts cannot be changed', async () => {
    const { manage } = await makeManager()
    const { id } = await make(manage)
    for (const body of [
      { scope: { customers: 'each' } },
      { scope: { tools: ['x'] } },
      { externalId: 'x' },
      { credits: -1 },
    ])
      expect(await manage(`/budgets/${id}`, { method: 'PATCH', body }), JSON.stringify(body)).toMatchObject({
        status: 400,
      })
  })

  it('404: another account’s, as one that never was', async () => {
    const [mine, theirs] = [await makeManager(), await makeManager()]
    const { id: other } = await make(theirs.manage)
    for (const id of [other, randomUUID(), 'nothing'])
      for (const [method, path, body] of [
        ['GET', ''],
        ['GET', '/customers'],
        ['PATCH', '', { credits: 1 }],
        ['DELETE', ''],
      ] as const)
        expect(await mine.manage(`/budgets/${id}${path}`, { method, body }), `${method} ${id}${path}`).toMatchObject({
          status: 404,
          body: { code: 'not_found', error: 'There is no such budget.' },
        })
    expect((await theirs.manage(`/budgets/${other}`)).body).toMatchObject({ credits: 100 })
  })

  it('412: If-Match names another version; of ten changes with the same one is done', async () => {
    const { manage, owner } = await makeManager()
    const key = await makeKey(owner)
    const { id } = await make(manage, { ...shop, scope: { customers: 'each' } })
    const etag = (await manage(`/budgets/${id}`)).headers.get('etag') ?? ''
    await callQuery(key.key, 'crypto_get_prices', prices)
    const headers = { 'if-match': etag }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        manage(`/budgets/${id}`, { method: 'PATCH', body: { credits: i }, headers }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
    expect(await manage(`/budgets/${id}`, { method: 'DELETE', headers })).toMatchObject({
      status: 412,
      body: { code: 'precondition_failed' },
    })
    const now = answers.find(({ status }) => status === 200)?.headers.get('etag') ?? ''
    expect(await manage(`/budgets/${id}`, { method: 'DELETE', headers: { 'if-match': now } })).toMatchObject({
      status: 200,
    })
  })
})

describe('PUT /manage/budgets/{externalId}', () => {
  const declare = (manage: Manage, body: object, id = 'crm/7 a') =>
    manage(`/budgets/${encodeURIComponent(id)}`, { method: 'PUT', body })

  it('201: makes it; 200: a repeat changes nothing, another declaration what differs', async () => {
    const { manage, owner } = await makeManager()
    const body = { ...shop, scope: { tools: ['web', 'crypto'], customers: ['b', 'a'] }, alertAt: [80, 50] }
    const made = await declare(manage, body)
    expect(made, made.text).toMatchObject({ status: 201, body: { externalId: 'crm/7 a' } })
    const again = await declare(manage, { ...body, scope: { customers: ['a', 'b'], tools: ['crypto_*', 'web'] } })
    expect(again).toMatchObject({ status: 200 })
    expect(again.headers.get('etag')).toBe(made.headers.get('etag'))
    const changed = await declare(manage, { name: 'Shop', credits: 7, window: 'day' })
    expect(changed).toMatchObject({
      status: 200,
      body: { id: made.body.id, credits: 7, window: 'day', scope: {}, alertAt: [] },
    })
    expect((await auditOf(owner.id)).map(({ action }) => action)).toEqual(['budget_created', 'budget_changed'])
  })

  it('of ten at once one makes it; 412: If-Match names another version', async () => {
    const { manage } = await makeManager()
    const answers = await Promise.all(Array.from({ length: 10 }, () => declare(manage, shop)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const headers = { 'if-match': '"x"' }
    expect(await manage('/budgets/crm%2F7%20a', { method: 'PUT', body: shop, headers })).toMatchObject({ status: 412 })
    expect(await declare(manage, { ...shop, scope: { tools: ['x'] } })).toMatchObject({ status: 400 })
  })

  it('is of its account alone', async () => {
    const [mine, theirs] = [await makeManager(), await makeManager()]
    const made = await declare(theirs.manage, shop)
    expect(await declare(mine.manage, { ...shop, credits: 1 })).toMatchObject({ status: 201 })
    expect((await theirs.manage(`/budgets/${made.body.id}`)).body).toMatchObject({ credits: 100 })
  })
})

describe('lists', () => {
  it('GET /manage/budgets pages through the budgets of the account', async () => {
    const { manage } = await makeManager()
    const ids: string[] = []
    for (const window of ['day', 'week', 'month', 'lifetime']) ids.push((await make(manage, { ...shop, window })).id)
    await make((await makeManager()).manage)
    const first = await manage('/budgets?limit=3')
    expect((first.body.rows as { id: string }[]).map(({ id }) => id)).toEqual(ids.slice(1).reverse())
    const next = await manage(`/budgets?limit=3&cursor=${encodeURIComponent(String(first.body.nextCursor))}`)
    expect(next.body).toMatchObject({ rows: [{ id: ids[0], window: 'day' }], nextCursor: null })
    for (const query of ['?limit=0', '?cursor=x', '?nobody=1'])
      expect(await manage(`/budgets${query}`)).toMatchObject({ status: 400 })
  })

  it('GET …/customers says what each has used, by pages', async () => {
    const { manage, owner } = await makeManager()
    await make(manage, { ...shop, scope: { customers: ['a', 'b', 'c'] } })
    const { id } = await make(manage, { ...shop, scope: { customers: 'each' } })
    for (const [name, credits] of [
      ['a', 10],
      ['b', 20],
      ['c', 30],
    ] as const)
      await settleById({
        id: await takeHold(owner, credits, { customerId: await customerOf(owner.id, name) }),
        actual: BigInt(credits),
        status: 'ok',
      })
    expect((await manage(`/budgets/${id}`)).body).toMatchObject({ spent: 60, credits: 100 })
    const rows: { customer: string; spent: number }[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await manage(`/budgets/${id}/customers?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      rows.push(...(page.body.rows as typeof rows))
      cursor = page.body.nextCursor as string | null
    }
    expect(Object.fromEntries(rows.map(({ customer, spent }) => [customer, spent]))).toEqual({ a: 10, b: 20, c: 30 })
    for (const query of ['?limit=0', '?cursor=x', '?nobody=1'])
      expect(await manage(`/budgets/${id}/customers${query}`)).toMatchObject({ status: 400 })
  })
})

describe('who may', () => {
  it('403: a management key without the scope, and an ordinary key', async () => {
    const { manage, owner } = await makeManager({ scopes: ['keys'] })
    expect(await manage('/budgets')).toMatchObject({ status: 403, body: { error: expect.stringContaining('budgets') } })
    expect(await manage('/budgets', { body: shop })).toMatchObject({ status: 403 })
    const { manage: other } = await makeManager()
    const { id } = await make(other)
    const ordinary = await makeKey(owner)
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${id}`],
      ['GET', `/${id}/customers`],
      ['PATCH', `/${id}`],
      ['PUT', `/${id}`],
      ['DELETE', `/${id}`],
    ] as const)
      expect(
        await send(`${MANAGE}/budgets${path}`, {
          method,
          key: ordinary.key,
          body: method.startsWith('P') ? shop : undefined,
        }),
        method + path,
      ).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  it('a key of one tag makes budgets of that tag alone, and sees no others', async () => {
    const { manage: all, owner } = await makeManager()
    const { key: secret } = await makeManagementKey(owner, { tag: 'shop' })
    const manage: Manage = (path, request = {}) => send(MANAGE + path, { key: secret, ...request })
    const [tagged, untagged] = [await makeKey(owner, { tags: ['shop'] }), await makeKey(owner)]
    const others = [
      await make(all),
      await make(all, { ...shop, externalId: 'own', scope: { tags: ['own'] } }),
      await make(all, { ...shop, scope: { tags: ['shop', 'own'] } }),
    ]
    const { id, scope } = await make(manage, { ...shop, scope: { keys: [tagged.id] } })
    expect(scope).toEqual({ keys: [tagged.id], tags: ['shop'] })
    await make(manage, { ...shop, scope: { tags: ['shop'], customers: 'each' } })
    expect((await manage('/budgets')).body.rows).toMatchObject([{ scope: { customers: 'each' } }, { id }])
    for (const tags of [['own'], ['shop', 'own']]) {
      const body = { ...shop, scope: { tags } }
      expect(await manage('/budgets', { body })).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      expect(await manage(`/budgets/${id}`, { method: 'PATCH', body })).toMatchObject({ status: 403 })
      expect(await manage('/budgets/mine', { method: 'PUT', body })).toMatchObject({ status: 403 })
    }
    expect(await manage('/budgets', { body: { ...shop, scope: { keys: [untagged.id] } } })).toMatchObject({
      status: 400,
    })
    for (const { id: other } of others)
      for (const [method, path, body] of [
        ['GET', ''],
        ['GET', '/customers'],
        ['PATCH', '', { credits: 1 }],
        ['DELETE', ''],
      ] as const)
        expect(await manage(`/budgets/${other}${path}`, { method, body })).toMatchObject({ status: 404 })
    expect(await manage('/budgets/own', { method: 'PUT', body: shop })).toMatchObject({ status: 404 })
  })
})
