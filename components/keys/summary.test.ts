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
  rpm: 60,
  expiresAt: null,
}

test('a key for everything says so, and that the balance is its only limit', () => {
  const text = summarizeGrants({ ...none, tools: 'all', llm: true, agent: true }, groups)
  expect(text).toBe(
    'May call every tool, also those added later; any model; agent runs of at most 5\u202f000 credits each. ' +
      'Spends as much as the balance allows, with 60 requests a minute.',
  )
})

test('a confined key names the groups, the budget and the end', () => {
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
      'Spends at most 10\u202f000 credits in all, with 1 request a minute, until 2027-03-01.',
  )
})

test('capabilities and a set of models are counted', () => {
  const text = summarizeGrants(
    { ...none, llm: true, allowedModels: ['a/b'], agent: true, capabilities: ['web'] },
    groups,
  )
  expect(text).toContain(
    'no tools; 1 model; agent runs of at most 5\u202f000 credits each confined to 1 capability group.',
  )
})

test('a key without tools, models and agents is idle; with any of them it is not', () => {
  expect(grantsNothing(none)).toBe(true)
  expect(grantsNothing({ ...none, tools: 'all' })).toBe(false)
  expect(grantsNothing({ ...none, agent: true })).toBe(false)
})
