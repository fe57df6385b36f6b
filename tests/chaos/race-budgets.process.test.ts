import { afterAll, beforeAll, expect, it } from 'vitest'
import { getBudget } from '../../server/credits/budgets/change'
import type { BudgetInput } from '../../server/credits/budgets/shape'
import { findLedgerDifferences } from '../../server/credits/verify'
import { chargedTo, withSandbox } from '../support/api'
import { makeTestBudget } from '../support/budget'
import { joinSomebody, makeCaller, makeKeyBy, type TestOwner } from '../support/owners'
import { startWebProcess, type WebProcess } from '../support/web-process'

const sandbox = withSandbox()
let webs: WebProcess[] = []

beforeAll(async () => {
  webs = await Promise.all([startWebProcess(), startWebProcess()])
})
afterAll(() => Promise.all(webs.map((web) => web.kill('SIGKILL'))))

type Answer = { status: number; body: { code?: string; limitSource?: string; limit?: { id: string; name: string } } }

const TOOLS = [
  { tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } },
  { tool: 'web_search', params: { query: 'x' } },
]

async function call(web: WebProcess | undefined, key: string, n: number): Promise<Answer> {
  const res = await fetch(`${web?.url}/api/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(TOOLS[n % TOOLS.length]),
  })
  return { status: res.status, body: (await res.json()) as Answer['body'] }
}

const make = (owner: TestOwner, name: string, input: Pick<BudgetInput, 'credits' | 'scope' | 'window'>) =>
  makeTestBudget(owner, { name, ...input })

it('spends none of seven limits of different scopes beyond its end, over 200 calls at two processes', async () => {
  const { owner, key } = await makeCaller(400, {
    budget: 330,
    recurringBudget: { credits: 320, every: 'day' },
    tags: ['shop'],
  })
  const person = await joinSomebody(owner.id)
  const other = await makeKeyBy(owner, person, { tags: ['shop'] })
  const budgets = await Promise.all([
    make(owner, 'all', { credits: 310, window: 'month', scope: {} }),
    make(owner, 'tagged', { credits: 305, window: 'lifetime', scope: { tags: ['shop'] } }),
    make(owner, 'one key', { credits: 160, window: 'week', scope: { keys: [key.id] } }),
    make(owner, 'of a member', { credits: 150, window: 'month', scope: { members: [person] } }),
    make(owner, 'crypto', { credits: 100, window: 'day', scope: { tools: ['crypto_*'] } }),
    make(owner, 'web', { credits: 180, window: 'day', scope: { tools: ['web_*'] } }),
    make(owner, 'tools', { credits: 290, window: 'month', scope: { products: ['tool'] } }),
  ])
  const keys = [key.key, other.key]
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => call(webs[n % 2], keys[(n >> 1) % 2] ?? '', n >> 2)),
  )
  const refused = answers.filter(({ status }) => status === 402)
  expect(answers.filter(({ status }) => status === 200).length + refused.length).toBe(200)
  expect(refused.length).toBeGreaterThan(0)
  const names = new Set(budgets.map(({ name }) => name))
  for (const { body } of refused) {
    expect(body.limitSource).toBe('budget')
    expect(names.has(body.limit?.name ?? '')).toBe(true)
  }
  const charged = await chargedTo(owner)
  const used = await Promise.all(budgets.map(({ id }) => getBudget(owner.id, id)))
  for (const { name, spent, held, credits } of used) {
    expect(held, name).toBe(0)
    expect(spent, name).toBeLessThanOrEqual(credits)
  }
  const spent = Object.fromEntries(used.map((budget) => [budget.name, budget.spent]))
  expect(spent.all).toBe(charged)
  expect(spent.tagged).toBe(charged)
  expect(spent.tools).toBe(charged)
  expect((spent.crypto ?? 0) + (spent.web ?? 0)).toBe(charged)
  expect(await sandbox.calls()).toBe(answers.filter(({ status }) => status === 200).length)
  expect(await findLedgerDifferences()).toEqual([])
})
