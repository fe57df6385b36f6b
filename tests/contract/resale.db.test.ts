import { expect, it } from 'vitest'
import { callQuery, send, withSandbox } from '../support/api'
import { makeManager } from '../support/management'

withSandbox()

type Refusal = { limitSource: string; limit: { name: string; resetsAt: string; cap: number; spent: number } }

it('each customer of 50 keys has 1,000 credits a month: one is refused by name, the other goes on', async () => {
  const { manage } = await makeManager({}, 100_000)
  const scope = { tags: ['shop'], customers: 'each' }
  const budget = { name: 'Customer a month', credits: 1_000, window: 'month', scope }
  const { status, body } = await manage('/budgets', { body: budget })
  expect([status, body.name]).toEqual([201, 'Customer a month'])
  // A script that declares its keys, and may run again.
  const declared = { tags: ['shop'], tools: 'all', namesCustomers: true, rpm: 10_000 }
  const declare = (n: number) => manage(`/keys/till-${n}`, { method: 'PUT', body: { ...declared, name: `Till ${n}` } })
  const made = await Promise.all(Array.from({ length: 50 }, (_, n) => declare(n)))
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
  expect((await declare(7)).status).toBe(200)
  const keys = made.map(({ body }) => String(body.key))
  expect(new Set(keys).size).toBe(50)

  const call = (customer: string, n: number) =>
    callQuery(
      keys[n % 50] ?? '',
      'property_details',
      { propertyId: String(100_000_000 + n), location: 'es' },
      { 'x-tollgate-customer': customer },
    )
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => call('acme', n)))
  const charged = answers.map(
    ({ body }) => (body.service as { credits_charged: number } | undefined)?.credits_charged ?? 0,
  )
  const sum = charged.reduce((total, credits) => total + credits, 0)
  expect(sum).toBeGreaterThan(1_000 - 135)
  expect(sum).toBeLessThanOrEqual(1_000)

  const refused = await call('acme', 41)
  expect(refused.status).toBe(402)
  const { limitSource, limit } = refused.body as Refusal
  expect({ limitSource, ...limit }).toMatchObject({
    limitSource: 'budget',
    name: 'Customer a month',
    cap: 1_000,
    spent: sum,
  })
  expect(Date.parse(limit.resetsAt)).toBeGreaterThan(Date.now())
  expect(refused.body.error).toContain('Customer a month')

  const other = await call('olbia', 42)
  expect(other.body.service).toMatchObject({ credits_charged: 135 })
  const { rows } = (await manage('/customers')).body as { rows: { name: string; spent: number }[] }
  expect(rows.map(({ name, spent }) => [name, spent]).sort()).toEqual([
    ['acme', sum],
    ['olbia', 135],
  ])
  const usage = await send('/api/v1/usage?customer=olbia', { key: keys[3] })
  expect(usage.body.rows).toMatchObject([{ customer: 'olbia', credits: { charged: 135 } }])
})
