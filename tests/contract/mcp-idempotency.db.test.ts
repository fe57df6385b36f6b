import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { progressTiming } from '../../server/http/mcp/progress'
import { callQuery, withSandbox } from '../support/api'
import { readOwnerMoney } from '../support/ledger'
import { MCP_REVISIONS, mcpFailureOf, mcpResultOf, sendRpc } from '../support/mcp'
import { makeCaller } from '../support/owners'

const sandbox = withSandbox()
const { everyMs } = progressTiming
beforeAll(() => {
  progressTiming.everyMs = 100
})
afterAll(() => {
  progressTiming.everyMs = everyMs
})

const prices = (coinId = 'bitcoin', more: object = {}) => ({
  name: 'crypto_get_prices',
  arguments: { coinIds: [coinId] },
  ...more,
})
const keyed = (call: object, token: unknown = 'a', meta: object = {}) => ({
  method: 'tools/call',
  params: { ...call, _meta: { 'tollgate/idempotencyKey': token, ...meta } },
})

describe.each(MCP_REVISIONS)('tollgate/idempotencyKey in %s', (_era, ask) => {
  it('replays the result under another id, marked, with no second charge or call', async () => {
    const { owner, key } = await makeCaller()
    const first = mcpResultOf(await ask(key.key, { id: 1, ...keyed(prices()) }))
    const answer = await ask(key.key, { id: 'two', ...keyed({ ...prices(), arguments: { coinIds: ['bitcoin'] } }) })
    const again = mcpResultOf(answer)
    expect(first._meta).not.toHaveProperty('tollgate/idempotentReplayed')
    expect(again).toMatchObject({
      content: first.content,
      structuredContent: first.structuredContent,
      service: { credits_charged: 3 },
      _meta: { 'tollgate/idempotentReplayed': true, 'tollgate/service': { credits_charged: 3 } },
    })
    expect(answer.headers.get('idempotent-replayed')).toBe('true')
    expect(await sandbox.calls()).toBe(1)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, receipts: 1, held: 0 })
  })

  it('is a conflict while the first is in progress, and a mismatch with other arguments or over REST', async () => {
    const { owner, key } = await makeCaller()
    const first = ask(key.key, keyed(prices('sandbox-slow')))
    await expect.poll(sandbox.calls).toBe(1)
    const second = await ask(key.key, keyed(prices('sandbox-slow')))
    expect(second.status).toBe(200)
    expect(mcpFailureOf(second)).toMatchObject({ code: 'conflict' })
    expect(mcpResultOf(second)).not.toHaveProperty('service')
    await sandbox.hurry()
    expect(mcpResultOf(await first)).toHaveProperty('structuredContent')
    expect(mcpFailureOf(await ask(key.key, keyed(prices('ethereum'))))).toMatchObject({ code: 'idempotency_mismatch' })
    const rest = await callQuery(key.key, 'crypto_get_prices', prices('sandbox-slow').arguments, {
      'idempotency-key': 'a',
    })
    expect(rest.status).toBe(422)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, receipts: 1 })
  })

  it('replays a charged failure; a refusal leaves it free', async () => {
    const { owner, key } = await makeCaller()
    const failing = keyed(prices('sandbox-html'))
    const first = await ask(key.key, failing)
    const again = await ask(key.key, failing)
    expect(mcpFailureOf(again)).toEqual(mcpFailureOf(first))
    expect(mcpResultOf(again)).toMatchObject({ isError: true, service: { credits_charged: 3 } })
    expect(mcpResultOf(again)._meta).toMatchObject({ 'tollgate/idempotentReplayed': true })
    expect(await sandbox.calls()).toBe(1)
    const wrong = await ask(key.key, keyed(prices('bitcoin', { arguments: {} }), 'b'))
    expect(mcpFailureOf(wrong)).toMatchObject({ code: 'invalid_request' })
    expect(mcpResultOf(await ask(key.key, keyed(prices(), 'b')))).toHaveProperty('structuredContent')
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 6, receipts: 2 })
  })

  it.each([[''], ['a b'], [7], [null]])('is an invalid request as %j', async (token) => {
    const { owner, key } = await makeCaller()
    expect(mcpFailureOf(await ask(key.key, keyed(prices(), token)))).toMatchObject({ code: 'invalid_request' })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, receipts: 0 })
  })

  it('works for a call whose progress is read, however its token differs', async () => {
    const { owner, key } = await makeCaller()
    const first = await ask(key.key, keyed(prices('sandbox-slow'), 'a', { progressToken: 1 }))
    const again = await ask(key.key, keyed(prices('sandbox-slow'), 'a', { progressToken: 2 }))
    for (const { text } of [first, again]) expect(text).toContain('"service":{"credits_charged":3}')
    expect(first.text).toContain('notifications/progress')
    expect(first.text).not.toContain('tollgate/idempotentReplayed')
    expect(again.text).toContain('"tollgate/idempotentReplayed":true')
    expect(await sandbox.calls()).toBe(1)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, receipts: 1 })
  })
})

it('is of each call in a batch', async () => {
  const { owner, key } = await makeCaller()
  const batch = [
    { id: 1, ...keyed(prices(), 'a') },
    { id: 2, ...keyed(prices('ethereum'), 'b') },
  ]
  await sendRpc(key.key, batch)
  const again = await sendRpc(key.key, batch)
  const results = (again.body as unknown as { result: { _meta: object } }[]).map(({ result }) => result._meta)
  for (const meta of results) expect(meta).toMatchObject({ 'tollgate/idempotentReplayed': true })
  expect(results).toHaveLength(2)
  expect(await readOwnerMoney(owner)).toMatchObject({ charged: 6, receipts: 2 })
})
