import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepHolds } from '../../server/credits/sweep'
import { mainPool, prisma } from '../../server/db'
import { uuidv7 } from '../../server/kit/id'
import { marketplaceSettings } from '../../server/tools/marketplace/settings'
import { send, withSandbox } from '../support/api'
import { expireHolder, expireLeases, readOwnerMoney } from '../support/ledger'
import { MCP_PATH } from '../support/mcp'
import { makeCaller } from '../support/owners'

const sandbox = withSandbox()

const TASKS = 'io.modelcontextprotocol/tasks'
type Sent = { method: string; params?: Record<string, unknown>; declares?: boolean; idempotencyKey?: string }

/** Sends one request of revision 2026-07-28, from a client that declares the extension or not. */
async function ask(key: string, { method, params = {}, declares = true, idempotencyKey }: Sent) {
  const name = params.name ?? params.taskId
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': declares ? { extensions: { [TASKS]: {} } } : {},
    ...(idempotencyKey && { 'tollgate/idempotencyKey': idempotencyKey }),
  }
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  }
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
  return (await send(MCP_PATH, { key, headers, body })).body as {
    result: Record<string, unknown> & { taskId: string; status?: string }
    error?: { code: number; message: string }
  }
}

const run = (actorId: string, seconds = 0) => ({
  method: 'tools/call',
  params: {
    name: 'marketplace_run_actor',
    arguments: { actorId, input: { query: 'boats', seconds }, maxItems: 5, maxCostUsd: 0.1 },
  },
})

const poll = async (key: string, taskId: string) => {
  const { result } = await ask(key, { method: 'tasks/get', params: { taskId } })
  expect(isDetailedTaskV2(result), JSON.stringify(result)).toBe(true)
  expect(result.resultType).toBe('complete')
  return result
}

/** Polls until a task has ended. */
async function ended(key: string, taskId: string) {
  await expect.poll(async () => (await poll(key, taskId)).status).not.toBe('working')
  return poll(key, taskId)
}

it('is declared by server/discover, and only in the revision that has extensions', async () => {
  const { key } = await makeCaller()
  const { result } = await ask(key.key, { method: 'server/discover' })
  expect(result.capabilities).toMatchObject({ tools: {}, extensions: { [TASKS]: {} } })
})

describe('a long call of a client that declares the extension', () => {
  it('is a task at once, then completed with the result that a call has, charged once', async () => {
    const { owner, key } = await makeCaller(100_000)
    const { result: task } = await ask(key.key, run('tide/slow', 2))
    expect(isCreateTaskResultV2(task), JSON.stringify(task)).toBe(true)
    expect(task).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 86_400_000 })
    expect(task).not.toHaveProperty('service')
    expect((await poll(key.key, task.taskId)).status).toBe('working')
    const done = await ended(key.key, task.taskId)
    const { charged } = await readOwnerMoney(owner)
    expect(done).toMatchObject({
      status: 'completed',
      result: {
        structuredContent: { run: { status: 'SUCCEEDED' } },
        service: { credits_charged: charged },
        _meta: { 'tollgate/request-id': task.taskId },
      },
    })
    expect(charged).toBeGreaterThan(0)
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0, receipts: 1 })
    expect((await poll(key.key, task.taskId)).result).toEqual(done.result)
  })

  it('has a failure and a refusal as its result', async () => {
    const { owner, key } = await makeCaller(100_000)
    const { result: failing } = await ask(key.key, run('tide/failing'))
    const failed = await ended(key.key, failing.taskId)
    const { charged } = await readOwnerMoney(owner)
    expect(failed).toMatchObject({
      status: 'completed',
      result: { isError: true, service: { credits_charged: charged } },
    })
    const poor = await makeCaller(1)
    const { result: refused } = await ask(poor.key.key, run('tide/slow'))
    const { result } = await ended(poor.key.key, refused.taskId)
    expect(result).toMatchObject({ isError: true })
    expect(result).not.toHaveProperty('service')
  })

  it('has its result from the moment that it is charged, also when its process dies right then', async () => {
    const { key } = await makeCaller(100_000)
    const { result: task } = await ask(key.key, run('tide/slow', 1))
    const done = await ended(key.key, task.taskId)
    // As the settlement alone leaves it.
    await prisma().mcpTask.updateMany({ where: { id: task.taskId }, data: { endedAt: null } })
    expect(await prisma().mcpTask.findFirst({ where: { id: task.taskId } })).toMatchObject({ result: null })
    expect(await poll(key.key, task.taskId)).toEqual({ ...done, lastUpdatedAt: expect.any(String) })
  })

  it('is failed 45 s after its process died, also where that had not begun the call yet', async () => {
    const { owner, key } = await makeCaller(100_000)
    const begin = async (holder: string, seconds: number) => {
      const task = { id: uuidv7(), ownerId: owner.id, holderId: holder }
      await prisma().mcpTask.create({ data: { ...task, createdAt: new Date(Date.now() - seconds * 1_000) } })
      return (await poll(key.key, task.id)).status
    }
    await expireLeases()
    const [dead, living] = [uuidv7(), uuidv7()]
    await mainPool().query('SELECT credits_renew($1)', [living])
    expect(await begin(dead, 60)).toBe('failed')
    expect(await begin(dead, 20)).toBe('working')
    expect(await begin(living, 60)).toBe('working')
  })

  it('is failed when the process that ran it died, and not charged', async () => {
    const { owner, key } = await makeCaller(100_000)
    const { result: task } = await ask(key.key, run('tide/slow', 4))
    await expect.poll(async () => (await readOwnerMoney(owner)).holds).toBe(1)
    await expireHolder(task.taskId)
    await sweepHolds()
    expect(await poll(key.key, task.taskId)).toMatchObject({ status: 'failed', error: { code: -32603 } })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 100_000, held: 0, charged: 0 })
    await prisma().mcpTask.updateMany({ where: { id: task.taskId }, data: { createdAt: new Date(0) } })
    const { error } = await ask(key.key, { method: 'tasks/get', params: { taskId: task.taskId } })
    expect(error).toMatchObject({ code: -32602 })
  })
})

describe('a task whose call has an idempotency key', () => {
  const keyed = (seconds = 0, more: Partial<Sent> = {}) => ({
    ...run('tide/slow', seconds),
    idempotencyKey: 'a',
    ...more,
  })

  it('is the same task again, in progress and after it, and its result without tasks', async () => {
    const { owner, key } = await makeCaller(100_000)
    const { result: task } = await ask(key.key, keyed(2))
    expect(task._meta).not.toHaveProperty('tollgate/idempotentReplayed')
    await expect.poll(async () => (await readOwnerMoney(owner)).holds).toBe(1)
    const { result: second } = await ask(key.key, keyed(2))
    expect(second).toMatchObject({ taskId: task.taskId, status: 'working', resultType: 'task' })
    expect(second._meta).toMatchObject({ 'tollgate/idempotentReplayed': true })
    const done = await ended(key.key, task.taskId)
    const { result: third } = await ask(key.key, keyed(2))
    expect(third).toMatchObject({ taskId: task.taskId, status: 'completed' })
    const { result: whole } = await ask(key.key, keyed(2, { declares: false }))
    const { structuredContent, service } = done.result as Record<string, unknown>
    expect(whole).toMatchObject({ structuredContent, service, _meta: { 'tollgate/idempotentReplayed': true } })
    expect(await readOwnerMoney(owner)).toMatchObject({ holds: 0, receipts: 1 })
  })

  it('is a mismatch with other arguments, and free again after a refusal', async () => {
    const { owner, key } = await makeCaller(100_000)
    const { result: task } = await ask(key.key, keyed())
    await ended(key.key, task.taskId)
    const { result: other } = await ask(key.key, keyed(1))
    const outcome = other.taskId ? (await ended(key.key, other.taskId)).result : other
    expect(JSON.stringify(outcome)).toContain('idempotency_mismatch')
    const poor = await makeCaller(1)
    const { result: refused } = await ask(poor.key.key, keyed())
    await ended(poor.key.key, refused.taskId)
    const { result: next } = await ask(poor.key.key, keyed())
    expect(next.taskId).not.toBe(refused.taskId)
    await ended(poor.key.key, next.taskId)
    expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 1, holds: 0 })
  })
})

describe('tasks/cancel', () => {
  let asked = 0
  const silent = createServer(() => {
    asked++
  })
  const base = marketplaceSettings().APIFY_BASE_URL
  beforeAll(() => new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    Object.assign(marketplaceSettings(), { APIFY_BASE_URL: base })
    silent.closeAllConnections()
    silent.close()
  })

  it('cancels a call that the provider does not have yet, for nothing', async () => {
    const { owner, key } = await makeCaller(100_000)
    Object.assign(marketplaceSettings(), {
      APIFY_BASE_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    })
    const { result: task } = await ask(key.key, run('tide/slow'))
    await expect.poll(() => asked).toBe(1)
    const { result } = await ask(key.key, { method: 'tasks/cancel', params: { taskId: task.taskId } })
    expect(result).toMatchObject({ resultType: 'complete' })
    expect(await ended(key.key, task.taskId)).toMatchObject({ status: 'cancelled' })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 100_000, held: 0, charged: 0, holds: 0 })
    Object.assign(marketplaceSettings(), { APIFY_BASE_URL: base })
  })

  it('leaves a call that the provider has: it ends and is charged', async () => {
    const { owner, key } = await makeCaller(100_000)
    const { result: task } = await ask(key.key, run('tide/slow', 2))
    // The price list and the start of the run, or the start and a look at the run.
    await expect.poll(sandbox.calls).toBeGreaterThanOrEqual(2)
    await ask(key.key, { method: 'tasks/cancel', params: { taskId: task.taskId } })
    expect(await ended(key.key, task.taskId)).toMatchObject({ status: 'completed' })
    expect((await readOwnerMoney(owner)).charged).toBeGreaterThan(0)
  })
})

it('other tools, and clients that do not declare the extension, get their results at once', async () => {
  const { key } = await makeCaller(100_000)
  const prices = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
  const answers = [
    await ask(key.key, { method: 'tools/call', params: prices }),
    await ask(key.key, { ...run('tide/places'), declares: false }),
  ]
  for (const { result } of answers) {
    expect(result).toMatchObject({ resultType: 'complete', service: { credits_charged: expect.any(Number) } })
  }
})

it('-32602 for another owner’s task, -32021 for a client that does not declare the extension', async () => {
  const { key } = await makeCaller(100_000)
  const stranger = await makeCaller()
  const { result: task } = await ask(key.key, run('tide/slow'))
  await ended(key.key, task.taskId)
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
    const { taskId } = task
    expect((await ask(stranger.key.key, { method, params: { taskId } })).error).toMatchObject({ code: -32602 })
    expect((await ask(key.key, { method, params: { taskId: 'x' } })).error).toMatchObject({ code: -32602 })
    expect((await ask(key.key, { method, params: { taskId }, declares: false })).error).toMatchObject({ code: -32021 })
    expect((await ask(key.key, { method, params: { taskId } })).result).toMatchObject({ resultType: 'complete' })
  }
})
