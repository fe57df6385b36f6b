import { describe, expect, test } from 'vitest'
import { enterKey as authenticate } from '../../tests/support/enter-key'
import { takeHold } from '../../tests/support/hold'
import { makeCaller } from '../../tests/support/owners'
import { settleById } from '../../tests/support/settle'
import { changeKey } from './change'
import { getKey } from './list'
import { revokeKey } from './revoke'
import type { KeyChanges } from './shape'

describe('a change of a key', () => {
  test('leaves what it does not name', async () => {
    const { owner, key } = await makeCaller(100, { llm: true, budget: 50, tags: ['ci'] })
    const { key: _secret, lastUsedAt: _never, ...before } = key
    const after = await changeKey(owner.id, key.id, { name: 'nightly', rpm: 7, tags: ['ci', 'nightly'] })
    expect(after).toMatchObject({ ...before, name: 'nightly', rpm: 7, tags: ['ci', 'nightly'] })
  })

  test('holds from the next request on, of what it may call too', async () => {
    const { owner, key } = await makeCaller(100, { llm: true, agent: true })
    expect((await authenticate(key.key)).grants).toMatchObject({ tools: 'all', llm: true, agent: true })
    const changes: KeyChanges = {
      tools: ['web_search'],
      llm: false,
      rpm: 3,
      agentRunBudgetCredits: 300,
      capabilities: ['web'],
    }
    await changeKey(owner.id, key.id, changes)
    expect(await authenticate(key.key)).toMatchObject({
      grants: {
        tools: new Set(['web_search']),
        llm: false,
        agent: true,
        agentRunBudgetCredits: 300n,
        capabilities: ['web'],
      },
      rate: { limit: 3, remaining: 1 },
    })
    await changeKey(owner.id, key.id, { expiresAt: new Date(Date.now() + 200).toISOString() })
    await expect.poll(() => authenticate(key.key).catch(({ message }) => message)).toMatch(/expired/)
  })

  test.each<[string, Parameters<typeof makeCaller>[1], KeyChanges]>([
    ['tools', { tools: ['web_search'] }, { tools: ['web_search', 'web_read_url'] }],
    ['tools', { tools: ['web_search'] }, { tools: 'all' }],
    ['llm', {}, { llm: true }],
    ['agent', {}, { agent: true }],
    ['allowedModels', { llm: true, allowedModels: ['northwind/gale-4'] }, { allowedModels: [] }],
    ['capabilities', { agent: true, capabilities: ['web'] }, { capabilities: null }],
    ['capabilities', { agent: true, capabilities: ['web'] }, { capabilities: ['web', 'crypto'] }],
    ['capabilities', { agent: true }, { capabilities: [] }],
  ])('that widens %s is refused', async (field, settings, changes) => {
    const { owner, key } = await makeCaller(100, settings)
    const before = await getKey(owner.id, key.id)
    await expect(changeKey(owner.id, key.id, changes)).rejects.toMatchObject({
      code: 'invalid_request',
      detail: { issues: [{ path: field }] },
    })
    expect(await getKey(owner.id, key.id)).toEqual(before)
  })

  test('to a budget below what is spent and held is refused, and at it accepted', async () => {
    const { owner, key } = await makeCaller(100, { budget: 50 })
    await settleById({ id: await takeHold(owner, 10, { keyId: key.id }), actual: 10n, status: 'ok' })
    await takeHold(owner, 5, { keyId: key.id })
    await expect(changeKey(owner.id, key.id, { budget: 14 })).rejects.toMatchObject({
      code: 'invalid_request',
      detail: { issues: [{ path: 'budget', message: expect.stringMatching(/at least 15/) }] },
    })
    expect(await changeKey(owner.id, key.id, { budget: 15 })).toMatchObject({ budget: 15, remaining: 0 })
    expect(await changeKey(owner.id, key.id, { budget: null })).toMatchObject({ budget: null, remaining: null })
  })

  test.each([{ name: '' }, { rpm: 0 }, { budget: 0 }, { expiresAt: '2001-01-01T00:00:00Z' }, { spent: 3 }])(
    '%j is refused',
    async (changes) => {
      const { owner, key } = await makeCaller()
      await expect(changeKey(owner.id, key.id, changes as KeyChanges)).rejects.toMatchObject({
        code: 'invalid_request',
      })
    },
  )

  test('is refused once the key is revoked', async () => {
    const { owner, key } = await makeCaller()
    await revokeKey(owner.id, key.id)
    await expect(changeKey(owner.id, key.id, { name: 'x' })).rejects.toMatchObject({ code: 'conflict' })
  })

  test('does not wait for calls in progress, nor they for it', async () => {
    const { owner, key } = await makeCaller(100, { budget: 90 })
    const calls = Array.from({ length: 30 }, () => takeHold(owner, 3, { keyId: key.id }))
    await Promise.all([...calls, changeKey(owner.id, key.id, { rpm: 9 }), changeKey(owner.id, key.id, { budget: 95 })])
    expect(await getKey(owner.id, key.id)).toMatchObject({ rpm: 9, budget: 95, held: 90 })
  })
})
