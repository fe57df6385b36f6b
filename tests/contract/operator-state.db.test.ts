import { describe, expect, test } from 'vitest'
import type { SessionCookie } from '../../server/accounts/session'
import { toAppError } from '../../server/api/trpc'
import { processesCommand } from '../../server/cli/admin/processes'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { operatorLogCsvHandler } from '../../server/http/operator-log-csv'
import { uuidv7 } from '../../server/kit/id'
import { callQuery, withSandbox } from '../support/api'
import { takeHold } from '../support/hold'
import { makeJob } from '../support/job'
import { readOwnerMoney } from '../support/ledger'
import { moveCall } from '../support/ledger-chain'
import { makeOperator, signedIn } from '../support/operators'
import { makeCaller, makeOwner } from '../support/owners'
import { settleById } from '../support/settle'
import { browserHeaders } from '../support/signed-in'

withSandbox()

describe('reserved credits', () => {
  test('are shown by product and the oldest first, with their process', async () => {
    const { api } = await makeOperator()
    const owner = await makeOwner()
    const id = await takeHold(owner, 30)
    const agent = await takeHold(owner, 5, { product: 'agent', channel: 'agent', what: 'northwind/gale-4' })
    await mainPool().query(`UPDATE hold SET created_at = now() - interval '11 minutes' WHERE id = $1`, [agent])
    const holds = await api.operators.holds()
    expect(holds.byProduct).toContainEqual(expect.objectContaining({ product: 'agent', credits: 5, old: 1 }))
    expect(holds.oldest[0]).toMatchObject({ id: agent, ownerEmail: owner.email, credits: 5, isAlive: true })
    expect(holds.oldest).toContainEqual(expect.objectContaining({ id, credits: 30, what: 'test_sample' }))
    for (const hold of [id, agent]) await settleById({ id: hold, actual: 0n, status: 'void' })
  })

  test('of a settlement that was put aside are charged when it is tried again, once', async () => {
    const { api, owner: me } = await makeOperator()
    const owner = await makeOwner()
    const id = await takeHold(owner, 30)
    const request = { id, ownerId: owner.id, held: '30', actual: '12', status: 'ok' }
    await mainPool().query(
      `INSERT INTO settlement_dead (id, owner_id, request, error, attempts) VALUES ($1, $2, $3, 'out of order', 12)`,
      [id, owner.id, JSON.stringify(request)],
    )
    expect((await api.operators.holds()).putAside).toEqual({
      all: 1,
      rows: [expect.objectContaining({ id, ownerEmail: owner.email, error: 'out of order', attempts: 12, held: 30 })],
    })
    const tried = await Promise.allSettled([1, 2].map(() => api.operators.retrySettlement({ id })))
    expect(tried.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 988, held: 0, charged: 12, receipts: 1 })
    expect((await api.operators.holds()).putAside.all).toBe(0)
    await expect(api.operators.retrySettlement({ id })).rejects.toThrow(/put aside/)
    expect((await api.operators.owners.log({ ownerId: owner.id })).rows[0]).toMatchObject({
      action: 'settlement_retried',
      actor: me.email,
      subject: id,
    })
    expect(await findLedgerDifferences()).toEqual([])
  })
})

describe('workers and runs', () => {
  test('are counted by state, the longest first, without what they were asked', async () => {
    const { api } = await makeOperator()
    const { owner, key } = await makeCaller(1_000, { agent: true })
    const of = { ownerId: owner.id, keyId: key.id, title: 'a private goal' }
    const before = await api.operators.workers()
    const running = await makeJob({ ...of, status: 'running' })
    const waiting = await makeJob({ ...of, status: 'awaiting_input' })
    const failed = await makeJob({ ...of, status: 'failed' })
    await mainPool().query('UPDATE turn SET ended_at = now() WHERE job_id = $1', [failed])
    const after = await api.operators.workers()
    const countOf = (view: typeof after, status: string) => view.counts.find((row) => row.status === status)?.runs ?? 0
    for (const status of ['running', 'awaiting_input', 'failed'])
      expect(countOf(after, status) - countOf(before, status), status).toBe(1)
    expect(after.running.at(-1)).toMatchObject({ jobId: running, ownerEmail: owner.email, creditsSpent: 0 })
    expect(after.awaiting.at(-1)).toMatchObject({ jobId: waiting })
    expect(JSON.stringify(after)).not.toContain('a private goal')
  })

  test('are counted by process, which says what it is, and is lost where it ended without a word', async () => {
    const { api } = await makeOperator()
    const { owner, key } = await makeCaller(1_000, { agent: true })
    const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'running' })
    const [alive, dead] = [uuidv7(), uuidv7()]
    const [old, left] = [uuidv7(), uuidv7()]
    const facts = (more: object = {}) =>
      JSON.stringify({
        ...{ kind: 'worker', host: 'host-1', pid: 7, version: '0.2.0', launcher: null, settings: null },
        ...{ readAt: '2026-11-23T12:00:00.000Z', isLeaving: false, ...more },
      })
    await mainPool().query(
      `INSERT INTO holder (id, lease_until, about) VALUES ($1, now() + interval '40 seconds', $2),
        ($3, now() - interval '1 minute', $2), ($4, now() + interval '40 seconds', $5), ($6, now() - interval '1 minute', $7)`,
      [alive, facts({ unwritten: 3 }), dead, old, facts({ version: '0.1.0' }), left, facts({ isLeaving: true })],
    )
    await mainPool().query('UPDATE job SET holder_id = $2 WHERE id = $1', [jobId, alive])
    const { processes, versions } = await api.operators.workers()
    const about = { kind: 'worker', host: 'host-1', pid: 7, version: '0.2.0', startedAt: null, unwritten: 3 }
    expect(processes).toContainEqual(expect.objectContaining({ id: alive, state: 'alive', holds: 0, runs: 1, about }))
    expect(processes[0]).toMatchObject({ id: dead, state: 'lost', runs: 0 })
    expect(processes).toContainEqual(expect.objectContaining({ id: left, state: 'ended' }))
    expect(versions).toEqual(['0.1.0', '0.2.0'])
    const { data, text } = await processesCommand.run({})
    expect(data).toEqual({ processes, versions })
    expect(text).toMatch(/lost\tworker\thost-1\t7\t0\.2\.0\t.*not seen since/)
    expect(text).toContain('Not all serve the same release: 0.1.0, 0.2.0')
  })
})

describe('providers', () => {
  test('are shown with what they answered in the last hour, and no value of a variable', async () => {
    const { api } = await makeOperator()
    const { owner, key } = await makeCaller()
    await callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] })
    const failed = await takeHold(owner, 5, { what: 'crypto_get_prices' })
    await settleById({ id: failed, actual: 5n, status: 'failed', detail: { error: 'The provider is on fire' } })
    const old = await takeHold(owner, 5, { what: 'crypto_get_prices' })
    await settleById({ id: old, actual: 5n, status: 'ok' })
    await moveCall(old, new Date(Date.now() - 7_200_000))
    const { mode, modelsFile, providers, models } = await api.operators.providers()
    expect([mode, modelsFile]).toEqual(['sandbox', null])
    const crypto = providers.find(({ offered }) => offered.includes('crypto_get_prices'))
    expect(crypto).toMatchObject({
      mode: 'sandbox',
      missing: [],
      unset: [],
      health: { calls: 2, failed: 1, lastError: 'The provider is on fire', lastFailure: expect.any(String) },
    })
    expect(crypto?.health.medianMs).toBeGreaterThanOrEqual(0)
    expect(models[0]).toMatchObject({
      id: expect.stringContaining('/'),
      creditsPer1mInput: expect.any(Number),
      upstreams: [expect.objectContaining({ isConfigured: true, host: expect.stringContaining('127.0.0.1') })],
    })
  })
})

describe('/operators/log/export', () => {
  const ask = (query: string, cookie?: SessionCookie) =>
    operatorLogCsvHandler(
      new Request(`http://localhost:3000/operators/log/export${query}`, { headers: browserHeaders(cookie) }),
    )

  test('has every act as a line, over all pages, by the filters of the page', async () => {
    const { api, cookie, owner: me } = await makeOperator()
    const owner = await makeOwner()
    for (let i = 1; i <= 101; i++) await api.operators.owners.grant({ ownerId: owner.id, credits: i, note: '=1+1' })
    await api.operators.owners.resume({ ownerId: owner.id })
    const answer = await ask(`?actor=${me.email}&action=credits_granted&owner=${owner.id}`, cookie)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head, ...lines] = (await answer.text()).trim().split('\n')
    expect(head).toBe('at,action,what,owner_id,owner,subject,operator,address,user_agent,detail')
    expect(lines).toHaveLength(101)
    expect(lines[0]).toContain(`credits_granted,Credits granted,${owner.id},${owner.email},,${me.email}`)
    expect((await ask('?nonsense=1', cookie)).status).toBe(400)
  })

  test('is 404 for others, whatever they ask, and 401 without a session', async () => {
    const { cookie } = await signedIn(await makeOwner())
    for (const query of ['', '?nonsense=1']) expect((await ask(query, cookie)).status).toBe(404)
    expect((await ask('')).status).toBe(401)
  })
})

test('an invalid cursor of any list is refused', async () => {
  const { api } = await makeOperator()
  const refused = async (call: Promise<unknown>) =>
    call.then(
      () => null,
      (e) => toAppError(e).code,
    )
  expect(await refused(api.operators.owners.list({ cursor: 'x' }))).toBe('invalid_request')
  expect(await refused(api.operators.owners.log({ cursor: 'x' }))).toBe('invalid_request')
})
