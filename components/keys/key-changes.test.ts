import { describe, expect, test } from 'vitest'
import { KeyChanges, type KeyView } from '@/server/keys/shape'
import { type KeyFormValues, valuesLikeKey, valuesOfKey } from './form-values'
import { changesOfKey, describeKeyChanges } from './key-changes'
import { parseKeyForm } from './parse-key-form'

const key: KeyView = {
  id: 7,
  name: 'nightly',
  last4: 'abcd',
  state: 'active',
  tools: ['web_search', 'web_read_url', 'crypto_get_prices'],
  llm: true,
  strict: false,
  responseDays: null,
  allowedModels: ['a/one', 'a/two'],
  agent: true,
  agentRunBudgetCredits: 5_000,
  capabilities: ['web', 'crypto'],
  budget: 10_000,
  spent: 10,
  held: 0,
  remaining: 9_990,
  recurringBudget: {
    credits: 10_000,
    every: 'month',
    spent: 10,
    held: 0,
    remaining: 9_990,
    resetsAt: '2126-12-01T00:00:00.000Z',
  },
  tags: ['ci'],
  customer: null,
  madeBy: null,
  namesCustomers: false,
  rpm: 60,
  expiresAt: '2126-11-22T22:59:59.000Z',
  revokedAt: null,
  lastUsedAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  rotation: null,
  management: null,
  externalId: null,
}
const options = {
  groups: [{ id: 'web', label: 'Web', tools: [] }],
  capabilities: [
    { id: 'web', label: 'Web' },
    { id: 'crypto', label: 'Crypto' },
  ],
}
const place = { timeZone: 'Europe/Berlin', keptExpiry: key.expiresAt }

function changesFor(values: Partial<KeyFormValues>, of = key): KeyChanges {
  const parsed = parseKeyForm({ ...valuesOfKey(of), ...values }, { ...place, keptExpiry: of.expiresAt })
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors))
  return changesOfKey(of, parsed.key)
}

const linesFor = (values: Partial<KeyFormValues>) =>
  describeKeyChanges(key, changesFor(values), { options, timeZone: place.timeZone }).map(
    ({ what, from, to, narrows }) => `${what} ${from} → ${to}${narrows ? ', narrower' : ''}`,
  )

describe('the form of a key that exists', () => {
  test.each<[string, Partial<KeyView>]>([
    ['with everything', {}],
    ['with nothing', { tools: 'all', llm: false, allowedModels: [], agent: false, capabilities: null, tags: [] }],
    ['without budgets', { budget: null, recurringBudget: null, expiresAt: null }],
    ['with models it may not use', { llm: false, agent: false }],
  ])('changes nothing of a key %s until something is typed', (_name, of) => {
    expect(changesFor({}, { ...key, ...of })).toEqual({})
  })

  test('names only what is different, in any order', () => {
    expect(changesFor({ tools: ['crypto_get_prices', 'web_read_url', 'web_search'] })).toEqual({})
    expect(changesFor({ rpm: '30', budget: '5 000' })).toEqual({ rpm: 30, budget: 5_000 })
    expect(changesFor({ limited: false, recurring: false, expiry: 'never' })).toEqual({
      budget: null,
      recurringBudget: null,
      expiresAt: null,
    })
  })

  test('leaves the models and groups of a scope that the key loses', () => {
    expect(changesFor({ llm: false, agent: false })).toEqual({ llm: false, agent: false })
  })

  test('makes changes that the service accepts', () => {
    const all = changesFor({
      name: 'daily',
      tags: 'ci, night',
      toolMode: 'none',
      allowedModels: ['a/one'],
      capabilities: ['web'],
      agentRunBudgetCredits: '100',
      every: 'week',
      expiry: '30',
    })
    expect(Object.keys(KeyChanges.parse(all)).sort()).toEqual(Object.keys(all).sort())
    expect(Object.keys(all)).toHaveLength(8)
  })
})

describe('the summary of changes', () => {
  test('says each as it was and as it will be', () => {
    expect(linesFor({ recurringCredits: '5000', limited: false, tags: '' })).toEqual([
      'Tags ci → none',
      'Lifetime budget 10\u202f000 credits → none',
      'Recurring budget 10\u202f000 credits a month → 5\u202f000 credits a month',
    ])
    expect(linesFor({ name: 'daily', rpm: '1', expiry: 'never' })).toEqual([
      'Name “nightly” → “daily”',
      'Requests per minute 60 → 1',
      'Expires 2126-11-22 23:59:59 CET → never',
    ])
  })

  test('marks what cannot be undone', () => {
    expect(linesFor({ tools: ['web_search'], llm: false, capabilities: ['web'] })).toEqual([
      'Tools 3 tools → 1 tool, narrower',
      'Models 2 models → no models, narrower',
      'Capability groups Web, Crypto → Web, narrower',
    ])
    expect(linesFor({ agent: false })).toEqual(['Agents allowed → none, narrower'])
  })
})

test('a new key like another has its settings, and its last day if that is to come', () => {
  expect(valuesLikeKey(key, 'Europe/Berlin')).toMatchObject({ expiry: 'day', expiryDay: '2126-11-22', budget: '10000' })
  expect(valuesLikeKey({ ...key, expiresAt: '2026-01-01T00:00:00.000Z' }, 'UTC')).toMatchObject({ expiry: 'never' })
})
