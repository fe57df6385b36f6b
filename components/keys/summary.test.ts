import { expect, test } from 'vitest'
import { grantsNothing, type KeyFormGrants, summarizeGrants } from './summary'

const groups = [
  { label: 'Web', tools: [{ id: 'web_search' }, { id: 'web_read_url' }] },
  { label: 'Crypto', tools: [{ id: 'crypto_get_prices' }] },
]
const none: KeyFormGrants = {
  tools: [],
  llm: false,
  allowedModels: [],
  agent: false,
  agentRunBudgetCredits: 5000,
  capabilities: null,
  budget: null,
  recurringBudget: null,
  rpm: 60,
  expiresAt: null,
}

test('a key without restrictions is limited only by the balance', () => {
  const text = summarizeGrants({ ...none, tools: 'all', llm: true, agent: true }, groups)
  expect(text).toBe(
    'May call every tool, including tools added later; any model; agent runs of at most 5\u202f000 credits each. ' +
      'May spend as much as the balance allows, with 60 requests per minute.',
  )
})

test('a restricted key names its groups, budget and expiry', () => {
  const text = summarizeGrants(
    {
      ...none,
      tools: ['web_search', 'crypto_get_prices'],
      budget: 10_000,
      rpm: 1,
      expiresAt: '2027-03-01T00:00:00.000Z',
    },
    groups,
  )
  expect(text).toBe(
    'May call 2 Web and Crypto tools; no models; no agents. ' +
      'May spend at most 10\u202f000 credits in total, with 1 request per minute, until 2027-03-01.',
  )
})

test('a recurring budget is said alone and beside the lifetime budget, and days are those of the zone', () => {
  const monthly = { ...none, tools: 'all' as const, recurringBudget: { credits: 1_000, every: 'month' as const } }
  expect(summarizeGrants(monthly, groups)).toContain('May spend at most 1\u202f000 credits a month, with')
  const both = { ...monthly, budget: 10_000, expiresAt: '2027-03-02T07:59:59.000Z' }
  expect(summarizeGrants(both, groups, 'America/Los_Angeles')).toContain(
    'at most 10\u202f000 credits in total and 1\u202f000 a month, with 60 requests per minute, until 2027-03-01.',
  )
})

test('capability groups and selected models are counted', () => {
  const text = summarizeGrants(
    { ...none, llm: true, allowedModels: ['a/b'], agent: true, capabilities: ['web'] },
    groups,
  )
  expect(text).toContain(
    'no tools; 1 model; agent runs of at most 5\u202f000 credits each restricted to 1 capability group.',
  )
})

test('only a key without tools, models and agents grants nothing', () => {
  expect(grantsNothing(none)).toBe(true)
  expect(grantsNothing({ ...none, tools: 'all' })).toBe(false)
  expect(grantsNothing({ ...none, agent: true })).toBe(false)
})
