import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitQueueTiming } from '../../server/credits/limit-queue'
import { mainPool } from '../../server/db'
import { availableTools } from '../../server/tools/registry'
import { closeChromium } from '../../server/tools/web/chromium'
import { callQuery, withSandbox } from '../support/api'
import { takeHold } from '../support/hold'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { makeCaller } from '../support/owners'
import { settleById } from '../support/settle'
import { exampleOf } from '../support/tool'

const sandbox = withSandbox()
afterAll(closeChromium)

const { maxWaitMs } = limitQueueTiming
// What is held here is never freed: to wait for it shows nothing.
beforeAll(() => {
  limitQueueTiming.maxWaitMs = 50
})
afterAll(() => {
  limitQueueTiming.maxWaitMs = maxWaitMs
})

const fixed = availableTools().flatMap(({ id, pricing }) =>
  pricing.kind === 'fixed' ? [{ id, price: pricing.credits }] : [],
)
const metered = availableTools().flatMap(({ id, pricing }) => (pricing.kind === 'metered' ? [{ id }] : []))

describe.each(fixed)('$id', ({ id, price }) => {
  test(`charges ${price} for a success, once`, async () => {
    const { owner, key } = await makeCaller(1_000)
    const { status, body, headers } = await callQuery(key.key, id, exampleOf(id))
    expect([status, body.service]).toEqual([200, { credits_charged: price }])
    expect(await readOwnerMoney(owner)).toEqual({
      available: 1_000 - price,
      held: 0,
      charged: price,
      receipts: 1,
      holds: 0,
    })
    const requestId = headers.get('x-request-id')
    expect(await settleById({ id: requestId ?? '', actual: 500n, status: 'ok' })).toMatchObject({
      charged: BigInt(price),
    })
    const { rows } = await mainPool().query('SELECT amount::int FROM ledger WHERE hold_id = $1', [requestId])
    expect(rows).toEqual([{ amount: -price }])
  })

  test('can be paid with exactly its price, and not with one credit less', async () => {
    const poor = await makeCaller(price - 1)
    expect(await callQuery(poor.key.key, id, exampleOf(id))).toMatchObject({
      status: 402,
      body: { limitSource: 'balance' },
    })
    const just = await makeCaller(1_000, { budget: price })
    expect(await callQuery(just.key.key, id, exampleOf(id))).toMatchObject({ status: 200 })
    expect(await callQuery(just.key.key, id, exampleOf(id))).toMatchObject({
      status: 402,
      body: { limitSource: 'key_budget' },
    })
    expect(await readOwnerMoney(just.owner)).toMatchObject({ charged: price })
  })
})

test.each(metered)('$id charges what it says it charged, once', async ({ id }) => {
  const { owner, key } = await makeCaller(1_000_000)
  const { status, body } = await callQuery(key.key, id, exampleOf(id))
  expect(status).toBe(200)
  const { credits_charged } = body.service as { credits_charged: number }
  expect(await readOwnerMoney(owner)).toMatchObject({
    available: 1_000_000 - credits_charged,
    held: 0,
    charged: credits_charged,
    receipts: 1,
  })
})

describe.each(availableTools().map(({ id }) => ({ id })))('$id, refused,', ({ id }) => {
  test.each([
    ['for a parameter nobody knows', 400, {}, { nobodyKnowsThis: 1 }],
    ['for want of a grant', 403, { tools: [] }, {}],
  ])('%s asks nothing of anyone and charges nothing', async (_name, status, settings, extra) => {
    const { owner, key } = await makeCaller(1_000, settings)
    const answer = await callQuery(key.key, id, { ...exampleOf(id), ...extra })
    expect(answer.status).toBe(status)
    expect(answer.body).not.toHaveProperty('service')
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner)
  })

  test('for want of credits asks nothing of anyone and charges nothing', async () => {
    const { owner, key } = await makeCaller(5_000)
    await takeHold(owner, 5_000)
    const answer = await callQuery(key.key, id, exampleOf(id))
    expect(answer.status).toBe(402)
    expect(answer.body).not.toHaveProperty('service')
    expect(await sandbox.calls()).toBe(0)
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 5_000, charged: 0, receipts: 0, holds: 1 })
  })
})
