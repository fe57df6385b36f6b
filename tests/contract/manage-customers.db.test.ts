import { describe, expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { callQuery, send, withSandbox } from '../support/api'
import { receiptOf } from '../support/chat'
import { makeManager } from '../support/management'
import { makeKey } from '../support/owners'

withSandbox()

type Customer = { id: number; name: string | null; customer: string; suspended: boolean; spent: number; calls: number }

/** A manager whose key has made a call for each of these customers. */
async function withCustomers(...names: string[]) {
  const manager = await makeManager()
  const key = await makeKey(manager.owner, { namesCustomers: true })
  const call = (name: string) =>
    callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] }, { 'x-tollgate-customer': name })
  const answers = []
  for (const name of names) answers.push(await call(name))
  const list = async (query = '') => (await manager.manage(`/customers${query}`)).body.rows as Customer[]
  return { ...manager, key, call, list, answers }
}

describe('200', () => {
  it('lists customers with what they spent this month, page by page and by the beginning of a name', async () => {
    const { list, manage } = await withCustomers('acme', 'shop', 'ac_dc', 'acme')
    const all = await list()
    expect(all).toMatchObject([
      { name: 'ac_dc', calls: 1 },
      { name: 'shop', calls: 1 },
      { name: 'acme', calls: 2, suspended: false },
    ])
    expect(all[2]?.spent).toBe(2 * (all[0]?.spent ?? 0))
    expect((await list('?q=ac')).map(({ name }) => name)).toEqual(['ac_dc', 'acme'])
    expect((await list('?q=ac_')).map(({ name }) => name)).toEqual(['ac_dc'])
    const first = (await manage('/customers?limit=2')).body
    const next = (await manage(`/customers?limit=2&cursor=${encodeURIComponent(String(first.nextCursor))}`)).body
    expect([...(first.rows as Customer[]), ...(next.rows as Customer[])]).toEqual(all)
    expect(next.nextCursor).toBeNull()
  })

  it('suspends one, as the audit log says, and serves it again', async () => {
    const { list, manage, call, owner } = await withCustomers('acme')
    const id = (await list())[0]?.id
    const read = await manage(`/customers/${id}`)
    const changed = await manage(`/customers/${id}`, {
      method: 'PATCH',
      body: { suspended: true },
      headers: { 'if-match': read.headers.get('etag') ?? '' },
    })
    expect(changed).toMatchObject({ status: 200, body: { name: 'acme', suspended: true } })
    expect(await call('acme')).toMatchObject({ status: 403, body: { reason: 'customer_suspended' } })
    expect((await list('?suspended=true')).map(({ name }) => name)).toEqual(['acme'])
    expect(await list('?suspended=false')).toEqual([])
    await manage(`/customers/${id}`, { method: 'PATCH', body: { suspended: false } })
    expect(await call('acme')).toMatchObject({ status: 200 })
    const lines = await prisma().auditEvent.findMany({ where: { ownerId: owner.id }, orderBy: { id: 'asc' } })
    expect(lines).toMatchObject([
      { action: 'customer_changed', actorKind: 'key', actor: 'ops', subject: 'acme', detail: { suspended: true } },
      { action: 'customer_changed', subject: 'acme', detail: { suspended: false } },
    ])
  })

  it('deletes a name: receipts, keys and the audit log show a hash, and its next call is of another customer', async () => {
    const { list, manage, call, key, answers, owner } = await withCustomers('acme')
    await makeKey(owner, { customer: 'acme' })
    const id = (await list())[0]?.id ?? 0
    await manage(`/customers/${id}`, { method: 'PATCH', body: { suspended: true } })
    await manage(`/customers/${id}`, { method: 'PATCH', body: { suspended: false } })
    const deleted = await manage(`/customers/${id}`, { method: 'DELETE' })
    expect(deleted).toMatchObject({
      status: 200,
      body: { id, name: null, customer: expect.stringMatching(/^deleted:[0-9a-f]{32}$/) },
    })
    const { customer } = deleted.body as Customer
    const [first] = answers
    if (!first) throw new Error('no call')
    expect(await receiptOf(key.key, first)).toMatchObject({ customer })
    expect(await receiptOf(key.key, await call('acme'))).toMatchObject({ customer: 'acme' })
    const rows = await list()
    expect(rows.map(({ name }) => name)).toEqual(['acme', null])
    const usage = await send(`/api/v1/usage?customer=${encodeURIComponent(customer)}`, { key: key.key })
    expect(usage.body.rows).toMatchObject([{ customer, requestId: first.headers.get('x-request-id') }])
    const lines = await prisma().auditEvent.findMany({ where: { ownerId: owner.id } })
    expect(lines).toHaveLength(3)
    expect(JSON.stringify(lines.map(({ id: _, ...line }) => line))).not.toContain('acme')
    expect((await manage('/keys')).body.rows).toMatchObject([{ customer }, { namesCustomers: true }])
  })

  it('makes keys that are bound to a customer, lists them, and lets a key name customers from then on', async () => {
    const { manage } = await makeManager()
    const made = await manage('/keys', { body: { name: 'a', tools: 'all', customer: 'acme' } })
    expect(made).toMatchObject({ status: 201, body: { customer: 'acme', namesCustomers: false } })
    const other = await manage('/keys', { body: { name: 'b', tools: 'all' } })
    expect((await manage('/keys?customer=acme')).body.rows).toMatchObject([{ name: 'a' }])
    const prices = { coinIds: ['bitcoin'] }
    const call = () => callQuery(String(other.body.key), 'crypto_get_prices', prices, { 'x-tollgate-customer': 'shop' })
    expect(await receiptOf(String(other.body.key), await call())).toMatchObject({ customer: null })
    await manage(`/keys/${other.body.id}`, { method: 'PATCH', body: { namesCustomers: true } })
    expect(await receiptOf(String(other.body.key), await call())).toMatchObject({ customer: 'shop' })
  })
})

describe('400', () => {
  it.each([
    ['GET', '/customers?limit=0'],
    ['GET', '/customers?cursor=x'],
    ['GET', '/customers/x'],
    ['PATCH', '/customers/1', {}],
    ['PATCH', '/customers/1', { suspended: 'yes' }],
    ['POST', '/keys', { name: 'a', tools: 'all', customer: 'acme', namesCustomers: true }],
    ['POST', '/keys', { name: 'a', tools: 'all', customer: '' }],
  ])('%s %s %j', async (method, path, body?: object) => {
    const { manage } = await makeManager()
    expect(await manage(path, { method, body })).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  it('a key stays with the customer it was declared with', async () => {
    const { manage } = await makeManager()
    const declare = (customer: string | null) =>
      manage('/keys/a-1', { method: 'PUT', body: { name: 'a', tools: 'all', customer } })
    expect((await declare('acme')).status).toBe(201)
    expect((await declare('acme')).status).toBe(200)
    expect(await declare('shop')).toMatchObject({ status: 400, body: { issues: [{ path: 'customer' }] } })
  })
})

it('403: another scope, and an ordinary key', async () => {
  const { manage, owner } = await makeManager({ scopes: ['keys'] })
  expect(await manage('/customers')).toMatchObject({
    status: 403,
    body: { error: expect.stringContaining('customers') },
  })
  const key = await makeKey(owner)
  expect(await send('/api/v1/manage/customers', { key: key.key })).toMatchObject({ status: 403 })
})

it("404: one that is not there, and another account's", async () => {
  const [{ list }, { manage }] = [await withCustomers('acme'), await makeManager()]
  for (const id of [2_000_000_000, (await list())[0]?.id]) {
    expect(await manage(`/customers/${id}`)).toMatchObject({ status: 404 })
    expect(await manage(`/customers/${id}`, { method: 'PATCH', body: { suspended: true } })).toMatchObject({
      status: 404,
    })
    expect(await manage(`/customers/${id}`, { method: 'DELETE' })).toMatchObject({ status: 404 })
  }
})

it('412: a version that has changed since it was read', async () => {
  const { list, manage } = await withCustomers('acme')
  const id = (await list())[0]?.id
  const etag = (await manage(`/customers/${id}`)).headers.get('etag') ?? ''
  await manage(`/customers/${id}`, { method: 'PATCH', body: { suspended: true } })
  for (const [method, body] of [['PATCH', { suspended: false }], ['DELETE']] as const)
    expect(await manage(`/customers/${id}`, { method, body, headers: { 'if-match': etag } })).toMatchObject({
      status: 412,
    })
})
