import { describe, expect, test } from 'vitest'
import { resetPasswordByLink } from '../../server/accounts/password-reset'
import { appRouter } from '../../server/api/router'
import { toAppError } from '../../server/api/trpc'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool, prisma } from '../../server/db'
import { uuidv7 } from '../../server/kit/id'
import { callQuery, send, withSandbox } from '../support/api'
import { takeHold } from '../support/hold'
import { makeJob } from '../support/job'
import { readOwnerMoney } from '../support/ledger'
import { makeOperator, signedIn } from '../support/operators'
import { makeCaller, makeKey, makeOwner, type TestOwner } from '../support/owners'
import { settleById } from '../support/settle'
import { browserHeaders, PASSWORD, signInAgain } from '../support/signed-in'

withSandbox()

const refusalOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (e) => toAppError(e),
  )
  return error && { code: error.code, message: error.message }
}

/** What the owner's audit log and the operators' log have of an owner, oldest first. */
async function logsOf(owner: TestOwner, api: Awaited<ReturnType<typeof makeOperator>>['api']) {
  const own = await (await signedIn(owner)).api.account.audit({ limit: 100 })
  const operators = await api.operators.owners.log({ ownerId: owner.id, limit: 100 })
  return {
    own: own.rows.filter(({ actorKind }) => actorKind === 'operator').reverse(),
    operators: operators.rows.reverse(),
  }
}

/** A finished request that was charged. */
async function chargedRequest(owner: TestOwner, credits: number, given: { keyId?: number; limitId?: string } = {}) {
  const requestId = await takeHold(owner, credits + 5, given)
  await settleById({ id: requestId, actual: BigInt(credits), status: 'ok' })
  return requestId
}

type Procedure = { _def: { type: string; inputs: { shape?: Record<string, unknown> }[] } }
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>).filter(([name]) =>
  name.startsWith('operators.'),
)

describe('the procedures of operators', () => {
  test.each(procedures.map(([name]) => name))('%s answers an owner as if it did not exist', async (name) => {
    const { api } = await signedIn(await makeOwner())
    const at = (path: string): unknown =>
      path.split('.').reduce<unknown>((found, part) => (found as Record<string, unknown>)[part], api)
    const call = at(name) as (input: unknown) => Promise<unknown>
    const missing = at('operators.nothing.here') as (input: unknown) => Promise<unknown>
    expect(await refusalOf(call({}))).toEqual(await refusalOf(missing({})))
  })

  test('are closed at once to whoever is no longer an operator, in the same session', async () => {
    const [one, two] = [await makeOperator(), await makeOperator()]
    await one.api.operators.owners.list({})
    await two.api.operators.owners.setOperator({ ownerId: one.owner.id, isAdmin: false })
    expect(await refusalOf(one.api.operators.owners.list({}))).toMatchObject({ code: 'not_found' })
  })
})

describe('owners', () => {
  test('are found by e-mail, id, last four of a key, request and job', async () => {
    const { api } = await makeOperator()
    const { owner, key } = await makeCaller(1_000, { agent: true })
    const requestId = await chargedRequest(owner, 7, { keyId: key.id })
    const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'completed' })
    const held = await takeHold(owner, 9)
    for (const search of [owner.email.slice(0, 20).toUpperCase(), key.last4, requestId, held, jobId])
      expect((await api.operators.owners.list({ search })).rows.map(({ id }) => id)).toContain(owner.id)
    expect((await api.operators.owners.list({ search: requestId })).rows).toEqual([
      expect.objectContaining({ id: owner.id, available: 984, held: 9, spentThisMonth: 7, keys: 1 }),
    ])
    expect((await api.operators.owners.list({ search: String(owner.id) })).rows).toContainEqual(
      expect.objectContaining({ id: owner.id }),
    )
    for (const search of [uuidv7(), 'nobody@nowhere.example', '%', '99999999999'])
      expect((await api.operators.owners.list({ search })).rows).toEqual([])
  })

  test.each(['created', 'spent', 'available', 'held'] as const)('by %s come in pages that join', async (sort) => {
    const { api } = await makeOperator()
    for (const credits of [10, 20, 20, 30]) await chargedRequest(await makeOwner(1_000 * credits), credits)
    const all = (await api.operators.owners.list({ sort, limit: 100 })).rows.map(({ id }) => id)
    const reversed = (await api.operators.owners.list({ sort, order: 'asc', limit: 100 })).rows.map(({ id }) => id)
    expect(reversed).toEqual([...all].reverse())
    const joined: number[] = []
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await api.operators.owners.list({ sort, order: 'asc', limit: 3, cursor })
      joined.push(...page.rows.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
      more = page.nextCursor !== null
    }
    expect(joined).toEqual(reversed)
    expect(new Set(all).size).toBe(all.length)
  })

  test('are listed by state', async () => {
    const { api, owner: me } = await makeOperator()
    const owner = await makeOwner()
    await api.operators.owners.suspend({ ownerId: owner.id, reason: 'unpaid' })
    const ids = async (state: 'active' | 'suspended' | 'operator') =>
      (await api.operators.owners.list({ state, limit: 100 })).rows.map(({ id }) => id)
    expect(await ids('suspended')).toContain(owner.id)
    expect(await ids('active')).not.toContain(owner.id)
    expect(await ids('operator')).toContain(me.id)
    expect(await ids('operator')).not.toContain(owner.id)
  })

  test('are shown without what they asked and got', async () => {
    const { api } = await makeOperator()
    const { owner, key } = await makeCaller(1_000, { agent: true })
    await makeJob({ ownerId: owner.id, keyId: key.id, status: 'completed', title: 'a private goal' })
    await chargedRequest(owner, 3, { keyId: key.id })
    const shown = [
      await api.operators.owners.get({ ownerId: owner.id }),
      await api.operators.owners.receipts({ ownerId: owner.id }),
      await api.operators.owners.refusals({ ownerId: owner.id }),
      await api.operators.owners.keys({ ownerId: owner.id }),
    ]
    expect(shown[0]).toMatchObject({ email: owner.email, available: 997, spentThisMonth: 3, hasPassword: false })
    const text = JSON.stringify(shown)
    for (const secret of ['a private goal', key.key, 'password_hash', 'passwordHash'])
      expect(text).not.toContain(secret)
  })
})

describe('acts on an owner', () => {
  test('are in both logs, with who did them', async () => {
    const { api, owner: me } = await makeOperator()
    const { owner, key } = await makeCaller()
    const ownerId = owner.id
    const requestId = await chargedRequest(owner, 8, { keyId: key.id })
    await api.operators.owners.grant({ ownerId, credits: 50, note: 'sorry' })
    await api.operators.owners.suspend({ ownerId, reason: 'unpaid' })
    await api.operators.owners.resume({ ownerId })
    await api.operators.owners.changeLimits({ ownerId, callsInProgress: 7, creditsPerDay: 500 })
    await api.operators.owners.endSessions({ ownerId })
    await api.operators.owners.changeKey({ id: key.id, changes: { rpm: 5 } })
    await api.operators.owners.revokeKey({ id: key.id })
    await api.operators.requests.refund({ requestId })
    await api.operators.requests.refund({ requestId })
    await api.operators.owners.setOperator({ ownerId, isAdmin: true })
    await api.operators.owners.setOperator({ ownerId, isAdmin: true })
    await api.operators.owners.setOperator({ ownerId, isAdmin: false })
    const logs = await logsOf(owner, api)
    expect(logs.operators.map(({ action }) => action)).toEqual([
      'credits_granted',
      'account_suspended',
      'account_resumed',
      'limits_changed',
      'signed_out_everywhere',
      'key_changed',
      'key_revoked',
      'request_refunded',
      'operator_made',
      'operator_removed',
    ])
    expect(logs.operators.every(({ actor, ownerEmail }) => actor === me.email && ownerEmail === owner.email)).toBe(true)
    expect(logs.operators.map(({ ownerId: _, ownerEmail: __, ...event }) => event)).toEqual(logs.own)
    const mine = await api.operators.owners.log({ actor: me.email, action: 'key_changed' })
    expect(mine.rows).toEqual([expect.objectContaining({ ownerId, subject: 'test', detail: { rpm: 5 } })])
    expect((await api.operators.owners.log({ actor: 'nobody@example.com' })).rows).toEqual([])
  })

  test('that are refused are in neither', async () => {
    const { api } = await makeOperator()
    const owner = await makeOwner(10)
    await expect(api.operators.owners.grant({ ownerId: owner.id, credits: -11 })).rejects.toThrow(
      /more than is available/,
    )
    await expect(api.operators.owners.suspend({ ownerId: 2_000_000_000, reason: 'x' })).rejects.toThrow(/no such owner/)
    await expect(api.operators.owners.changeKey({ id: 2_000_000_000, changes: { rpm: 1 } })).rejects.toThrow(/no key/)
    expect((await logsOf(owner, api)).operators).toEqual([])
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 10 })
  })

  test('a correction takes only what is free', async () => {
    const { api } = await makeOperator()
    const owner = await makeOwner(100)
    await takeHold(owner, 60)
    await expect(api.operators.owners.grant({ ownerId: owner.id, credits: -41 })).rejects.toThrow()
    expect(await api.operators.owners.grant({ ownerId: owner.id, credits: -40 })).toEqual({ available: 0 })
  })

  test('a reset link sets a new password, once, and ends every session', async () => {
    const { api } = await makeOperator()
    const owner = await makeOwner()
    const before = await signedIn(owner)
    const { url } = await api.operators.owners.resetLink({ ownerId: owner.id })
    expect(await before.api.account.me()).toMatchObject({ email: owner.email })
    const token = new URL(url).searchParams.get('token') ?? ''
    await resetPasswordByLink({ token, password: PASSWORD }, browserHeaders())
    await expect(before.api.account.me()).rejects.toThrow(/session has ended/)
    await signInAgain(owner.email)
    await expect(resetPasswordByLink({ token, password: PASSWORD }, browserHeaders())).rejects.toThrow()
    expect(JSON.stringify(await logsOf(owner, api))).not.toContain(token)
  })
})

describe('operators', () => {
  test('keep the last one, also when two remove each other', async () => {
    await prisma().owner.updateMany({ data: { isAdmin: false } })
    const [one, two] = [await makeOperator(), await makeOperator()]
    const removed = await Promise.allSettled([
      one.api.operators.owners.setOperator({ ownerId: two.owner.id, isAdmin: false }),
      two.api.operators.owners.setOperator({ ownerId: one.owner.id, isAdmin: false }),
    ])
    expect(removed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const left = await prisma().owner.findMany({ where: { isAdmin: true } })
    expect(left).toHaveLength(1)
    const last = left[0]?.id === one.owner.id ? one : two
    await expect(last.api.operators.owners.setOperator({ ownerId: last.owner.id, isAdmin: false })).rejects.toThrow(
      /last operator/,
    )
  })
})

describe('the suspension by an operator', () => {
  test('refuses calls by key, at the dashboard and of agents, and ends', async () => {
    const { api } = await makeOperator()
    const { owner, key } = await makeCaller(1_000, { llm: true, agent: true })
    const dashboard = (await signedIn(owner)).api
    await api.operators.owners.suspend({ ownerId: owner.id, reason: 'unpaid invoice' })
    const answers = [
      await callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] }),
      await send('/api/v1/chat/completions', { key: key.key, body: { model: 'northwind/gale-4', messages: [] } }),
      await send('/api/v1/agent', { key: key.key, body: { goal: 'x', idempotencyKey: 'y' } }),
      await send('/api/v1/mcp', { key: key.key, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }),
      await send('/api/v1/embeddings', { key: key.key, body: { model: 'x', input: 'y' } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect(JSON.stringify(answers[0]?.body)).toContain('suspended: unpaid invoice')
    const playing = dashboard.tools.run({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } })
    expect(await refusalOf(playing)).toEqual({
      code: 'forbidden',
      message: 'This account is suspended: unpaid invoice. Contact the operator.',
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, charged: 0 })
    await api.operators.owners.resume({ ownerId: owner.id })
    expect((await callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] })).status).toBe(200)
  })
})

describe('a refund', () => {
  test('gives back the charge to balance, key and spend limit, once among forty at the same time', async () => {
    const { api } = await makeOperator()
    const owner = await makeOwner()
    const key = await makeKey(owner, { budget: 500, recurringBudget: { credits: 200, every: 'day' } })
    const limitId = uuidv7()
    await mainPool().query('INSERT INTO spend_limit (id, owner_id, cap) VALUES ($1, $2, 300)', [limitId, owner.id])
    const requestId = await chargedRequest(owner, 80, { keyId: key.id, limitId })
    const refunds = await Promise.all(
      Array.from({ length: 40 }, () => api.operators.requests.refund({ requestId, note: 'fault' })),
    )
    expect(refunds.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(refunds.every(({ credits }) => credits === 80)).toBe(true)
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, held: 0, charged: 0 })
    const { rows } = (await api.operators.owners.keys({ ownerId: owner.id })) as { rows: object[] }
    expect(rows).toEqual([
      expect.objectContaining({ spent: 0, recurringBudget: expect.objectContaining({ spent: 0, remaining: 200 }) }),
    ])
    expect((await prisma().spendLimit.findUniqueOrThrow({ where: { id: limitId } })).spent).toBe(0n)
    expect((await api.operators.requests.get({ requestId })).receipt).toMatchObject({
      status: 'ok',
      credits: { held: 85, charged: 0, released: 5 },
      detail: { refunded: 80 },
    })
    expect((await logsOf(owner, api)).own).toHaveLength(1)
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('of a part leaves the rest charged, and is the only one', async () => {
    const { api } = await makeOperator()
    const { owner, key } = await makeCaller()
    const requestId = await chargedRequest(owner, 30, { keyId: key.id })
    await expect(api.operators.requests.refund({ requestId, credits: 31 })).rejects.toThrow(/Only 30 credits/)
    expect(await api.operators.requests.refund({ requestId, credits: 10 })).toEqual({ credits: 10, isNew: true })
    expect(await api.operators.requests.refund({ requestId, credits: 10 })).toEqual({ credits: 10, isNew: false })
    await expect(api.operators.requests.refund({ requestId, credits: 20 })).rejects.toThrow(/10 credits .* before/)
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 980, charged: 20 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('needs a charge, and a request that has ended', async () => {
    const { api } = await makeOperator()
    const owner = await makeOwner()
    const free = await chargedRequest(owner, 0)
    await expect(api.operators.requests.refund({ requestId: free })).rejects.toThrow(/Nothing was charged/)
    for (const requestId of [await takeHold(owner, 5), uuidv7(), 'no id'])
      expect(await refusalOf(api.operators.requests.refund({ requestId }))).toMatchObject({ code: 'not_found' })
  })

  test('keeps the stored response: a repeat of the request is not charged again', async () => {
    const { api } = await makeOperator()
    const { owner, key } = await makeCaller()
    const call = () =>
      send('/api/v1/query', {
        key: key.key,
        body: { tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } },
        headers: { 'idempotency-key': 'once' },
      })
    const first = await call()
    expect(first.status).toBe(200)
    const requestId = first.headers.get('x-request-id') ?? ''
    await api.operators.requests.refund({ requestId })
    expect((await call()).body).toEqual(first.body)
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, charged: 0, receipts: 1 })
  })
})

describe('runs', () => {
  test('of any owner are cancelled with a reason, which their owner reads', async () => {
    const { api } = await makeOperator()
    const { owner, key } = await makeCaller(1_000, { agent: true })
    const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'awaiting_input' })
    expect(await api.operators.runs.cancel({ jobId, reason: 'it loops' })).toMatchObject({ jobId, status: 'cancelled' })
    const { job, turns } = await (await signedIn(owner)).api.jobs.get({ jobId })
    expect(job).toMatchObject({ status: 'cancelled', result: 'Cancelled by the operator: it loops' })
    expect(turns).toMatchObject([{ cancelled: { by: 'the operator', keyId: null } }])
    await expect(api.operators.runs.cancel({ jobId, reason: 'again' })).rejects.toThrow(/has ended: it is cancelled/)
    expect((await logsOf(owner, api)).own.map(({ action, subject }) => [action, subject])).toEqual([
      ['run_cancelled', jobId],
    ])
  })

  test.each([
    ['awaiting_input', /waits for an answer/],
    ['completed', /has completed/],
    ['failed', /another turn/],
    ['cancelled', /another turn/],
  ] as const)('that are %s are not retried', async (status, why) => {
    const { api } = await makeOperator()
    const { owner, key } = await makeCaller(1_000, { agent: true })
    const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status })
    await expect(api.operators.runs.retry({ jobId })).rejects.toThrow(why)
  })

  test('that lost their worker are sent again, once', async () => {
    const { api } = await makeOperator()
    const { owner, key } = await makeCaller(1_000, { agent: true })
    const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'running' })
    expect(await api.operators.runs.retry({ jobId })).toMatchObject({ status: 'running' })
    await expect(api.operators.runs.retry({ jobId })).rejects.toThrow(/waits in the queue/)
    const { rows } = await mainPool().query(
      `SELECT data FROM pgboss.job WHERE name = 'agent-runs' AND singleton_key = $1`,
      [jobId],
    )
    expect(rows).toHaveLength(1)
  })

  test('that a process has in hand are left alone until their step takes too long', async () => {
    const { api } = await makeOperator()
    const { owner, key } = await makeCaller(1_000, { agent: true })
    const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'running' })
    const holder = uuidv7()
    await mainPool().query(`INSERT INTO holder (id, lease_until) VALUES ($1, now() + interval '1 hour')`, [holder])
    await mainPool().query('UPDATE job SET holder_id = $2 WHERE id = $1', [jobId, holder])
    await expect(api.operators.runs.retry({ jobId })).rejects.toThrow(/in progress/)
    await mainPool().query(`UPDATE job SET updated_at = now() - interval '6 minutes' WHERE id = $1`, [jobId])
    expect(await api.operators.runs.retry({ jobId })).toMatchObject({ jobId })
  })
})
