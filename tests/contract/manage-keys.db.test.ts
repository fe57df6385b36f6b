import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { mainPool, prisma } from '../../server/db'
import { makeSecret } from '../../server/keys/secret'
import { callQuery, send, withSandbox } from '../support/api'
import { CHAT_MODEL } from '../support/chat'
import { MANAGE, makeManagementKey, makeManager } from '../support/management'
import { makeCaller, makeKey, makeOwner } from '../support/owners'

withSandbox()
const prices = { coinIds: ['bitcoin'] }
const shop = { name: 'shop', tools: 'all' }

const auditOf = (ownerId: number) =>
  prisma().auditEvent.findMany({ where: { ownerId }, orderBy: { id: 'asc' }, omit: { id: true, at: true } })

describe('a management key', () => {
  it('has a prefix of its own, a checksum, and is stored as a hash', async () => {
    const { manager } = await makeManager()
    expect(manager.key).toMatch(/^tgm_[0-9A-Za-z]{36}$/)
    expect(await send(`${MANAGE}/keys`, { key: `${manager.key.slice(0, -1)}!` })).toMatchObject({ status: 401 })
    const { rows } = await mainPool().query('SELECT * FROM key_secret WHERE key_id = $1', [manager.id])
    expect(JSON.stringify(rows)).not.toContain(manager.key)
  })

  it.each([
    ['GET', '/api/v1/key'],
    ['GET', '/api/v1/usage'],
    ['GET', '/api/v1/agent/jobs'],
    ['POST', '/api/v1/query', { tool: 'crypto_get_prices', params: prices }],
    ['POST', '/api/v1/chat/completions', { model: CHAT_MODEL, messages: [{ role: 'user', content: 'x' }] }],
    ['POST', '/api/v1/messages', { model: CHAT_MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'x' }] }],
    ['POST', '/api/v1/responses', { model: CHAT_MODEL, input: 'x' }],
    ['POST', '/api/v1/embeddings', { model: 'lantern/wick-embed', input: 'x' }],
    ['POST', '/api/v1/images/generations', { prompt: 'x' }],
    ['POST', '/api/v1/agent', { goal: 'x', idempotencyKey: 'x' }],
    ['POST', '/api/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  ])('is forbidden to %s %s, also when it is known', async (method, path, body?: object) => {
    const { manager } = await makeManager()
    for (const _ of [1, 2]) expect(await send(path, { method, key: manager.key, body })).toMatchObject({ status: 403 })
  })

  it('reads what anyone may read', async () => {
    const { manager } = await makeManager()
    for (const path of ['catalog', 'models', 'openapi.json'])
      expect(await send(`/api/v1/${path}`, { key: manager.key })).toMatchObject({ status: 200 })
  })

  it('counts in its minute, and is refused when it is revoked', async () => {
    const { manager, manage, owner } = await makeManager({ rpm: 2 })
    const { headers } = await manage('/keys')
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('1')
    await manage('/keys')
    expect(await manage('/keys')).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    await prisma().key.update({ where: { id: manager.id, ownerId: owner.id }, data: { revokedAt: new Date() } })
    expect(await manage('/keys')).toMatchObject({ status: 401 })
  })

  it('without the scope is forbidden', async () => {
    const { manage } = await makeManager({ scopes: ['usage'] })
    expect(await manage('/keys')).toMatchObject({ status: 403, body: { error: expect.stringContaining('scope keys') } })
    expect(await manage('/keys', { body: shop })).toMatchObject({ status: 403 })
  })

  it('is not seen, changed or rotated by any management key', async () => {
    const { manager, manage, owner } = await makeManager()
    const other = await makeManagementKey(owner)
    expect((await manage('/keys')).body.rows).toEqual([])
    for (const { id } of [manager, other]) {
      expect(await manage(`/keys/${id}`)).toMatchObject({ status: 404 })
      expect(await manage(`/keys/${id}/rotate`, { body: {} })).toMatchObject({ status: 404 })
      expect(await manage(`/keys/${id}`, { method: 'DELETE' })).toMatchObject({ status: 404 })
    }
  })
})

it('an ordinary key manages nothing', async () => {
  const { key } = await makeCaller(1, { llm: true, agent: true })
  for (const [method, path, body] of [
    ['GET', '/keys'],
    ['POST', '/keys', shop],
    ['PUT', '/keys/mine', shop],
    ['GET', `/keys/${key.id}`],
    ['PATCH', `/keys/${key.id}`, { budget: 5 }],
    ['DELETE', `/keys/${key.id}`],
    ['POST', `/keys/${key.id}/rotate`, {}],
  ] as const)
    expect(await send(MANAGE + path, { method, key: key.key, body }), `${method} ${path}`).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
})

describe('POST /manage/keys', () => {
  it('201: makes a key that calls, and says its secret once', async () => {
    const { manage, owner } = await makeManager()
    const made = await manage('/keys', {
      body: { ...shop, externalId: 'crm-7', tags: ['shop'], models: [CHAT_MODEL], llm: true, budget: 50 },
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      ...{ name: 'shop', externalId: 'crm-7', tags: ['shop'], tools: 'all', llm: true, models: [CHAT_MODEL] },
      ...{ budget: 50, spent: 0, held: 0, remaining: 50, state: 'active', key: expect.stringMatching(/^tg_/) },
    })
    expect(await callQuery(String(made.body.key), 'crypto_get_prices', prices)).toMatchObject({ status: 200 })
    const read = await manage(`/keys/${made.body.id}`)
    expect(read.text).not.toContain(String(made.body.key))
    expect(read.body).toMatchObject({ spent: 3, remaining: 47 })
    expect(read.headers.get('etag')).toBe(made.headers.get('etag'))
    const log = await auditOf(owner.id)
    expect(log).toMatchObject([{ action: 'key_created', actorKind: 'key', actor: 'ops', subject: 'shop' }])
    expect(JSON.stringify(log)).not.toContain(String(made.body.key))
  })

  it('takes "none", a recurring budget by window, and a customer-facing list of tools', async () => {
    const { manage } = await makeManager()
    const recurringBudget = { credits: 9, window: 'week' }
    const none = await manage('/keys', { body: { name: 'x', tools: 'none', llm: true, recurringBudget } })
    expect(none.body).toMatchObject({ tools: [], recurringBudget: { ...recurringBudget, spent: 0, remaining: 9 } })
    const some = await manage('/keys', { body: { name: 'x', tools: ['web_search'] } })
    expect(some.body).toMatchObject({ tools: ['web_search'], llm: false, agent: false })
  })

  it.each([
    [{}],
    [{ name: 'x' }],
    [{ ...shop, tools: ['nothing_like_it'] }],
    [{ ...shop, models: ['no/model'] }],
    [{ ...shop, allowedModels: [] }],
    [{ ...shop, recurringBudget: { credits: 5, every: 'day' } }],
    [{ ...shop, budget: -1 }],
    [{ ...shop, externalId: '' }],
    [{ ...shop, management: { scopes: ['keys'] } }],
  ])('400: %j', async (body) => {
    const { manage } = await makeManager()
    expect(await manage('/keys', { body })).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  it('409: another key has the external id, until it is revoked', async () => {
    const { manage } = await makeManager()
    const body = { ...shop, externalId: 'crm-7' }
    const first = await manage('/keys', { body })
    expect(await manage('/keys', { body })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await manage(`/keys/${first.body.id}`, { method: 'DELETE' })
    expect(await manage('/keys', { body })).toMatchObject({ status: 201 })
  })

  it('an Idempotency-Key makes one key of twenty at once, and every answer is the same', async () => {
    const { manage, owner } = await makeManager()
    const headers = { 'idempotency-key': randomUUID() }
    const body = { ...shop, externalId: 'crm-7' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => manage('/keys', { body, headers })))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const isReplay = (answer: (typeof answers)[number]) => answer.headers.get('idempotent-replayed') === 'true'
    expect(answers.filter(isReplay)).toHaveLength(19)
    expect(await auditOf(owner.id)).toHaveLength(1)
  })

  it('an Idempotency-Key of another body is 422, and its answer is for the secret that asked alone', async () => {
    const { manage, owner, manager } = await makeManager()
    const headers = { 'idempotency-key': 'once' }
    const { body: made } = await manage('/keys', { body: shop, headers })
    expect(await manage('/keys', { body: { ...shop, name: 'other' }, headers })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_mismatch' },
    })
    expect(await manage('/keys', { body: shop, headers: { 'idempotency-key': 'two words' } })).toMatchObject({
      status: 400,
    })
    const { rows } = await mainPool().query('SELECT answer FROM management_answer WHERE key_id = $1', [manager.id])
    expect(rows[0].answer.toString('latin1')).not.toContain(made.key)
    const second = await makeManagementKey(owner)
    expect(await send(`${MANAGE}/keys`, { key: second.key, body: shop, headers })).toMatchObject({ status: 201 })
  })

  it('does not happen without its line in the audit log', async () => {
    const { manage, owner } = await makeManager()
    await mainPool().query(
      `CREATE OR REPLACE FUNCTION no_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no line'; END $$;
       CREATE TRIGGER no_line BEFORE INSERT ON audit_event FOR EACH ROW EXECUTE FUNCTION no_line()`,
    )
    const answer = await manage('/keys', { body: shop, headers: { 'idempotency-key': 'x' } })
    await mainPool().query('DROP TRIGGER no_line ON audit_event')
    expect(answer.status).toBe(500)
    expect(await prisma().key.count({ where: { ownerId: owner.id } })).toBe(1)
    expect(await manage('/keys', { body: shop, headers: { 'idempotency-key': 'x' } })).toMatchObject({ status: 201 })
  })
})

describe('GET /manage/keys', () => {
  it('pages through the keys of the account, by tag', async () => {
    const { manage, owner } = await makeManager()
    const ids: number[] = []
    for (const tag of ['a', 'b', 'a', 'a']) ids.push((await makeKey(owner, { tags: [tag] })).id)
    await makeCaller()
    const first = await manage('/keys?limit=2&tag=a')
    expect((first.body.rows as { id: number }[]).map(({ id }) => id)).toEqual([ids[3], ids[2]])
    const next = await manage(`/keys?limit=2&tag=a&cursor=${encodeURIComponent(String(first.body.nextCursor))}`)
    expect(next.body).toMatchObject({ rows: [{ id: ids[0] }], nextCursor: null })
    expect((await manage('/keys')).body.rows).toHaveLength(4)
  })

  it.each(['?limit=0', '?cursor=x', '?nobody=1'])('400: %s', async (query) => {
    const { manage } = await makeManager()
    expect(await manage(`/keys${query}`)).toMatchObject({ status: 400 })
  })
})

describe('a key by its id', () => {
  it('PATCH changes what it names, GET reads it, DELETE revokes it', async () => {
    const { manage, owner } = await makeManager()
    const key = await makeKey(owner, { tools: 'all', tags: ['a'] })
    const changed = await manage(`/keys/${key.id}`, {
      method: 'PATCH',
      body: { budget: 7, tools: ['web_search'], recurringBudget: { credits: 5, window: 'day' } },
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { budget: 7, tools: ['web_search'], tags: ['a'], recurringBudget: { credits: 5, window: 'day' } },
    })
    expect(await manage(`/keys/${key.id}`, { method: 'DELETE' })).toMatchObject({
      status: 200,
      body: { state: 'revoked' },
    })
    expect(await callQuery(key.key, 'web_search', { query: 'x' })).toMatchObject({ status: 401 })
    expect(await manage(`/keys/${key.id}`, { method: 'PATCH', body: { rpm: 5 } })).toMatchObject({ status: 409 })
    expect((await auditOf(owner.id)).map(({ action }) => action)).toEqual(['key_changed', 'key_revoked'])
  })

  it('400: what a key may call is never widened', async () => {
    const { manage, owner } = await makeManager()
    const key = await makeKey(owner, { tools: ['web_search'] })
    for (const body of [{ tools: 'all' }, { llm: true }, { agent: true }, { key: 'x' }])
      expect(await manage(`/keys/${key.id}`, { method: 'PATCH', body })).toMatchObject({ status: 400 })
  })

  it('404: another account’s, as one that never was', async () => {
    const { manage } = await makeManager()
    const { key: theirs } = await makeCaller()
    for (const id of [theirs.id, 2_000_000_000]) {
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { rpm: 1 }],
        ['DELETE', ''],
        ['POST', '/rotate', {}],
      ] as const)
        expect(await manage(`/keys/${id}${path}`, { method, body })).toMatchObject({
          status: 404,
          body: { code: 'not_found', error: 'There is no such key.' },
        })
    }
    expect(await callQuery(theirs.key, 'crypto_get_prices', prices)).toMatchObject({ status: 200 })
  })

  it('412: If-Match names another version, and nothing is done; calls make no new version', async () => {
    const { manage, owner } = await makeManager()
    const key = await makeKey(owner)
    const etag = (await manage(`/keys/${key.id}`)).headers.get('etag') ?? ''
    await callQuery(key.key, 'crypto_get_prices', prices)
    const change = (rpm: number, match: string) =>
      manage(`/keys/${key.id}`, { method: 'PATCH', body: { rpm }, headers: { 'if-match': match } })
    const changed = await change(7, etag)
    expect(changed.status).toBe(200)
    expect(await change(8, etag)).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
    for (const [method, path, body] of [
      ['DELETE', ''],
      ['POST', '/rotate', {}],
    ] as const) {
      const headers = { 'if-match': etag }
      expect(await manage(`/keys/${key.id}${path}`, { method, body, headers })).toMatchObject({ status: 412 })
    }
    expect((await manage(`/keys/${key.id}`)).body).toMatchObject({ rpm: 7, state: 'active' })
    expect((await change(9, `"x", ${changed.headers.get('etag')}`)).status).toBe(200)
    expect((await change(10, '*')).status).toBe(200)
  })

  it('of ten changes with the same If-Match at once one is done', async () => {
    const { manage, owner } = await makeManager()
    const key = await makeKey(owner)
    const headers = { 'if-match': (await manage(`/keys/${key.id}`)).headers.get('etag') ?? '' }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        manage(`/keys/${key.id}`, { method: 'PATCH', body: { rpm: i + 1 }, headers }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
  })

  it('POST …/rotate gives it a second secret for the chosen overlap, once for an Idempotency-Key', async () => {
    const { manage, owner } = await makeManager()
    const key = await makeKey(owner)
    const headers = { 'idempotency-key': 'rotate' }
    const rotate = () => manage(`/keys/${key.id}/rotate`, { body: { overlapMinutes: 5 }, headers })
    const [first, again] = [await rotate(), await rotate()]
    expect(first).toMatchObject({ status: 200, body: { id: key.id, rotation: { last4: key.key.slice(-4) } } })
    expect(again.text).toBe(first.text)
    for (const secret of [key.key, String(first.body.key)])
      expect(await callQuery(secret, 'crypto_get_prices', prices)).toMatchObject({ status: 200 })
    expect(await manage(`/keys/${key.id}/rotate`, { body: { overlapMinutes: -1 } })).toMatchObject({ status: 400 })
    await manage(`/keys/${key.id}/rotate`, { body: { overlapMinutes: 0 } })
    expect(await callQuery(String(first.body.key), 'crypto_get_prices', prices)).toMatchObject({ status: 401 })
  })
})

describe('PUT /manage/keys/{externalId}', () => {
  const declare = (manage: Awaited<ReturnType<typeof makeManager>>['manage'], body: object, id = 'crm-7') =>
    manage(`/keys/${encodeURIComponent(id)}`, { method: 'PUT', body })

  it('201: makes it; 200: a repeat changes nothing, another declaration what differs', async () => {
    const { manage, owner } = await makeManager()
    const made = await declare(manage, { ...shop, budget: 50, tags: ['b', 'a'] })
    expect(made).toMatchObject({ status: 201, body: { externalId: 'crm-7', key: expect.stringMatching(/^tg_/) } })
    const again = await declare(manage, { ...shop, budget: 50, tags: ['a', 'b'] })
    expect(again.status).toBe(200)
    expect(again.body).not.toHaveProperty('key')
    expect(again.headers.get('etag')).toBe(made.headers.get('etag'))
    const changed = await declare(manage, { name: 'shop', tools: 'none', budget: 60 })
    expect(changed.body).toMatchObject({ id: made.body.id, tools: [], budget: 60, tags: [] })
    expect((await auditOf(owner.id)).map(({ action, detail }) => [action, detail])).toEqual([
      ['key_created', expect.objectContaining({ budget: 50 })],
      ['key_changed', { budget: 60, tags: [], tools: [] }],
    ])
  })

  it('400: it cannot widen; 412: If-Match names another version', async () => {
    const { manage } = await makeManager()
    await declare(manage, { name: 'x', tools: 'none', llm: true })
    expect(await declare(manage, shop)).toMatchObject({ status: 400 })
    const headers = { 'if-match': '"x"' }
    const body = { name: 'x', tools: 'none' }
    expect(await manage('/keys/crm-7', { method: 'PUT', body, headers })).toMatchObject({ status: 412 })
  })

  it('of ten at once one makes the key, and the id of a revoked one is free', async () => {
    const { manage } = await makeManager()
    const answers = await Promise.all(Array.from({ length: 10 }, () => declare(manage, shop, 'a/b c')))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    const ids = new Set(answers.map(({ body }) => body.id))
    expect(ids.size).toBe(1)
    await manage(`/keys/${[...ids][0]}`, { method: 'DELETE' })
    expect(await declare(manage, shop, 'a/b c')).toMatchObject({ status: 201 })
  })

  it('is of its account alone', async () => {
    const [mine, theirs] = [await makeManager(), await makeManager()]
    const made = await declare(theirs.manage, shop)
    expect(await declare(mine.manage, shop)).toMatchObject({ status: 201 })
    expect((await theirs.manage(`/keys/${made.body.id}`)).body).toMatchObject({ state: 'active' })
  })
})

describe('a confined management key', () => {
  const template = {
    tools: ['web_search', 'web_read_url'],
    allowedModels: [CHAT_MODEL],
    agent: false,
    budget: 100,
    recurringBudget: { credits: 10, every: 'day' as const },
    rpm: 30,
  }
  const within = {
    name: 'x',
    tools: ['web_search'],
    llm: true,
    models: [CHAT_MODEL],
    budget: 100,
    recurringBudget: { credits: 10, window: 'day' },
    rpm: 30,
  }

  it('makes keys with its tag, and sees no others', async () => {
    const { manage, owner } = await makeManager({ tag: 'shop' })
    const other = await makeKey(owner, { tags: ['own'] })
    const made = await manage('/keys', { body: { ...shop, tags: ['a'] } })
    expect(made.body.tags).toEqual(['a', 'shop'])
    expect((await manage('/keys')).body.rows).toMatchObject([{ id: made.body.id }])
    expect((await manage('/keys?tag=own')).body.rows).toEqual([])
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { tags: ['shop'] }],
      ['DELETE', ''],
      ['POST', '/rotate', {}],
    ] as const)
      expect(await manage(`/keys/${other.id}${path}`, { method, body })).toMatchObject({ status: 404 })
    const untagged = await manage(`/keys/${made.body.id}`, { method: 'PATCH', body: { tags: [] } })
    expect(untagged.body.tags).toEqual(['shop'])
  })

  it('does not take over a key of another tag by its external id', async () => {
    const { manage, owner } = await makeManager({ tag: 'shop' })
    await makeKey(owner, { externalId: 'crm-7', tags: ['own'] })
    expect(await manage('/keys/crm-7', { method: 'PUT', body: shop })).toMatchObject({ status: 404 })
    expect(await manage('/keys', { body: { ...shop, externalId: 'crm-7' } })).toMatchObject({ status: 409 })
  })

  it('makes what its template allows', async () => {
    const { manage } = await makeManager({ template })
    expect(await manage('/keys', { body: within })).toMatchObject({ status: 201 })
    expect(await manage('/keys/a', { method: 'PUT', body: { ...within, llm: false, models: [] } })).toMatchObject({
      status: 201,
    })
  })

  it.each([
    ['tools', { tools: 'all' }],
    ['tools', { tools: ['crypto_get_prices'] }],
    ['allowedModels', { models: [] }],
    ['agent', { agent: true }],
    ['budget', { budget: 101 }],
    ['budget', { budget: null }],
    ['recurringBudget', { recurringBudget: null }],
    ['recurringBudget', { recurringBudget: { credits: 11, window: 'day' } }],
    ['recurringBudget', { recurringBudget: { credits: 10, window: 'month' } }],
    ['rpm', { rpm: 31 }],
  ])('403: wider %s: %j, made or declared', async (field, wider) => {
    const { manage } = await makeManager({ template })
    const body = { ...within, ...wider }
    const refusal = { status: 403, body: { code: 'forbidden', error: expect.stringContaining(field) } }
    expect(await manage('/keys', { body })).toMatchObject(refusal)
    expect(await manage('/keys/a', { method: 'PUT', body })).toMatchObject(refusal)
  })

  it('403: a change beyond it, and the secret of a key that is wider', async () => {
    const { manage, owner } = await makeManager({ tag: 'shop', template })
    const { body: made } = await manage('/keys', { body: within })
    for (const body of [{ budget: 101 }, { budget: null }, { rpm: 31 }, { recurringBudget: null }])
      expect(await manage(`/keys/${made.id}`, { method: 'PATCH', body }), JSON.stringify(body)).toMatchObject({
        status: 403,
      })
    expect(await manage(`/keys/${made.id}`, { method: 'PATCH', body: { budget: 99 } })).toMatchObject({ status: 200 })
    const wide = await makeKey(owner, { tags: ['shop'] })
    expect(await manage(`/keys/${wide.id}/rotate`, { body: {} })).toMatchObject({ status: 403 })
    expect(await manage(`/keys/${wide.id}`, { method: 'DELETE' })).toMatchObject({ status: 200 })
  })
})

it('the keys of a deleted or suspended account manage nothing', async () => {
  const { owner, manage } = await makeManager()
  await prisma().account.update({ where: { ownerId: owner.id }, data: { suspendedFor: 'unpaid' } })
  expect(await manage('/keys')).toMatchObject({ status: 403 })
  const stranger = await makeOwner()
  expect(await send(`${MANAGE}/keys`, { key: makeSecret('tgm_') })).toMatchObject({ status: 401 })
  expect(stranger.id).toBeGreaterThan(0)
})
