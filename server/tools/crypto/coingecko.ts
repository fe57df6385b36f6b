import { z } from 'zod'
import { AppError } from '../../errors'
import { trimEnd } from '../../kit/trim-end'
import type { ToolContext } from '../define'
import { callProvider, type ProviderResponse, parseProviderJson } from '../provider'
import { cryptoSettings } from './settings'

const VENDOR = 'The crypto data provider'

/** CoinGecko leaves out or nulls almost any number; what is not a number counts as unknown. */
const number = z
  .number()
  .nullish()
  .catch(null)
  .transform((n) => n ?? null)
/** A market capitalisation of 0 is CoinGecko's way to say "unknown". */
const capitalisation = number.transform((n) => n || null)
const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((t) => t ?? null)

/** `{<coin id>: {usd, usd_market_cap, usd_24h_vol, usd_24h_change, …, last_updated_at}}`; what is unknown is missing. */
const SimplePrice = z.record(z.string(), z.record(z.string(), z.number().nullable()))
export type SimplePrices = z.output<typeof SimplePrice>

const Market = z.object({
  id: z.string().min(1),
  symbol: z.string(),
  name: z.string(),
  image: text,
  current_price: number,
  market_cap: capitalisation,
  market_cap_rank: number,
  fully_diluted_valuation: capitalisation,
  total_volume: number,
  high_24h: number,
  low_24h: number,
  price_change_24h: number,
  price_change_percentage_24h: number,
  market_cap_change_24h: number,
  market_cap_change_percentage_24h: number,
  circulating_supply: number,
  total_supply: number,
  max_supply: number,
  ath: number,
  ath_change_percentage: number,
  ath_date: text,
  atl: number,
  atl_change_percentage: number,
  atl_date: text,
  last_updated: text,
})
export type CoinMarket = z.output<typeof Market>

type PriceQuery = { ids: string[]; currencies: string[]; marketCap: boolean; volume: boolean; change: boolean }
type MarketQuery = { vsCurrency: string; order: string; perPage: number; page: number }

/** GET /simple/price, https://docs.coingecko.com/reference/simple-price. Throws `upstream_error`. */
export async function fetchCoinPrices(context: ToolContext, query: PriceQuery): Promise<SimplePrices> {
  const reply = await get(context, 'simple/price', {
    ids: query.ids.join(','),
    vs_currencies: query.currencies.join(','),
    include_market_cap: String(query.marketCap),
    include_24hr_vol: String(query.volume),
    include_24hr_change: String(query.change),
    include_last_updated_at: 'true',
    precision: 'full',
  })
  return parseProviderJson(VENDOR, reply.text, SimplePrice)
}

/**
 * GET /coins/markets, https://docs.coingecko.com/reference/coins-markets. The totals stand only in headers.
 * Throws `upstream_error`.
 */
export async function fetchCoinMarkets(context: ToolContext, query: MarketQuery) {
  const reply = await get(context, 'coins/markets', {
    vs_currency: query.vsCurrency,
    order: query.order,
    per_page: String(query.perPage),
    page: String(query.page),
    sparkline: 'false',
  })
  return {
    coins: parseProviderJson(VENDOR, reply.text, z.array(Market)),
    total: count(reply, 'total'),
    perPage: count(reply, 'per-page'),
    hasNextLink: /rel="?next"?/.test(header(reply, 'link')),
  }
}

/** Pro keys are for the pro host only, demo keys for the public one; a mismatch is refused with 400. */
export function coingeckoKeyHeader(baseUrl: string, key: string | undefined): Record<string, string> {
  if (!key) return {}
  const pro = new URL(baseUrl).hostname.startsWith('pro-api.')
  return { [pro ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key']: key }
}

async function get(context: ToolContext, path: string, query: Record<string, string>): Promise<ProviderResponse> {
  const { COINGECKO_BASE_URL, COINGECKO_API_KEY } = cryptoSettings()
  const reply = await callProvider(context, {
    vendor: VENDOR,
    url: `${COINGECKO_BASE_URL}/${path}?${new URLSearchParams(query)}`,
    // CoinGecko's network turns away requests without a user agent.
    headers: {
      accept: 'application/json',
      'user-agent': 'Tollgate',
      ...coingeckoKeyHeader(COINGECKO_BASE_URL, COINGECKO_API_KEY),
    },
  })
  if (reply.status !== 200) throw failure(reply)
  return reply
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

/** What an answer other than 200 means to the caller. The vendor's own words stay in the log unless they help. */
function failure(reply: ProviderResponse): AppError {
  const cause = new Error(`HTTP ${reply.status}: ${reply.text.slice(0, 500)}`)
  const say = (message: string, retryAfter?: number) => new AppError('upstream_error', message, { cause, retryAfter })
  const { flat, code } = readError(reply.text)
  const { status } = reply

  if (status === 429 || code === 429) {
    const wait = retryAfterOf(reply)
    return say(`${VENDOR} limits how often this gateway may ask. Try again in ${wait ?? 60} seconds.`, wait ?? 60)
  }
  if (status === 414) return say(`${VENDOR} takes no request this long. Ask for fewer coins at a time.`)
  if (flat && (status === 400 || status === 404 || status === 422)) {
    return say(`${VENDOR} refused the parameters: ${inOurWords(flat)}`)
  }
  if (status === 401 || status === 403 || (code !== undefined && code >= 1000)) {
    return say(`${VENDOR} refused this gateway's access (HTTP ${status}). Its operator has to look into that.`)
  }
  if (status >= 500) return say(`${VENDOR} has a fault of its own (HTTP ${status}). Try again later.`)
  return say(`${VENDOR} gave an unexpected answer (HTTP ${status}).`)
}

function readError(body: string): { flat?: string; code?: number } {
  try {
    return ErrorBody.parse(JSON.parse(body))
  } catch {
    return {}
  }
}

const OUR_NAMES: Record<string, string> = {
  vs_currency: 'vsCurrency',
  vs_currencies: 'currencies',
  per_page: 'perPage',
  ids: 'coinIds',
}

/** A refusal's text, short, with the parameters named as this gateway names them, and a way out where we know one. */
function inOurWords(words: string): string {
  const renamed = words
    .slice(0, 200)
    .replace(/\b(vs_currency|vs_currencies|per_page|ids)\b/g, (name) => OUR_NAMES[name] ?? name)
  const hint = /currenc/i.test(words) ? ' Use a lowercase code such as usd, eur or btc.' : ''
  return `${trimEnd(renamed, ' \t\n.')}.${hint}`
}

const header = ({ headers }: ProviderResponse, name: string): string => [headers[name] ?? ''].flat()[0] ?? ''

function count(reply: ProviderResponse, name: string): number | null {
  const text = header(reply, name)
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** Whole seconds from a Retry-After in either form, at most an hour; null when there is none to go by. */
function retryAfterOf(reply: ProviderResponse): number | null {
  const text = header(reply, 'retry-after')
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), 3600) : null
}
