import { existsSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { signUpOwner } from '../../server/accounts/sign-up'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool, prisma } from '../../server/db'
import { env } from '../../server/env'
import { hostFile } from '../../server/files/put'
import { diskFolder } from '../../server/files/store'
import { deleteOwner } from '../../server/owner-data/delete'
import { remainsOfDeletedOwners } from '../../server/owner-data/remains'
import { publishSite } from '../../server/sites/publish'
import { SiteFiles } from '../../server/sites/shape'
import { scriptedGoal, startAgentRun } from '../support/agent'
import { callQuery, send, withSandbox } from '../support/api'
import { takeHold } from '../support/hold'
import { makeJob } from '../support/job'
import { pollUntil } from '../support/poll-until'
import { settleById } from '../support/settle'
import { forgetAttempts, PASSWORD, signInAgain, signUpSomebody } from '../support/signed-in'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()
beforeEach(async () => {
  await forgetAttempts()
  Object.assign(env(), { SIGNUP_CREDITS: 5_000 })
})

const rowsOf = async (ownerId: number, table: string): Promise<number> =>
  (await mainPool().query(`SELECT count(*)::int AS n FROM ${table} WHERE owner_id = $1`, [ownerId])).rows[0].n

async function removeRemains(): Promise<void> {
  await pollUntil('the end of remains', async () => {
    await remainsOfDeletedOwners().step()
    return (await remainsOfDeletedOwners().count()) === 0
  })
}

describe('deleting the account', () => {
  test('needs its e-mail address and its password', async () => {
    const { email, api } = await signUpSomebody()
    await expect(api.account.delete({ email: 'other@example.org', password: PASSWORD })).rejects.toThrow(
      'not the e-mail address of this account',
    )
    await expect(api.account.delete({ email, password: 'wrong' })).rejects.toThrow('not your current password')
    expect((await api.account.me()).email).toBe(email)
  })

  test('ends keys and sessions, frees the address, and brings no credits a second time', async () => {
    const { id, email, api } = await signUpSomebody()
    const key = await api.keys.create({ name: 'Ada’s key', tags: ['ada'] })
    await callQuery(key.key, 'web_search', { query: 'tolls' })
    const other = await signInAgain(email)
    expect(await api.account.delete({ email: email.toUpperCase(), password: PASSWORD })).toEqual({ deleted: true })
    for (const { account } of [api, other.api]) await expect(account.me()).rejects.toThrow('Your session has ended')
    await expect(signInAgain(email)).rejects.toThrow('wrong')
    expect((await callQuery(key.key, 'web_search', { query: 'tolls' })).status).toBe(401)
    expect((await send('/api/v1/key', { key: key.key })).status).toBe(401)
    const { rows } = await mainPool().query(
      'SELECT email, name, password_hash, is_admin, deleted_at IS NOT NULL AS deleted FROM owner WHERE id = $1',
      [id],
    )
    expect(rows).toEqual([
      { email: `deleted-${id}@deleted.invalid`, name: null, password_hash: null, is_admin: false, deleted: true },
    ])
    const again = await signUpOwner({ email, password: PASSWORD })
    const account = await prisma().account.findUniqueOrThrow({ where: { ownerId: again.id } })
    expect(Number(account.available)).toBe(0)
    // The books stay, and name nobody.
    expect([await rowsOf(id, 'ledger'), await rowsOf(id, 'receipt')]).toEqual([2, 1])
    const log = await mainPool().query('SELECT e::text AS row FROM audit_event e WHERE owner_id = $1', [id])
    expect(log.rows.length).toBeGreaterThan(2)
    expect(JSON.stringify(log.rows)).not.toMatch(/somebody|203\.0\.113|Ada/)
    expect(JSON.stringify(await prisma().key.findMany({ where: { ownerId: id } }), bigintText)).not.toMatch(/ada/i)
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('deletes what was stored, with its bytes', async () => {
    const { id, email, api } = await signUpSomebody()
    const key = await api.keys.create({ name: 'k', agent: true, llm: true })
    const file = await hostFile({ ownerId: id, bytes: Buffer.from('x'), contentType: 'text/plain' })
    const slug = `site-${id}`
    await publishSite(id, { slug, files: [{ path: 'index.html', content: '<h1>Hi</h1>' }] })
    const [version] = await prisma().siteVersion.findMany({ where: { slug } })
    const inSite = SiteFiles.parse(version?.files)
    const stored = [file.id, inSite[0]?.fileId ?? '']
    const jobId = await makeJob({ ownerId: id, keyId: key.id, status: 'completed' })
    await prisma().pod.create({ data: { jobId, ownerId: id, files: Buffer.from('x'), cwd: '/' } })
    await prisma().dataset.create({
      data: { ownerId: id, name: 'd', columns: [], rowCount: 0, rows: Buffer.from('x') },
    })
    await api.settings.save({ outsideApproval: 'never' })
    await api.settings.webhookSecret()
    expect((await send(`/sites/${slug}/`)).status).toBe(200)
    await api.account.delete({ email, password: PASSWORD })
    expect((await send(`/sites/${slug}/`)).status).toBe(404)
    await removeRemains()
    for (const table of ['job', 'pod', 'file', 'site', 'dataset', 'schedule', 'session', 'login', 'account_link'])
      expect(await rowsOf(id, table), table).toBe(0)
    for (const table of ['agent_settings', 'webhook_secret', 'welcome', 'oauth_code'])
      expect(await rowsOf(id, table), table).toBe(0)
    const folder = diskFolder(env().STORAGE_URL) ?? ''
    for (const name of stored) expect(existsSync(path.join(folder, name)), name).toBe(false)
    expect((await send(`/files/${file.id}`)).status).toBe(404)
  })

  test('lets calls in progress end and be charged; their job goes afterwards', async () => {
    const { id, email, api } = await signUpSomebody()
    const key = await api.keys.create({ name: 'k', agent: true, llm: true })
    const jobId = await makeJob({ ownerId: id, keyId: key.id, status: 'running' })
    const owner = { id } as Parameters<typeof takeHold>[0]
    const hold = await takeHold(owner, 40, { keyId: key.id, jobId, channel: 'agent', product: 'agent' })
    const call = await takeHold(owner, 30, { keyId: key.id })
    await api.account.delete({ email, password: PASSWORD })
    expect((await prisma().job.findUniqueOrThrow({ where: { id: jobId } })).status).toBe('cancelled')
    await remainsOfDeletedOwners().step()
    expect(await rowsOf(id, 'job')).toBe(1)
    await settleById({ id: hold, actual: 7n, status: 'ok', detail: {} })
    await settleById({ id: call, actual: 5n, status: 'ok', detail: {} })
    await removeRemains()
    expect(await rowsOf(id, 'job')).toBe(0)
    const account = await prisma().account.findUniqueOrThrow({ where: { ownerId: id } })
    expect([Number(account.available), Number(account.held)]).toEqual([4_988, 0])
    await expect(takeHold(owner, 1)).rejects.toThrow()
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('cancels a run that a worker is busy with', async () => {
    const { id, email, api } = await signUpSomebody()
    const key = await api.keys.create({ name: 'k', agent: true, llm: true })
    const goal = scriptedGoal({ text: 'word '.repeat(40), chunks: 40, chunkDelayMs: 50 }, 'Think.')
    const { status } = await startAgentRun(key.key, { goal })
    expect(status).toBeLessThan(300)
    await pollUntil('a call of the run', async () => (await rowsOf(id, 'hold')) > 0)
    await api.account.delete({ email, password: PASSWORD })
    await pollUntil('the end of its call', async () => (await rowsOf(id, 'hold')) === 0)
    await removeRemains()
    expect(await rowsOf(id, 'job')).toBe(0)
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('is done once', async () => {
    const { id, email, api } = await signUpSomebody()
    const outcomes = await Promise.allSettled([1, 2].map(() => api.account.delete({ email, password: PASSWORD })))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(deleteOwner(id, { kind: 'operator', email: null })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is not for the last operator', async () => {
    const { id, email, api } = await signUpSomebody()
    await mainPool().query('UPDATE owner SET is_admin = (id = $1)', [id])
    await expect(api.account.delete({ email, password: PASSWORD })).rejects.toThrow('last operator')
    const { id: second } = await signUpSomebody()
    await mainPool().query('UPDATE owner SET is_admin = true WHERE id = $1', [second])
    await api.account.delete({ email, password: PASSWORD })
  })

  test('needs no password where the owner came through a provider, whose login is free again', async () => {
    const { id, email, api } = await signUpSomebody()
    await mainPool().query('UPDATE owner SET password_hash = NULL WHERE id = $1', [id])
    await prisma().login.create({ data: { provider: 'github', subject: '42', ownerId: id } })
    await api.account.delete({ email, password: '' })
    expect(await prisma().login.count({ where: { subject: '42' } })).toBe(0)
  })
})

const bigintText = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
