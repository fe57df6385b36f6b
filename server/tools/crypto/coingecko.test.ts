import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { coingeckoKeyHeader, fetchCoinMarkets, fetchCoinPrices } from './coingecko'

type Answer = { status?: number; headers?: Record<string, string>; body: string }

let answer: Answer
let asked: IncomingMessage
const server = createServer((req, res) => {
  asked = req
  res.writeHead(answer.status ?? 200, answer.headers)
  res.end(answer.body)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/none')
  vi.stubEnv('AUTH_SECRET', 'a'.repeat(32))
  vi.stubEnv('UPSTREAMS', 'live')
  vi.stubEnv('COINGECKO_BASE_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3/`)
  vi.stubEnv('COINGECKO_API_KEY', 'CG-test')
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const context = () => ({ signal: AbortSignal.timeout(60_000), onSent: () => {}, spent: () => {}, ownerId: 1 })

function prices(next: Answer) {
  answer = next
  const query = { ids: ['bitcoin', 'a b'], currencies: ['usd', 'eur'], marketCap: true, volume: false, change: true }
  return fetchCoinPrices(context(), query)
}

function markets(next: Answer) {
  answer = next
  return fetchCoinMarkets(context(), { vsCurrency: 'usd', order: 'id_asc', perPage: 2, page: 3 })
}

const statusBody = (error_code: number) => ({ status: { error_code, error_message: 'internal words' } })

test('the request carries key, user agent and the documented query', async () => {
  await prices({ body: '{}' })
  const url = new URL(asked.url ?? '', 'http://provider')
  expect(url.pathname).toBe('/api/v3/simple/price')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    ids: 'bitcoin,a b',
    vs_currencies: 'usd,eur',
    include_market_cap: 'true',
    include_24hr_vol: 'false',
    include_24hr_change: 'true',
    include_last_updated_at: 'true',
  })
  expect(asked.headers).toMatchObject({ 'x-cg-demo-api-key': 'CG-test', 'user-agent': 'Tollgate' })
})

test('the key goes into the header that its host wants, and nowhere when there is none', () => {
  expect(coingeckoKeyHeader('https://api.coingecko.com/api/v3', 'k')).toEqual({ 'x-cg-demo-api-key': 'k' })
  expect(coingeckoKeyHeader('https://pro-api.coingecko.com/api/v3', 'k')).toEqual({ 'x-cg-pro-api-key': 'k' })
  expect(coingeckoKeyHeader('https://api.coingecko.com/api/v3', undefined)).toEqual({})
})

test.each([
  ['flat', 422, { error: 'invalid vs_currency' }, /rejected the parameters: invalid vsCurrency\. Use a lowercase code/],
  ['flat 404', 404, { error: 'coin not found' }, /no coin with this id/],
  ['key for another host', 400, statusBody(10010), /denied access to this gateway/],
  ['no key', 401, statusBody(10002), /denied access to this gateway/],
  ['nested', 401, { error: statusBody(10005) }, /denied access to this gateway/],
  ['CDN text', 403, 'error code: 1020', /denied access to this gateway/],
  ['too long', 414, '<html>414</html>', /Ask for fewer coins/],
  ['moved', 301, '', /unexpected response \(HTTP 301\)/],
  ['not there', 404, '<html>no such page</html>', /unexpected response \(HTTP 404\)/],
])('%s error: the caller learns what to do, not the words meant for us', async (_name, status, body, message) => {
  const failed = prices({ status, body: typeof body === 'string' ? body : JSON.stringify(body) })
  await expect(failed).rejects.toMatchObject({ code: 'upstream_error', message: expect.stringMatching(message) })
  await expect(failed).rejects.toMatchObject({ message: expect.not.stringMatching(/internal|html|1020/) })
})

test.each([
  ['a number', () => '119', 119],
  ['a date', () => new Date(Date.now() + 3_000_000).toUTCString(), 3000],
  ['more than an hour', () => '999999', 3600],
])('429 with retry-after as %s is reported at once', async (_form, retryAfter, seconds) => {
  const failed = await prices({
    status: 429,
    headers: { 'retry-after': retryAfter() },
    body: JSON.stringify(statusBody(429)),
  }).catch((e: unknown) => e)
  expect(failed).toMatchObject({ code: 'upstream_error', retryAfter: expect.any(Number) })
  // A date is converted to the seconds left when it is read.
  expect(Math.abs((failed as { retryAfter: number }).retryAfter - seconds)).toBeLessThanOrEqual(60)
})

test.each([
  '[]',
  'null',
  '<html>',
  '',
  '{"status":{"error_code":429,"error_message":"x"}}',
  '{"error":"x"}',
  '{"bitcoin":{"usd":"12"}}',
])('a 200 of another form is an upstream_error: %s', async (body) => {
  await expect(prices({ body })).rejects.toMatchObject({ code: 'upstream_error' })
})

test('the market table takes nulls, missing and odd values, and reads the totals from the headers', async () => {
  const headers = { total: '17563', 'per-page': '2', link: '<http://provider/x?page=4>; rel="next"' }
  const row = {
    id: 'x',
    symbol: 'x',
    name: 'X',
    current_price: 'n/a',
    market_cap: 0,
    max_supply: null,
    roi: { times: 1 },
  }
  const page = await markets({ headers, body: JSON.stringify([row]) })
  expect(page).toMatchObject({ total: 17563, perPage: 2, hasNextLink: true })
  expect(page.coins[0]).toMatchObject({ id: 'x', current_price: null, market_cap: null, max_supply: null, image: null })
})

test('without headers there is no total', async () => {
  expect(await markets({ body: '[]' })).toEqual({ coins: [], total: null, perPage: null, hasNextLink: false })
})

test.each(['{}', '[{}]', '[null]', '[{"id":"","symbol":"","name":""}]'])(
  'a market table of another form is an upstream_error: %s',
  async (body) => {
    await expect(markets({ body })).rejects.toMatchObject({ code: 'upstream_error' })
  },
)
