import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startSandboxServer } from '../../sandbox/start'
import { cryptoSearch } from './crypto_search'

let sandbox: Awaited<ReturnType<typeof startSandboxServer>>

beforeAll(async () => {
  sandbox = await startSandboxServer({ port: 0 })
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/none')
  vi.stubEnv('AUTH_SECRET', 'a'.repeat(32))
  vi.stubEnv('UPSTREAMS', 'sandbox')
  vi.stubEnv('SANDBOX_URL', sandbox.url)
})
afterAll(() => sandbox.stop())

async function search(params: object) {
  const context = { signal: AbortSignal.timeout(60_000), onSent: () => {}, spent: () => {}, ownerId: 1 }
  const result = await cryptoSearch.run(cryptoSearch.params.parse(params) as never, context)
  expect(cryptoSearch.output.parse(result)).toEqual(result)
  return result
}

test.each([
  ['bitcoin', 'bitcoin'],
  ['BTC', 'bitcoin'],
  ['Chainlink', 'chainlink'],
  ['avax', 'avalanche-2'],
])('%s finds %s first', async (query, coinId) => {
  const { rows } = (await search({ query })) as { rows: object[] }
  expect(rows[0]).toMatchObject({ coinId, rank: expect.any(Number) })
})

test('coins that share a symbol are all there, the largest first', async () => {
  expect(await search({ query: 'tide' })).toMatchObject({
    rows: [
      { coinId: 'tide-token', symbol: 'TIDE' },
      { coinId: 'tidewater', symbol: 'TIDE' },
    ],
  })
})

test('at most limit coins come back, and how many there are; what nobody has is an empty list', async () => {
  const { rows, totalRows } = (await search({ query: 'e', limit: 3 })) as { rows: unknown[]; totalRows: number }
  expect(rows).toHaveLength(3)
  expect(totalRows).toBeGreaterThan(3)
  expect(await search({ query: 'no such coin' })).toEqual({ rows: [], totalRows: 0, nextCursor: null })
})

test('a failing provider is an upstream_error', async () => {
  await expect(search({ query: 'sandbox-500' })).rejects.toMatchObject({ code: 'upstream_error' })
})

test.each([{}, { query: '' }, { query: 'x', limit: 0 }, { query: 'x', limit: 51 }, { query: 'x', page: 1 }])(
  'refuses %j',
  (params) => {
    expect(cryptoSearch.params.safeParse(params).success).toBe(false)
  },
)
