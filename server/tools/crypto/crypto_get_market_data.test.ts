import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { startSandboxServer } from '../../sandbox/start'
import { describeParams } from '../params'
import { cryptoGetMarketData, nextMarketPage } from './crypto_get_market_data'
import { cryptoGetPrices } from './crypto_get_prices'

let sandbox: Awaited<ReturnType<typeof startSandboxServer>>

beforeAll(async () => {
  sandbox = await startSandboxServer({ port: 0 })
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/none')
  vi.stubEnv('AUTH_SECRET', 'a'.repeat(32))
  vi.stubEnv('UPSTREAMS', 'sandbox')
  vi.stubEnv('SANDBOX_URL', sandbox.url)
})
afterAll(() => sandbox.stop())

const amount = z.number().nullable()
const Row = z.looseObject({
  coinId: z.string(),
  price: amount,
  marketCap: amount,
  rank: amount,
  volume24h: amount,
  high24h: amount,
  low24h: amount,
  priceChange24h: amount,
  priceChangePercent24h: amount,
  allTimeHigh: amount,
  allTimeLow: amount,
})
const Page = z.object({
  rows: z.array(Row),
  totalRows: z.int(),
  nextCursor: z.string().nullable(),
})

async function page(params: z.input<typeof cryptoGetMarketData.params>) {
  const result = await cryptoGetMarketData.run(cryptoGetMarketData.params.parse(params) as never, {
    signal: AbortSignal.timeout(60_000),
    onSent: () => {},
    spent: () => {},
    ownerId: 1,
  })
  expect(cryptoGetMarketData.output.parse(result)).toEqual(result)
  return Page.parse(result)
}

test('the first page has 50 coins by capitalisation, the total and the next page', async () => {
  const { rows, totalRows, nextCursor } = await page({})
  expect(rows).toHaveLength(50)
  expect(rows.slice(0, 3).map((r) => r.rank)).toEqual([1, 2, 3])
  expect(totalRows).toBeGreaterThan(250)
  expect(nextCursor).toBe('2')
})

test('following nextCursor visits every coin once and ends', async () => {
  const seen: string[] = []
  let cursor: string | null = '1'
  let total = 0
  for (let calls = 0; cursor !== null; calls++) {
    expect(calls).toBeLessThan(10)
    const { rows, totalRows, nextCursor } = await page({ perPage: 50, page: Number(cursor) })
    seen.push(...rows.map((r) => r.coinId))
    cursor = nextCursor
    total = totalRows
  }
  expect(seen).toHaveLength(total)
  expect(new Set(seen).size).toBe(total)
})

test('a page past the end is empty and has no next one', async () => {
  expect(await page({ page: 9999, perPage: 250 })).toMatchObject({ rows: [], nextCursor: null })
})

test.each([
  ['the total is further', { rows: 2, total: 5 }, '3'],
  ['the total is reached', { rows: 2, total: 4 }, null],
  ['the provider cut pages to one row', { rows: 1, total: 4, perPage: 1 }, '3'],
  ['only a link says so', { rows: 1, hasNextLink: true }, '3'],
  ['nothing says so and the page is full', { rows: 2 }, '3'],
  ['nothing says so and the page is short', { rows: 1 }, null],
  ['the page is empty, whatever the total', { rows: 0, total: 99, hasNextLink: true }, null],
])(
  'next page when %s',
  (_name, { rows, ...given }: { rows: number } & Partial<Parameters<typeof nextMarketPage>[1]>, expected) => {
    const coins = Array(rows).fill({}) as Parameters<typeof nextMarketPage>[1]['coins']
    const found = { total: null, perPage: null, hasNextLink: false, ...given, coins }
    expect(nextMarketPage({ page: 2, perPage: 2 }, found)).toBe(expected)
  },
)

test('amounts are in the currency asked for, in either case', async () => {
  const [usd, eur] = [await page({ perPage: 1 }), await page({ perPage: 1, vsCurrency: ' EUR ' })]
  expect(Number(eur.rows[0]?.price) / Number(usd.rows[0]?.price)).toBeCloseTo(0.86, 5)
})

async function every(order?: z.input<typeof cryptoGetMarketData.params>['order']) {
  const pages = await Promise.all([1, 2].map((number) => page({ order, perPage: 250, page: number })))
  return pages.flatMap(({ rows }) => rows)
}

const known = (values: (number | null)[]) => values.filter((value) => value !== null && value > 0) as number[]
const rising = (values: (number | string)[]) => expect(values).toEqual([...values].sort((a, b) => (a < b ? -1 : 1)))

test.each([
  ['market_cap_desc', (rows) => rising(known(rows.map((row) => row.marketCap)).reverse())],
  ['market_cap_asc', (rows) => rising(known(rows.map((row) => row.marketCap)))],
  ['volume_desc', (rows) => rising(known(rows.map((row) => row.volume24h)).reverse())],
  ['volume_asc', (rows) => rising(known(rows.map((row) => row.volume24h)))],
  ['id_asc', (rows) => rising(rows.map((row) => row.coinId))],
  ['id_desc', (rows) => rising(rows.map((row) => row.coinId).reverse())],
] as [string, (rows: z.output<typeof Row>[]) => void][])('order %s holds over all pages', async (order, holds) => {
  const rows = await every(order as 'id_asc')
  expect(rows.length).toBeGreaterThan(250)
  holds(rows)
})

test('the numbers of a row agree with each other and with the prices of the coin', async () => {
  const rows = (await page({ perPage: 100 })).rows
  for (const row of rows) {
    const { price, high24h, low24h, allTimeHigh, allTimeLow } = row
    const [now, change] = [Number(price), Number(row.priceChange24h)]
    expect(Number(high24h), row.coinId).toBeGreaterThanOrEqual(Math.max(now, now - change))
    expect(Number(low24h), row.coinId).toBeLessThanOrEqual(Math.min(now, now - change))
    expect(Number(allTimeHigh), row.coinId).toBeGreaterThanOrEqual(now)
    expect(Number(allTimeLow), row.coinId).toBeLessThan(now)
    expect(change / (now - change)).toBeCloseTo(Number(row.priceChangePercent24h) / 100, 4)
  }
  const detail = await cryptoGetPrices.run(
    cryptoGetPrices.params.parse({ coinIds: rows.map((row) => row.coinId) }) as never,
    { signal: AbortSignal.timeout(60_000), onSent: () => {}, spent: () => {}, ownerId: 1 },
  )
  expect(detail).toMatchObject({
    rows: rows.map((row) => ({
      coinId: row.coinId,
      prices: {
        usd: {
          price: row.price,
          marketCap: row.marketCap,
          volume24h: row.volume24h,
          priceChangePercent24h: row.priceChangePercent24h,
        },
      },
    })),
    notFound: { coinIds: [] },
  })
})

test('names have no entities, a bare file name is no image, unknown numbers are null', async () => {
  const rows = await every()
  expect(rows.find((r) => r.coinId === 'salt-and-ember')).toMatchObject({ name: 'Salt & Ember', symbol: 'sae' })
  expect(rows.find((r) => r.coinId === 'bitcoin')).toMatchObject({
    logo: expect.stringMatching(/^https:/),
    updatedAt: expect.stringMatching(/Z$/),
  })
  expect(rows.find((r) => r.coinId === 'sandbox-dormant')).toMatchObject({
    logo: null,
    price: null,
    marketCap: null,
    rank: null,
    allTimeHighAt: null,
    updatedAt: null,
  })
  expect(rows.find((r) => r.coinId === 'sandbox-dust')).toMatchObject({ price: 1.23e-9, marketCap: null })
})

test('a currency the provider does not know gets an error that helps', async () => {
  await expect(page({ vsCurrency: 'xyz' })).rejects.toMatchObject({
    code: 'upstream_error',
    message:
      'The crypto data provider rejected the parameters: invalid vsCurrency. Use a lowercase code such as usd, eur or btc.',
  })
})

test.each([
  ['sandbox429', { retryAfter: 60 }],
  ['sandboxhtml', { message: expect.stringMatching(/invalid JSON/) }],
])('%s becomes an upstream_error', async (vsCurrency, error) => {
  await expect(page({ vsCurrency })).rejects.toMatchObject({ code: 'upstream_error', ...error })
})

test.each([
  { perPage: 251 },
  { perPage: 0 },
  { perPage: 1.5 },
  { perPage: '50' },
  { page: 0 },
  { page: 1e21 },
  { vsCurrency: '' },
  { vsCurrency: 'usd,eur' },
  { order: '' },
  { order: 'gecko_desc' },
  { ids: ['bitcoin'] },
])('refuses %j', (params) => {
  expect(cryptoGetMarketData.params.safeParse(params).success).toBe(false)
})

test('its parameters are listed as the interface has them', () => {
  expect(describeParams(cryptoGetMarketData)).toMatchObject([
    { name: 'vsCurrency', type: 'string', required: false, description: expect.stringMatching(/Default usd\.$/) },
    {
      name: 'order',
      type: '"market_cap_desc" | "market_cap_asc" | "volume_desc" | "volume_asc" | "id_asc" | "id_desc"',
      required: false,
      description: expect.stringMatching(/Default market_cap_desc\.$/),
    },
    {
      name: 'perPage',
      type: 'number',
      required: false,
      description: expect.stringMatching(/Default 50, from 1 to 250\.$/),
    },
    { name: 'page', type: 'number', required: false, description: expect.stringMatching(/Default 1, /) },
    { name: 'cursor', type: 'string', required: false },
  ])
})
