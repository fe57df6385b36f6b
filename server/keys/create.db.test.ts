import { describe, expect, test } from 'vitest'
import { makeOwner } from '../../tests/support/owners'
import { prisma } from '../db'
import { createKey } from './create'
import { hashSecret, isWellFormedSecret } from './secret'
import type { NewKey } from './shape'

const known = { tools: ['a', 'b'], models: ['v/m'], capabilities: ['web', 'crypto'] }
const make = async (settings: Partial<NewKey> = {}) =>
  createKey((await makeOwner()).id, { name: 'k', ...settings }, known)

describe('a new key', () => {
  test('may call every tool and nothing else by default', async () => {
    expect(await make()).toMatchObject({
      state: 'active',
      tools: 'all',
      llm: false,
      agent: false,
      allowedModels: [],
      agentRunBudgetCredits: 5_000,
      capabilities: null,
      budget: null,
      spent: 0,
      held: 0,
      remaining: null,
      rpm: 60,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      rotation: null,
    })
  })

  test('has every setting it was given, each name once', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const key = await make({
      name: '  spaced  ',
      tools: ['b', 'a', 'b'],
      llm: true,
      allowedModels: ['v/m', 'v/m'],
      agent: true,
      agentRunBudgetCredits: 100,
      capabilities: ['web', 'web'],
      budget: 1,
      rpm: 1,
      expiresAt,
    })
    expect(key).toMatchObject({
      name: 'spaced',
      tools: ['b', 'a'],
      llm: true,
      allowedModels: ['v/m'],
      agent: true,
      agentRunBudgetCredits: 100,
      capabilities: ['web'],
      budget: 1,
      remaining: 1,
      rpm: 1,
      expiresAt,
    })
  })

  test('shows its secret, of which only the hash and the last four characters are kept', async () => {
    const { id, key, last4 } = await make()
    expect(isWellFormedSecret(key)).toBe(true)
    expect(last4).toBe(key.slice(-4))
    const rows = await prisma().keySecret.findMany({ where: { keyId: id } })
    expect(rows.map((r) => Buffer.from(r.hash))).toEqual([hashSecret(key)])
    const stored = await prisma().key.findUniqueOrThrow({ where: { id } })
    expect(JSON.stringify(stored, (_, v) => (typeof v === 'bigint' ? String(v) : v))).not.toContain(key.slice(3, 20))
  })
})

describe('refused is', () => {
  test.each([
    ['an unknown tool', { tools: ['a', 'nope'] }, 'tools'],
    ['a tool called all', { tools: ['all'] }, 'tools'],
    ['an unknown model', { allowedModels: ['v/x'] }, 'allowedModels'],
    ['an unknown capability', { capabilities: ['webs'] }, 'capabilities'],
    ['no capability at all', { capabilities: [] }, 'capabilities'],
    ['no name', { name: '  ' }, 'name'],
    ['a name with NUL', { name: 'a\0b' }, 'name'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
    ['half a pair', { name: '\ud800' }, 'name'],
    ['a name nobody sees', { name: '\u200b\u2060' }, 'name'],
    ['a long name', { name: 'x'.repeat(81) }, 'name'],
    ['a budget of nothing', { budget: 0 }, 'budget'],
    ['half a credit', { budget: 1.5 }, 'budget'],
    ['a budget beyond counting', { budget: 2e15 }, 'budget'],
    ['a rate of nothing', { rpm: 0 }, 'rpm'],
    ['an agent budget below the least a run needs', { agentRunBudgetCredits: 99 }, 'agentRunBudgetCredits'],
    ['a day in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['a time without its zone', { expiresAt: '2999-01-01T00:00:00' }, 'expiresAt'],
    ['a setting nobody knows', { spent: 5 }, ''],
  ] as const)('%s', async (_name, settings, path) => {
    const owner = await makeOwner()
    const error = await createKey(owner.id, { name: 'k', ...(settings as Partial<NewKey>) }, known).catch((e) => e)
    expect(error).toMatchObject({
      code: 'invalid_request',
      detail: { issues: [{ path: expect.stringContaining(path) }] },
    })
    expect(await prisma().key.count({ where: { ownerId: owner.id } })).toBe(0)
  })

  test('reports every unknown name', async () => {
    const error = await make({ tools: ['x', 'y'], allowedModels: ['z'] }).catch((e) => e)
    expect(error.detail.issues.map((i: { message: string }) => i.message.match(/"(\w)"/)?.[1])).toEqual(['x', 'y', 'z'])
  })
})
