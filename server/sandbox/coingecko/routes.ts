import { setTimeout as sleep } from 'node:timers/promises'
import { provokedFailure } from '../kit/failures'
import type { SandboxRoute } from '../kit/route'
import { fillTemplate } from '../kit/template'
import { daysAgo } from '../kit/time'
import { coinsById, EXCHANGE_RATES, quoteCoin, type SimulatedCoin, simulatedCoins } from './coins'
import tables from './coins.json'
import { marketChart, marketRow } from './market'

/**
 * CoinGecko v3 as its documentation describes it, with simulated coins. Provoked failures, asked
 * for with `ids` (prices), `query` (search), `order` or, without the hyphen, `vs_currency`:
 * `sandbox-429` a refusal with retry-after 60 · `sandbox-500` an empty server error ·
 * `sandbox-html` a page of the CDN with status 200 · `sandbox-slow` the ordinary answer after 5 s ·
 * `sandbox-stuck` later than any tool waits. Odd coins: `sandbox-dormant` (every number null),
 * `sandbox-inactive` (no numbers at all), `sandbox-dust` (a price in exponent form, capitalisation
 * unknown).
 */
export const coingeckoRoutes: SandboxRoute[] = [
  { method: 'GET', path: '/coingecko/api/v3/ping', handle: () => json({ gecko_says: '(V3) To the Moon!' }) },
  { method: 'GET', path: '/coingecko/api/v3/simple/price', handle: (req) => guarded(req, ['ids'], simplePrice) },
  {
    method: 'GET',
    path: '/coingecko/api/v3/coins/markets',
    handle: (req) => guarded(req, ['order', 'vs_currency'], markets),
  },
  { method: 'GET', path: '/coingecko/api/v3/search', handle: (req) => guarded(req, ['query'], search) },
  { method: 'GET', path: '/coingecko/api/v3/coins/*', handle: (req) => guarded(req, ['vs_currency'], chart) },
]

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'max-age=30, public', ...headers } })

/** Longer than a tool waits for its provider. */
const STUCK_MS = 90_000

/** Errors and their forms: https://docs.coingecko.com/docs/errors-and-rate-limits */
async function guarded(req: Request, triggers: string[], answer: (url: URL) => Response): Promise<Response> {
  if (req.headers.has('x-cg-pro-api-key')) {
    const error_message = 'A Pro API key belongs to pro-api.coingecko.com.'
    return json({ status: { timestamp: new Date().toISOString(), error_code: 10010, error_message } }, 400)
  }
  const url = new URL(req.url)
  const asked = triggers
    .flatMap((name) => (url.searchParams.get(name) ?? '').split(','))
    .map((word) => word.replace(/^sandbox(?=[0-9a-z])/, 'sandbox-'))
  const word = asked.find((each) => each.startsWith('sandbox-'))?.slice('sandbox-'.length)
  const failure = await provokedFailure('coingecko', word)
  if (failure) return failure
  if (asked.includes('sandbox-stuck')) await sleep(STUCK_MS)
  return answer(url)
}

/** https://docs.coingecko.com/reference/simple-price: an object by coin id; unknown ids and currencies are left out. */
function simplePrice({ searchParams: query }: URL): Response {
  const list = (name: string) => (query.get(name) ?? '').split(',').filter(Boolean)
  const [ids, currencies] = [list('ids'), list('vs_currencies')]
  if (ids.length === 0) return json({ error: 'Missing parameter ids' }, 422)
  if (currencies.length === 0) return json({ error: 'Missing parameter vs_currencies' }, 422)
  const wants = (name: string) => query.get(name) === 'true'

  const priced = (coin: SimulatedCoin): object => {
    if (coin.kind === 'inactive') return {}
    const values = currencies.map((currency) => {
      const now = quoteCoin(coin, currency)
      return (
        now && {
          [currency]: now.price,
          ...(wants('include_market_cap') && { [`${currency}_market_cap`]: now.marketCap }),
          ...(wants('include_24hr_vol') && { [`${currency}_24h_vol`]: now.volume }),
          ...(wants('include_24hr_change') && { [`${currency}_24h_change`]: now.changePercent }),
        }
      )
    })
    const last_updated_at = coin.kind === 'dormant' ? null : daysAgo(0) / 1000
    return Object.assign({}, ...values, wants('include_last_updated_at') && { last_updated_at })
  }
  const known = ids.flatMap((id) => coinsById.get(id) ?? [])
  return json(Object.fromEntries(known.map((coin) => [coin.id, priced(coin)])))
}

const search = ({ searchParams }: URL): Response => json(searchAnswer(searchParams.get('query') ?? ''))

/** Errors of a path with a coin, and of more days than a public key may have. */
function chart({ pathname, searchParams: query }: URL): Response {
  const [, id = ''] = /\/coins\/([^/]+)\/market_chart$/.exec(pathname) ?? []
  const coin = coinsById.get(decodeURIComponent(id))
  if (!coin) return json({ error: 'coin not found' }, 404)
  const days = Number(query.get('days'))
  if (!(days > 0)) return json({ error: 'Missing parameter days' }, 422)
  if (days > 365) {
    const error_message = 'Your request exceeds the allowed time range.'
    return json({ error: { status: { timestamp: new Date().toISOString(), error_code: 10012, error_message } } }, 401)
  }
  const currency = query.get('vs_currency') ?? ''
  const answer = marketChart(coin, { currency, days, isDaily: query.get('interval') === 'daily' })
  return answer ? json(answer) : json({ error: 'invalid vs_currency' }, 422)
}

type Order = (a: SimulatedCoin, b: SimulatedCoin) => number
/** What is unknown is last in either direction. */
const oddLast = (order: Order): Order => {
  const isOdd = (coin: SimulatedCoin) => Number(coin.kind !== 'live')
  return (a, b) => isOdd(a) - isOdd(b) || order(a, b)
}
const ORDERS: Record<string, Order> = {
  market_cap_desc: (a, b) => a.rank - b.rank,
  market_cap_asc: oddLast((a, b) => b.rank - a.rank),
  volume_desc: oddLast((a, b) => b.volumeUsd - a.volumeUsd),
  volume_asc: oddLast((a, b) => a.volumeUsd - b.volumeUsd),
  id_asc: (a, b) => (a.id < b.id ? -1 : 1),
  id_desc: (a, b) => (a.id < b.id ? 1 : -1),
}

/** https://docs.coingecko.com/reference/coins-markets: a bare array; total, per-page and link are headers. */
function markets(url: URL): Response {
  const query = url.searchParams
  const currency = query.get('vs_currency') ?? ''
  if (currency === '') return json({ error: 'Missing parameter vs_currency' }, 422)
  if (!Object.hasOwn(EXCHANGE_RATES, currency)) return json({ error: 'invalid vs_currency' }, 422)
  const whole = (name: string, otherwise: number) => Math.max(1, Math.trunc(Number(query.get(name) ?? otherwise)) || 1)
  const perPage = Math.min(whole('per_page', 100), 250)
  const page = whole('page', 1)
  const byRank = ORDERS.market_cap_desc as Order
  const sorted = [...simulatedCoins].sort(ORDERS[query.get('order') ?? ''] ?? byRank)
  const rows = sorted.slice((page - 1) * perPage, page * perPage)
  const next = new URL(url)
  next.searchParams.set('page', String(page + 1))
  const link = page * perPage < simulatedCoins.length && { link: `<${next}>; rel="next"` }
  const headers = { total: String(simulatedCoins.length), 'per-page': String(perPage), ...link }
  const found = rows.map((coin) => marketRow(coin, currency))
  return json(found, 200, headers)
}

/** https://docs.coingecko.com/reference/search-data: coins by rank, and lists of other things. */
function searchAnswer(query: string) {
  const wanted = query.trim().toLowerCase()
  const fits = ({ id, symbol, name }: Pick<SimulatedCoin, 'id' | 'symbol' | 'name'>) =>
    wanted !== '' && [id, symbol, name].some((text) => text.toLowerCase().includes(wanted))
  const ranked = simulatedCoins.map((coin) => ({ ...coin, rank: coin.kind === 'live' ? coin.rank : null }))
  // Two coins of one symbol and size, and two unranked ones with the symbol of a large one.
  const coins = [...ranked, ...tables.twins, ...tables.namesakes]
    .filter(fits)
    .sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity))
    .slice(0, 25)
    .map((coin) => fillTemplate(tables.found, { ...coin, symbol: coin.symbol.toUpperCase() }))
  return { coins, exchanges: [], icos: [], categories: [], nfts: [] }
}
