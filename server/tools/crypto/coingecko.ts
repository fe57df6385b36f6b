import { z } from 'zod'
import type { AppError } from '../../errors'
import { callProvider, headerOf, type ProviderContext, type ProviderResponse, parseProviderJson } from '../provider'
import { inGatewayWords, type ProviderErrorOverrides, providerError, readErrorBody } from '../provider-errors'
import { lenientNumber, lenientString } from '../provider-fields'
import { cryptoSettings } from './settings'

export const CRYPTO_PROVIDER = 'The crypto data provider'

/** A market capitalisation of 0 is CoinGecko's way to say "unknown". */
const capitalisation = lenientNumber.transform((n) => n || null)
/**
 * `{<coin id>: {usd, usd_market_cap, usd_24h_vol, usd_24h_change, …, last_updated_at}}`; what is
 * unknown is missing.
 */
const SimplePrice = z.record(z.string(), z.record(z.string(), z.number().nullable()))
export type SimplePrices = z.output<typeof SimplePrice>

const Market = z.object({
  id: z.string().min(1),
  symbol: z.string(),
  name: z.string(),
  image: lenientString,
  current_price: lenientNumber,
  market_cap: capitalisation,
  market_cap_rank: lenientNumber,
  fully_diluted_valuation: capitalisation,
  total_volume: lenientNumber,
  high_24h: lenientNumber,
  low_24h: lenientNumber,
  price_change_24h: lenientNumber,
  price_change_percentage_24h: lenientNumber,
  market_cap_change_24h: lenientNumber,
  market_cap_change_percentage_24h: lenientNumber,
  circulating_supply: lenientNumber,
  total_supply: lenientNumber,
  max_supply: lenientNumber,
  ath: lenientNumber,
  ath_change_percentage: lenientNumber,
  ath_date: lenientString,
  atl: lenientNumber,
  atl_change_percentage: lenientNumber,
  atl_date: lenientString,
  last_updated: lenientString,
})
export type CoinMarket = z.output<typeof Market>

type PriceQuery = { ids: string[]; currencies: string[]; marketCap: boolean; volume: boolean; change: boolean }
type MarketQuery = { vsCurrency: string; order: string; perPage: number; page: number }

/** GET /simple/price, https://docs.coingecko.com/reference/simple-price. Throws `upstream_error`. */
export async function fetchCoinPrices(context: ProviderContext, query: PriceQuery): Promise<SimplePrices> {
  const response = await getCoingecko(context, 'simple/price', {
    ids: query.ids.join(','),
    vs_currencies: query.currencies.join(','),
    include_market_cap: String(query.marketCap),
    include_24hr_vol: String(query.volume),
    include_24hr_change: String(query.change),
    include_last_updated_at: 'true',
    precision: 'full',
  })
  return parseProviderJson(CRYPTO_PROVIDER, response.text, SimplePrice)
}

/**
 * GET /coins/markets, https://docs.coingecko.com/reference/coins-markets. The totals stand only in
 * headers. Throws `upstream_error`.
 */
export async function fetchCoinMarkets(context: ProviderContext, query: MarketQuery) {
  const response = await getCoingecko(context, 'coins/markets', {
    vs_currency: query.vsCurrency,
    order: query.order,
    per_page: String(query.perPage),
    page: String(query.page),
    sparkline: 'false',
  })
  return {
    coins: parseProviderJson(CRYPTO_PROVIDER, response.text, z.array(Market)),
    total: count(response, 'total'),
    perPage: count(response, 'per-page'),
    hasNextLink: /rel="?next"?/.test(headerOf(response, 'link')),
  }
}

/**
 * Pro keys are for the pro host only, demo keys for the public one; a mismatch is refused with 400.
 */
export function coingeckoKeyHeader(baseUrl: string, key: string | undefined): Record<string, string> {
  if (!key) return {}
  const pro = new URL(baseUrl).hostname.startsWith('pro-api.')
  return { [pro ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key']: key }
}

export async function getCoingecko(
  context: ProviderContext,
  path: string,
  query: Record<string, string>,
): Promise<ProviderResponse> {
  const { COINGECKO_BASE_URL, COINGECKO_API_KEY } = cryptoSettings()
  const response = await callProvider(context, {
    provider: CRYPTO_PROVIDER,
    url: `${COINGECKO_BASE_URL}/${path}?${new URLSearchParams(query)}`,
    // CoinGecko's network turns away requests without a user agent.
    headers: {
      accept: 'application/json',
      'user-agent': 'Tollgate',
      ...coingeckoKeyHeader(COINGECKO_BASE_URL, COINGECKO_API_KEY),
    },
  })
  if (response.status !== 200) throw coingeckoError(response)
  return response
}

const Status = z.object({ error_code: z.number().optional(), error_message: z.string().optional() })
/** The three forms of an error: `{error: text}`, `{status: {…}}` and `{error: {status: {…}}}`. */
const ErrorBody = z.union([
  z.object({ error: z.string() }).transform(({ error }) => ({ flat: error, code: undefined })),
  z.object({ status: Status }).transform(({ status }) => ({ flat: undefined, code: status.error_code })),
  z.object({ error: z.object({ status: Status }) }).transform(({ error }) => ({
    flat: undefined,
    code: error.status.error_code,
  })),
])

/**
 * The error for a response other than 200. The provider's words about wrong parameters help, so
 * they are passed on.
 */
function coingeckoError(response: ProviderResponse): AppError {
  const { flat, code = 0 } = readErrorBody(response, ErrorBody) ?? {}
  const { status } = response
  const error = (overrides: ProviderErrorOverrides) => providerError(CRYPTO_PROVIDER, response, overrides)
  // Of a coin that is named in the path.
  if (status === 404 && flat && /coin not found/i.test(flat)) {
    return error({ failure: 'missing', message: 'There is no coin with this id. crypto_search finds ids.' })
  }
  // What the plan of the gateway's key does not have, such as years of prices.
  if (code === 10_012)
    return error({ failure: 'access', message: `${CRYPTO_PROVIDER} has no prices this old for this gateway.` })
  if (code === 429) return error({ failure: 'rateLimit' })
  if (status === 414)
    return error({ message: `${CRYPTO_PROVIDER} accepts no request this long. Ask for fewer coins at a time.` })
  if (flat && (status === 400 || status === 404 || status === 422)) {
    const hint = /currenc/i.test(flat) ? ' Use a lowercase code such as usd, eur or btc.' : ''
    return error({
      failure: 'parameters',
      message: `${CRYPTO_PROVIDER} rejected the parameters: ${inGatewayWords(flat, GATEWAY_NAMES)}${hint}`,
    })
  }
  return error({ failure: code >= 1000 ? 'access' : undefined })
}

const GATEWAY_NAMES = { vs_currency: 'vsCurrency', vs_currencies: 'currencies', per_page: 'perPage', ids: 'coinIds' }

function count(response: ProviderResponse, name: string): number | null {
  const text = headerOf(response, name)
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}
