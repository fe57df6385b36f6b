import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startSandboxServer } from '../../sandbox/start'
import { cryptoPriceHistory } from './crypto_price_history'

let sandbox: Awaited<ReturnType<typeof startSandboxServer>>

beforeAll(async () => {
  sandbox = await startSandboxServer({ port: 0 })
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/none')
  vi.stubEnv('AUTH_SECRET', 'a'.repeat(32))
  vi.stubEnv('UPSTREAMS', 'sandbox')
  vi.stubEnv('SANDBOX_URL', sandbox.url)
})
afterAll(() => sandbox.stop())

type History = { coinId: string; rows: { pricedAt: string; price: number; marketCap: number; volume24h: number }[] }

async function history(params: object): Promise<History> {
  const context = { signal: AbortSignal.timeout(60_000), onSent: () => {}, spent: () => {}, ownerId: 1 }
  const result = await cryptoPriceHistory.run(cryptoPriceHistory.params.parse(params) as never, context)
  expect(cryptoPriceHistory.output.parse(result)).toEqual(result)
  return result as History
}

const hoursBetween = ({ rows }: History) =>
  (Date.parse(rows[1]?.pricedAt ?? '') - Date.parse(rows[0]?.pricedAt ?? '')) / 3_600_000

test.each([
  ['one day', { days: 1 }, 1 / 12, 288],
  ['a week', { days: 7 }, 1, 168],
  ['a week by days', { days: 7, daily: true }, 24, 7],
  ['a year', { days: 365 }, 24, 365],
])('%s has its points, the oldest first, and ends with the present price', async (_name, given, hours, points) => {
  const found = await history({ coinId: 'Bitcoin', ...given })
  expect(found.coinId).toBe('bitcoin')
  expect(found.rows).toHaveLength(points)
  expect(hoursBetween(found)).toBeCloseTo(hours)
  expect(found.rows.map((row) => row.pricedAt)).toEqual(found.rows.map((row) => row.pricedAt).sort())
  expect(found.rows.at(-1)).toMatchObject({ price: 104_250, marketCap: expect.any(Number) })
})

test('two ranges agree where they overlap, in any currency', async () => {
  const [month, week] = [
    await history({ coinId: 'ethereum', daily: true }),
    await history({ coinId: 'ethereum', days: 7, daily: true }),
  ]
  expect(month.rows.slice(-7)).toEqual(week.rows)
  const euro = await history({ coinId: 'ethereum', days: 7, daily: true, vsCurrency: 'EUR' })
  expect(euro.rows[0]?.price).not.toBe(week.rows[0]?.price)
})

test.each([
  [{ coinId: 'no-such-coin' }, /There is no coin with this id. crypto_search/, 'not_found'],
  [{ coinId: 'bitcoin', vsCurrency: 'xyz' }, /rejected the parameters/, 'invalid_input'],
  [{ coinId: 'bitcoin', vsCurrency: 'sandbox500' }, /returned an error/, 'provider_error'],
])('%j is an upstream_error that says why', async (params, message, reason) => {
  await expect(history(params)).rejects.toMatchObject({
    code: 'upstream_error',
    reason,
    message: expect.stringMatching(message),
  })
})

test.each([{}, { coinId: 'a,b' }, { coinId: '../x' }, { coinId: 'x', days: 0 }, { coinId: 'x', days: 366 }])(
  'refuses %j',
  (params) => {
    expect(cryptoPriceHistory.params.safeParse(params).success).toBe(false)
  },
)
