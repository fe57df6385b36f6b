import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { startSandboxServer } from '../../sandbox/start'
import { describeParams } from '../params'
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

async function prices(params: z.input<typeof cryptoGetPrices.params>, signal = AbortSignal.timeout(60_000)) {
  const accepted = vi.fn()
  const run = cryptoGetPrices.run(cryptoGetPrices.params.parse(params) as never, {
    signal,
    onSent: accepted,
    spent: () => {},
    ownerId: 1,
  })
  const result = await run.catch((error: unknown) => {
    expect(accepted).toHaveBeenCalled()
    throw error
  })
  // Against the declared form, with nothing beyond it.
  expect(cryptoGetPrices.output.parse(result)).toEqual(result)
  return result
}

test('a coin comes with price, capitalisation, volume and change, in usd unless asked otherwise', async () => {
  expect(await prices({ coinIds: ['bitcoin'] })).toEqual({
    rows: [
      {
        coinId: 'bitcoin',
        prices: {
          usd: {
            price: expect.any(Number),
            marketCap: expect.any(Number),
            volume24h: expect.any(Number),
            priceChangePercent24h: expect.any(Number),
          },
        },
        updatedAt: expect.stringMatching(/T00:00:00\.000Z$/),
      },
    ],
    totalRows: 1,
    nextCursor: null,
    symbols: [],
    notFound: { coinIds: [], currencies: [] },
  })
})

test('rows are in the order of the request, each coin once, and what does not exist is named', async () => {
  const result = await prices({
    coinIds: ['ethereum', 'nope', 'bitcoin', 'ethereum'],
    currencies: ['EUR', 'xyz', 'usd'],
  })
  expect(result).toMatchObject({
    rows: [{ coinId: 'ethereum' }, { coinId: 'bitcoin' }],
    notFound: { coinIds: ['nope'], currencies: ['xyz'] },
  })
  expect(JSON.stringify(result)).toMatch(/"prices":\{"eur":.*"usd":/)
  expect(JSON.stringify(result)).not.toContain('"xyz":')
})

test('a symbol means the one large coin that has it, and the answer says which', async () => {
  const coinIds = ['BTC', 'solana', '$eth']
  expect(await prices({ coinIds })).toMatchObject({
    rows: [{ coinId: 'bitcoin', prices: { usd: { price: 104250 } } }, { coinId: 'solana' }, { coinId: 'ethereum' }],
    symbols: [
      { asked: 'BTC', meant: 'bitcoin', candidates: ['bitcoin', 'bitcoin-saltwater'] },
      { asked: '$eth', meant: 'ethereum' },
    ],
    notFound: { coinIds: [] },
  })
})

test('a symbol of several coins, and of none, is not guessed', async () => {
  expect(await prices({ coinIds: ['tide', 'xqz', 'bitcoin', 'BTC'] })).toMatchObject({
    rows: [{ coinId: 'bitcoin' }],
    totalRows: 1,
    symbols: [
      { asked: 'tide', meant: null, candidates: ['tide-token', 'tidewater'] },
      { asked: 'BTC', meant: 'bitcoin' },
    ],
    notFound: { coinIds: ['tide', 'xqz'] },
  })
})

test('an id in capitals is found, and not listed twice', async () => {
  expect(await prices({ coinIds: [' Bitcoin ', 'bitcoin', 'NOPE'] })).toMatchObject({
    rows: [{ coinId: 'bitcoin' }],
    notFound: { coinIds: ['NOPE'] },
  })
})

test('what is switched off is left out', async () => {
  const off = { includeMarketCap: false, include24hrVol: false, include24hrChange: false }
  expect(await prices({ coinIds: ['bitcoin'], ...off })).toMatchObject({
    rows: [{ prices: { usd: { price: expect.any(Number) } } }],
  })
  expect(JSON.stringify(await prices({ coinIds: ['bitcoin'], ...off }))).not.toMatch(/marketCap|volume|change/)
})

test('unknown numbers are null: dormant and inactive coins, and a capitalisation of 0', async () => {
  const unknown = { price: null, marketCap: null, volume24h: null, priceChangePercent24h: null }
  expect(await prices({ coinIds: ['sandbox-dormant', 'sandbox-inactive', 'sandbox-dust'] })).toMatchObject({
    rows: [
      { coinId: 'sandbox-dormant', prices: { usd: unknown }, updatedAt: null },
      { coinId: 'sandbox-inactive', prices: { usd: unknown }, updatedAt: null },
      { coinId: 'sandbox-dust', prices: { usd: { ...unknown, price: 1.23e-9 } } },
    ],
    notFound: { currencies: [] },
  })
})

test('a change of exactly 0 is a number', async () => {
  expect(await prices({ coinIds: ['tether'] })).toMatchObject({
    rows: [{ prices: { usd: { price: 1, priceChangePercent24h: 0 } } }],
  })
})

test('with only inactive coins no currency is called unknown', async () => {
  expect(await prices({ coinIds: ['sandbox-inactive'] })).toMatchObject({
    rows: [{ prices: { usd: { price: null } } }],
    notFound: { coinIds: [], currencies: [] },
  })
})

test('names of object internals are ordinary unknown ids', async () => {
  const coinIds = ['__proto__', 'constructor', 'toString']
  expect(await prices({ coinIds, currencies: ['constructor'] })).toMatchObject({ rows: [], notFound: { coinIds } })
  expect(await prices({ coinIds: ['bitcoin'], currencies: ['constructor', 'usd'] })).toMatchObject({
    notFound: { currencies: ['constructor'] },
  })
})

test.each([
  ['sandbox-429', /limits the request rate.*60 seconds/],
  ['sandbox-500', /returned an error/],
  ['sandbox-html', /invalid JSON/],
])('%s becomes an upstream_error after the provider took the request', async (id, message) => {
  await expect(prices({ coinIds: [id] })).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringMatching(message),
  })
})

test('a provider that is too slow is an upstream_error', async () => {
  const late = prices({ coinIds: ['sandbox-slow', 'bitcoin'] }, AbortSignal.timeout(200))
  await expect(late).rejects.toMatchObject({ code: 'upstream_error', message: expect.stringMatching(/in time/) })
})

test.each([
  {},
  { coinIds: [] },
  { coinIds: 'bitcoin' },
  { coinIds: ['bitcoin,ethereum'] },
  { coinIds: [' '] },
  { coinIds: Array(251).fill('bitcoin') },
  { coinIds: ['bitcoin'], currencies: [] },
  { coinIds: ['bitcoin'], currencies: ['usd_market_cap'] },
  { coinIds: ['bitcoin'], includeMarketCap: 'false' },
  { coinIds: ['bitcoin'], ids: ['x'] },
])('refuses %j', (params) => {
  expect(cryptoGetPrices.params.safeParse(params).success).toBe(false)
})

test('its parameters are listed as the interface has them', () => {
  const listed = describeParams(cryptoGetPrices).map(({ name, type, required }) => [name, type, required])
  expect(listed).toEqual([
    ['coinIds', 'string[]', true],
    ['currencies', 'string[]', false],
    ['includeMarketCap', 'boolean', false],
    ['include24hrVol', 'boolean', false],
    ['include24hrChange', 'boolean', false],
  ])
})
