import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { withSandbox } from '../support/api'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy'
import { readOwnerMoney } from '../support/ledger'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { startWebProcess, type WebProcess } from '../support/web-process'

// One process lives on while the link of three others to the database is cut for as long as it
// takes until their leases have ended and their holds are swept. `near` and `killed` share the data
// folder of the living one, `far` has its own; `killed` does not come back.
const CUT_OFF = ['near', 'far', 'killed'] as const
type Name = (typeof CUT_OFF)[number]

withSandbox()
const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-cut-off-'))
const dataDir = (name: string) => path.join(folder, name)
let proxy: DatabaseProxy
let living: WebProcess
const all: WebProcess[] = []

beforeAll(async () => {
  proxy = await startDatabaseProxy(process.env.DATABASE_URL ?? '')
})
afterAll(async () => {
  await Promise.all(all.map((web) => web.kill('SIGKILL')))
  await proxy.close()
  rmSync(folder, { recursive: true, force: true })
})

type Answer = { status: number; replayed: string | null; body: { service?: { credits_charged: number } } }

async function post(web: WebProcess, route: string, given: { key: string; body: object; headers?: object }) {
  const res = await fetch(`${web.url}/api/v1/${route}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${given.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...given.headers,
    },
    body: JSON.stringify(given.body),
  })
  return { status: res.status, replayed: res.headers.get('idempotent-replayed'), body: await res.json() }
}

const query = (web: WebProcess, key: string, token: string): Promise<Answer> =>
  post(web, 'query', {
    key,
    body: { tool: 'crypto_get_prices', params: { coinIds: ['sandbox-slow'] } },
    headers: { 'idempotency-key': token },
  })

/** One request of an MCP client that declares the tasks extension. */
async function mcp(web: WebProcess, key: string, method: string, params: Record<string, unknown>) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  }
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': String(params.name ?? params.taskId),
  }
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
  const answer = await post(web, 'mcp', { key, body, headers })
  return answer.body.result as { taskId: string; status: string; result?: Record<string, unknown> }
}

const startTask = async (web: WebProcess, key: string) => {
  const input = { actorId: 'tide/slow', input: { query: 'boats', seconds: 12 }, maxItems: 5, maxCostUsd: 0.1 }
  return (await mcp(web, key, 'tools/call', { name: 'marketplace_run_actor', arguments: input })).taskId
}
const task = (key: string, taskId: string) => mcp(living, key, 'tasks/get', { taskId })

type Stored = {
  id: string
  status: string
  charged: number
  product: string
  detail: { error?: string; loss?: number }
}
const receipts = async (ownerId: number) =>
  (
    await mainPool().query<Stored>(
      'SELECT id, status, charged::int, what AS product, detail FROM receipt WHERE owner_id = $1',
      [ownerId],
    )
  ).rows

const journalsOf = (name: string) => {
  try {
    const journal = path.join(dataDir(name), 'journal')
    return readdirSync(journal).map((file) => readFileSync(path.join(journal, file), 'utf8'))
  } catch {
    return []
  }
}

type Case = Awaited<ReturnType<typeof makeCaller>> & { answers: Answer[]; tasks: string[]; swept: Stored[] }
const cases = {} as Record<Name, Case>

beforeAll(async () => {
  const start = async (name: string, url: string | undefined) => {
    const web = await startWebProcess({ DATA_DIR: dataDir(name), ...(url && { DATABASE_URL: url }) })
    all.push(web)
    return web
  }
  living = await start('shared', undefined)
  const webs = { near: 'shared', killed: 'shared', far: 'far' }
  const begun = await Promise.all(
    CUT_OFF.map(async (name) => {
      const web = await start(webs[name], proxy.url)
      const caller = await makeCaller(100_000)
      return { name, web, caller }
    }),
  )
  const answers = begun.map(async ({ name, web, caller }) => {
    const tasks = await Promise.all([startTask(web, caller.key.key), startTask(web, caller.key.key)])
    const calls = ['one', 'two', 'three'].map((token) => query(web, caller.key.key, token))
    await pollUntil('every hold', async () => (await readOwnerMoney(caller.owner)).holds === 5)
    return { name, web, caller, tasks, calls: Promise.all(calls) }
  })
  const held = await Promise.all(answers)
  // A hold that is in the database may not have been confirmed to its process yet, and each call
  // then takes 5 s.
  await sleep(1_000)
  proxy.cut()
  for (const { name, caller, tasks, calls } of held) {
    cases[name] = { ...caller, answers: await calls, tasks, swept: [] }
  }
  await pollUntil('every outcome in a journal', () =>
    CUT_OFF.every((name) => cases[name].tasks.every((id) => journalsOf(webs[name]).some((text) => text.includes(id)))),
  )
  await held.find(({ name }) => name === 'killed')?.web.kill('SIGKILL')
  for (const name of CUT_OFF) {
    const { owner } = cases[name]
    await pollUntil('every hold to end', async () => (await readOwnerMoney(owner)).holds === 0)
    cases[name].swept = await receipts(owner.id)
  }
})

describe('calls of processes that were cut off for longer than their leases', () => {
  it('were answered with their charge', () => {
    for (const name of CUT_OFF)
      expect(cases[name].answers).toMatchObject(
        Array(3).fill({ status: 200, body: { service: { credits_charged: 3 } } }),
      )
  })

  it.each(['near', 'killed'] as const)('are charged from the journal of a shared folder before a sweep: %s', (name) => {
    expect(cases[name].swept.map(({ status }) => status)).toEqual(Array(5).fill('ok'))
  })

  it.each(['near', 'killed'] as const)('have the results of their tasks meanwhile: %s', async (name) => {
    const { key, tasks } = cases[name]
    for (const id of tasks) {
      expect(await task(key.key, id)).toMatchObject({
        status: 'completed',
        result: {
          structuredContent: { run: { status: 'SUCCEEDED' } },
          service: { credits_charged: expect.any(Number) },
        },
      })
    }
  })

  it('are charged when the link is back, also where they were swept: as their answers and tasks say', async () => {
    const { owner, key, tasks, swept } = cases.far
    expect(swept.map(({ status }) => status)).toEqual(Array(5).fill('expired'))
    const [failed = '', unread = ''] = tasks
    expect(await task(key.key, failed)).toMatchObject({ status: 'failed' })
    proxy.thaw()
    await pollUntil('the charges', async () => (await receipts(owner.id)).filter((r) => r.status === 'ok').length === 4)
    await pollUntil('the journal to be written', () => journalsOf('far').length === 0)
    const rows = await receipts(owner.id)
    expect(rows.find(({ id }) => id === failed)).toMatchObject({ status: 'expired', charged: 0 })
    expect(await task(key.key, failed)).toMatchObject({ status: 'failed' })
    const { charged } = rows.find(({ id }) => id === unread) ?? {}
    expect(charged).toBeGreaterThan(0)
    expect(await task(key.key, unread)).toMatchObject({
      status: 'completed',
      result: { service: { credits_charged: charged } },
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 9 + (charged ?? 0), held: 0 })
  })

  it.each(CUT_OFF)('replay their answers: %s', async (name) => {
    const { owner, key, answers } = cases[name]
    const before = await readOwnerMoney(owner)
    for (const [i, token] of ['one', 'two', 'three'].entries()) {
      expect(await query(living, key.key, token)).toEqual({ ...answers[i], replayed: 'true' })
    }
    expect(await readOwnerMoney(owner)).toEqual(before)
  })

  it('leave a ledger that agrees', async () => {
    expect(await findLedgerDifferences()).toEqual([])
  })
})
