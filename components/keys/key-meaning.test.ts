import { expect, test } from 'vitest'
import { DEFAULT_KEY_VALUES, type KeyFormValues, keyFormGrants } from './form-values'
import { keyMeaning, type NamedClient } from './key-meaning'

const model = (id: string, kind: 'chat' | 'embedding' = 'chat') => ({
  ...{ id, kind, name: `Model ${id}`, provider: 'p', creditsPer1mOutput: 1 },
})
const options = {
  groups: [
    { label: 'Web', tools: [{ id: 'web_search' }, { id: 'web_read_url' }] },
    { label: 'Crypto', tools: [{ id: 'crypto_get_prices' }] },
  ],
  models: [model('a/b'), model('a/c'), model('a/d'), model('a/e'), model('a/f', 'embedding')],
  capabilities: [{}, {}, {}],
}
const clients: NamedClient[] = [
  { label: 'Claude Code', needs: ['chat', 'tools'] },
  { label: 'OpenAI SDK', needs: ['chat', 'embedding'] },
  { label: 'VS Code', needs: ['tools'] },
]

const meaning = (values: Partial<KeyFormValues>, timeZone = 'UTC') =>
  Object.fromEntries(
    keyMeaning(keyFormGrants({ ...DEFAULT_KEY_VALUES, ...values }, { timeZone }), {
      ...{ options, clients, timeZone, creditsPerUsd: 1_000 },
    }),
  )

test('a key without restrictions is limited only by the balance', () => {
  expect(meaning({ llm: true, agent: true })).toEqual({
    Tools: 'All 3, and those that are added later',
    Models: 'All 5, and those that are added later',
    'Agent runs': 'At most 5\u202f000 credits each',
    MCP: 'MCP clients see the same tools',
    Spends: 'As much as the balance allows',
    Requests: '60 a minute',
    'Works until': 'It is revoked',
    Recipes: 'Claude Code, OpenAI SDK, VS Code',
  })
})

test('what is chosen is counted, and the first of it named', () => {
  const text = meaning({
    ...{ toolMode: 'some', tools: ['web_search', 'crypto_get_prices'], llm: true, modelMode: 'some' },
    allowedModels: ['a/b', 'a/c', 'a/d', 'a/e'],
    ...{ agent: true, confined: true, capabilities: ['web'], rpm: '1200' },
  })
  expect(text).toMatchObject({
    Tools: '2 of 3: Web, Crypto',
    Models: '4 of 5: Model a/b, Model a/c, Model a/d and 1 more',
    'Agent runs': 'At most 5\u202f000 credits each, with 1 of 3 capability groups',
    Requests: '1\u202f200 a minute',
  })
})

test('limits have their worth, and days are those of the zone', () => {
  const text = meaning(
    { limited: true, budget: '10000', recurring: true, recurringCredits: '1', expiry: 'day', expiryDay: '2027-03-01' },
    'America/Los_Angeles',
  )
  expect(text.Spends).toBe('At most 1 credit a month, ≈ $0.001\nAt most 10\u202f000 credits in total, ≈ $10.00')
  expect(text['Works until']).toBe('The end of 2027-03-01')
})

test('recipes are those that work with what the key may call', () => {
  expect(meaning({}).Recipes).toBe('Claude Code, VS Code')
  expect(meaning({ toolMode: 'none', llm: true, modelMode: 'some', allowedModels: ['a/f'] })).toMatchObject({
    Recipes: 'OpenAI SDK',
    MCP: 'MCP clients see no tools',
  })
  expect(meaning({ toolMode: 'none', agent: true })).toMatchObject({ Models: 'None', Recipes: 'Calls over REST alone' })
})
