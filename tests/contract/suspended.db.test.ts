import { describe, expect, it } from 'vitest'
import { suspendAccount } from '../../server/credits/suspension'
import { prisma } from '../../server/db'
import { callQuery, send, withSandbox } from '../support/api'
import { takeHold } from '../support/hold'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { makeCaller } from '../support/owners'
import { settleById } from '../support/settle'

withSandbox()
const prices = { coinIds: ['bitcoin'] }
const refusal = /^This account is suspended: unpaid invoice\. Contact the operator\.$/

describe('the keys of a suspended account', () => {
  it.each([
    [
      'a tool call',
      (key: string) => callQuery(key, 'crypto_get_prices', prices),
      (body: { error: string }) => body.error,
    ],
    ['GET /key', (key: string) => send('/api/v1/key', { key }), (body: { error: string }) => body.error],
    [
      'a chat completion',
      (key: string) => send('/api/v1/chat/completions', { key, body: { model: 'northwind/gale-4', messages: [] } }),
      (body: { error: { message: string } }) => body.error.message,
    ],
    [
      'an agent run',
      (key: string) => send('/api/v1/agent', { key, body: { goal: 'x', idempotencyKey: 'y' } }),
      (body: { error: string }) => body.error,
    ],
  ])('get 403 for %s, with the reason, uncharged', async (_name, call, textOf) => {
    const { owner, key } = await makeCaller(1_000, { llm: true, agent: true })
    await suspendAccount(prisma(), owner.id, 'unpaid invoice')
    const answer = await call(key.key)
    expect(answer.status).toBe(403)
    expect(textOf(answer.body as never)).toMatch(refusal)
    expect(answer.body).not.toHaveProperty('service')
    await expectUntouched(owner)
  })

  it('work again when the suspension ends', async () => {
    const { owner, key } = await makeCaller()
    await suspendAccount(prisma(), owner.id, 'unpaid invoice')
    await suspendAccount(prisma(), owner.id, null)
    expect(await callQuery(key.key, 'crypto_get_prices', prices)).toMatchObject({ status: 200 })
  })
})

describe('a suspended account', () => {
  it('takes no further hold, and is charged for what was in progress', async () => {
    const { owner, key } = await makeCaller()
    const id = await takeHold(owner, 30, { keyId: key.id })
    await suspendAccount(prisma(), owner.id, 'unpaid invoice')
    await expect(takeHold(owner, 1, { keyId: key.id })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(takeHold(owner, 1)).rejects.toThrow(refusal)
    await settleById({ id, actual: 12n, status: 'ok' })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 988, held: 0, charged: 12 })
  })

  it('leaves other accounts alone', async () => {
    const [one, two] = [await makeCaller(), await makeCaller()]
    await suspendAccount(prisma(), one.owner.id, 'unpaid invoice')
    const holds = await Promise.allSettled([one, two].map(({ owner, key }) => takeHold(owner, 1, { keyId: key.id })))
    expect(holds.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  })
})
