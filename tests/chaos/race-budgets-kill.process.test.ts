import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getBudget } from '../../server/credits/budgets/change'
import type { BudgetInput } from '../../server/credits/budgets/shape'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { chargedTo, withSandbox } from '../support/api'
import { makeTestBudget } from '../support/budget'
import { makeCaller, makeKey, type TestOwner } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { withRestartableDatabase } from '../support/restartable-database'
import { startWebProcess, type WebProcess } from '../support/web-process'

const server = withRestartableDatabase()
withSandbox()
let webs: WebProcess[] = []

beforeAll(async () => {
  webs = await Promise.all([startWebProcess(), startWebProcess()])
})
afterAll(() => Promise.all(webs.map((web) => web.kill('SIGKILL'))))

const CALLS = 200
const TOOLS = [
  { tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } },
  { tool: 'web_search', params: { query: 'x' } },
  { tool: 'crypto_get_prices', params: { coinIds: ['sandbox-slow'] } },
]

type Answer = {
  status: number
  body: { service?: { credits_charged: number }; limitSource?: string; reserved?: number; limit?: { id: string } }
}

/** A call as an honest client makes it: sent again, with its key, until its outcome is known. */
async function callUntilKnown(key: string, n: number, repeats: { made: number }): Promise<Answer> {
  const idempotencyKey = randomUUID()
  const end = Date.now() + 150_000
  for (let attempt = 0; Date.now() < end; attempt++) {
    const answer = await fetch(`${webs[(n + attempt) % webs.length]?.url}/api/v1/query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(TOOLS[n % TOOLS.length]),
    })
      .then(async (res): Promise<Answer> => ({ status: res.status, body: (await res.json()) as Answer['body'] }))
      .catch(() => null)
    if (answer?.status === 200 || (answer?.status === 402 && answer.body.reserved === undefined)) return answer
    // Cut off, away, still in progress, or credits that calls in progress hold.
    expect([undefined, 402, 409, 429, 503]).toContain(answer?.status)
    repeats.made++
    await sleep(200 + Math.random() * 300)
  }
  throw new Error('the outcome of a call stayed unknown')
}

const make = (owner: TestOwner, name: string, input: Pick<BudgetInput, 'credits' | 'scope' | 'window'>) =>
  makeTestBudget(owner, { name, ...input })

/** The process that made holds is known to be dead: its lease need not be waited for. */
const expireHolder = (pid: number | undefined) =>
  mainPool().query(`UPDATE holder SET lease_until = now() - interval '1 second' WHERE about ->> 'pid' = $1`, [
    String(pid),
  ])

it('spends no limit beyond its end while a process is killed and PostgreSQL crashes, and clients and ledger agree', async () => {
  const { owner, key } = await makeCaller(400, {
    budget: 330,
    recurringBudget: { credits: 320, every: 'day' },
    tags: ['shop'],
    rpm: 100_000,
  })
  const other = await makeKey(owner, { tags: ['shop'], rpm: 100_000 })
  const budgets = await Promise.all([
    make(owner, 'all', { credits: 240, window: 'month', scope: {} }),
    make(owner, 'tagged', { credits: 235, window: 'lifetime', scope: { tags: ['shop'] } }),
    make(owner, 'one key', { credits: 125, window: 'week', scope: { keys: [key.id] } }),
    make(owner, 'crypto', { credits: 160, window: 'day', scope: { tools: ['crypto_*'] } }),
    make(owner, 'web', { credits: 60, window: 'day', scope: { tools: ['web_*'] } }),
    make(owner, 'tools', { credits: 230, window: 'month', scope: { products: ['tool'] } }),
  ])
  const repeats = { made: 0 }
  const calls = Array.from({ length: CALLS }, async (_, n) => {
    await sleep(n * 20)
    return callUntilKnown(n % 2 ? key.key : other.key, n >> 1, repeats)
  })
  await sleep(1_200)
  const [killed] = webs
  await killed?.kill('SIGKILL')
  webs = [await startWebProcess(), ...webs.slice(1)]
  const { rowCount } = await expireHolder(killed?.child.pid)
  expect(rowCount).toBe(1)
  await sleep(500)
  await server.stop('crash')
  await sleep(1_000)
  await server.start()

  const answers = await Promise.all(calls)
  expect(repeats.made).toBeGreaterThan(0)
  const refused = answers.filter(({ status }) => status === 402)
  expect(refused.length).toBeGreaterThan(0)
  for (const { body } of refused) expect(body.limitSource).toBe('budget')
  const used = await pollUntil('what calls held to be given back', async () => {
    const now = await Promise.all(budgets.map(({ id }) => getBudget(owner.id, id)))
    return now.every(({ held }) => held === 0) ? now : null
  })
  for (const { name, spent, credits } of used) expect(spent, name).toBeLessThanOrEqual(credits)
  const paid = answers.reduce(
    (sum, { status, body }) => sum + (status === 200 ? (body.service?.credits_charged ?? 0) : 0),
    0,
  )
  const charged = await chargedTo(owner)
  expect(charged).toBe(paid)
  const spent = Object.fromEntries(used.map((budget) => [budget.name, budget.spent]))
  expect(spent).toMatchObject({ all: charged, tagged: charged, tools: charged })
  expect((spent.crypto ?? 0) + (spent.web ?? 0)).toBe(charged)
  expect(await findLedgerDifferences()).toEqual([])
})
