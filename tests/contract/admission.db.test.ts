import { expect, it, vi } from 'vitest'
import { suspendAccount } from '../../server/credits/suspension'
import { hotPool, mainPool, prisma } from '../../server/db'
import { changeKey } from '../../server/keys/change'
import { revokeKey } from '../../server/keys/revoke'
import { callQuery, send, withSandbox } from '../support/api'
import { CHAT_MODEL } from '../support/chat'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { makeCaller } from '../support/owners'

// A key that this process has let in is authenticated together with the hold of its next request.
// Whatever has changed since must show in that request, and it must be counted once.

const sandbox = withSandbox()
const TOOL = 'crypto_get_prices'
const prices = { coinIds: ['bitcoin'] }

/** A caller whose key this process knows: it was let in once, by a request that cost nothing. */
async function makeKnownCaller(...given: Parameters<typeof makeCaller>) {
  const caller = await makeCaller(...given)
  expect(await callQuery(caller.key.key, 'none')).toMatchObject({ status: 400, body: { code: 'unknown_tool' } })
  return caller
}

type Caller = Awaited<ReturnType<typeof makeCaller>>

const expire = (id: number) =>
  mainPool().query(`UPDATE "key" SET expires_at = now() - interval '1 second' WHERE id = $1`, [id])

const countOf = async (keyId: number): Promise<number> => {
  const { rows } = await mainPool().query('SELECT count FROM rate_window WHERE id = $1', [`key:${keyId}`])
  return rows[0]?.count ?? 0
}

it('counts each request once: with its hold, without one, and refused before it', async () => {
  const { owner, key } = await makeKnownCaller()
  expect(await countOf(key.id)).toBe(1)
  const answer = await callQuery(key.key, TOOL, prices)
  expect(answer).toMatchObject({ status: 200, body: { service: { credits_charged: 3 } } })
  expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('9998')
  expect(await countOf(key.id)).toBe(2)
  expect(await callQuery(key.key, TOOL, { coinIds: [] })).toMatchObject({ status: 400 })
  expect(await callQuery(key.key, 'none')).toMatchObject({ status: 400 })
  expect(await countOf(key.id)).toBe(4)
  expect(await readOwnerMoney(owner)).toEqual({ available: 997, held: 0, charged: 3, receipts: 1, holds: 0 })
})

it.each([
  ['a revoked key', 401, ({ owner, key }: Caller) => revokeKey(owner.id, key.id)],
  ['an expired key', 401, ({ key }: Caller) => expire(key.id)],
  ['a suspended account', 403, ({ owner }: Caller) => suspendAccount(prisma(), owner.id, 'Unpaid.')],
] as const)('%s is refused at once, whatever else is wrong with the request', async (_name, status, change) => {
  const caller = await makeKnownCaller()
  const calls = await sandbox.calls()
  await change(caller)
  expect(await callQuery(caller.key.key, TOOL, prices)).toMatchObject({ status })
  expect(await callQuery(caller.key.key, 'none')).toMatchObject({ status })
  expect(await sandbox.calls()).toBe(calls)
  await expectUntouched(caller.owner)
})

it('a key whose minute is used up is refused, also where the request is wrong', async () => {
  const { owner, key } = await makeKnownCaller(1_000, { rpm: 2 })
  expect(await callQuery(key.key, TOOL, prices)).toMatchObject({ status: 200 })
  for (const tool of [TOOL, 'none', TOOL]) {
    const refused = await callQuery(key.key, tool, prices)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  }
  expect(await countOf(key.id)).toBe(2)
  expect(await readOwnerMoney(owner)).toEqual({ available: 997, held: 0, charged: 3, receipts: 1, holds: 0 })
})

it('grants that have changed hold from the next request on, which is counted once', async () => {
  const { owner, key } = await makeKnownCaller(1_000, { llm: true })
  await changeKey(owner.id, key.id, { tools: ['web_search'] })
  expect(await callQuery(key.key, TOOL, prices)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(await countOf(key.id)).toBe(2)
  const answer = await callQuery(key.key, 'web_search', { query: 'x' })
  expect(answer).toMatchObject({ status: 200 })
  expect(await countOf(key.id)).toBe(3)
  expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, receipts: 1, holds: 0 })
  await changeKey(owner.id, key.id, { llm: false })
  const chat = { model: CHAT_MODEL, messages: [{ role: 'user', content: 'Hi' }] }
  expect(await send('/api/v1/chat/completions', { key: key.key, body: chat })).toMatchObject({ status: 403 })
  expect(await countOf(key.id)).toBe(4)
})

it('a call that changed grants still allow is made once, by the same request', async () => {
  const { owner, key } = await makeKnownCaller()
  const calls = await sandbox.calls()
  await changeKey(owner.id, key.id, { tools: [TOOL] })
  expect(await callQuery(key.key, TOOL, prices)).toMatchObject({ status: 200 })
  expect(await sandbox.calls()).toBe(calls + 1)
  expect(await countOf(key.id)).toBe(2)
  expect(await readOwnerMoney(owner)).toEqual({ available: 997, held: 0, charged: 3, receipts: 1, holds: 0 })
})

it('asks the ledger twice for a call: the key with its hold, and the charge', async () => {
  const { key } = await makeKnownCaller()
  const query = vi.spyOn(hotPool(), 'query')
  expect(await callQuery(key.key, TOOL, prices)).toMatchObject({ status: 200 })
  const sent = query.mock.calls.map(([config]) => (config as unknown as { name: string }).name)
  query.mockRestore()
  expect(sent).toEqual(['credits_batch', 'credits_batch'])
})

it('of many requests at once as many are let in as the minute allows, and each is charged once', async () => {
  const { owner, key } = await makeKnownCaller(1_000, { rpm: 21 })
  const answers = await Promise.all(Array.from({ length: 60 }, () => callQuery(key.key, TOOL, prices)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(40)
  expect(await readOwnerMoney(owner)).toEqual({ available: 940, held: 0, charged: 60, receipts: 20, holds: 0 })
})
