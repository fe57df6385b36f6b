import { z } from 'zod'
import type { ProviderContext } from '../provider'
import { parseProviderJson } from '../provider'
import { lenientNumber, lenientString } from '../provider-fields'
import { CRYPTO_PROVIDER, getCoingecko } from './coingecko'

const FoundCoin = z.object({
  id: z.string().min(1),
  name: z.string(),
  symbol: z.string(),
  market_cap_rank: lenientNumber,
  large: lenientString,
})
export type FoundCoin = z.output<typeof FoundCoin>

/**
 * GET /search, https://docs.coingecko.com/reference/search-data: coins by market capitalisation, the
 * largest first, beside exchanges and categories. Throws `upstream_error`.
 */
export async function searchCoins(context: ProviderContext, query: string): Promise<FoundCoin[]> {
  const response = await getCoingecko(context, 'search', { query })
  return parseProviderJson(CRYPTO_PROVIDER, response.text, z.object({ coins: z.array(FoundCoin) })).coins
}

const Points = z.array(z.tuple([z.number(), z.number().nullable()]))

const MarketChart = z.object({ prices: Points, market_caps: Points, total_volumes: Points })
export type MarketChart = z.output<typeof MarketChart>

/**
 * GET /coins/{id}/market_chart, https://docs.coingecko.com/reference/coins-id-market-chart: points
 * of five minutes for a day, of an hour up to 90 days, else of a day. Throws `upstream_error`.
 */
export async function fetchMarketChart(
  context: ProviderContext,
  { coinId, vsCurrency, days, isDaily }: { coinId: string; vsCurrency: string; days: number; isDaily: boolean },
): Promise<MarketChart> {
  const response = await getCoingecko(context, `coins/${encodeURIComponent(coinId)}/market_chart`, {
    vs_currency: vsCurrency,
    days: String(days),
    precision: 'full',
    ...(isDaily && { interval: 'daily' }),
  })
  return parseProviderJson(CRYPTO_PROVIDER, response.text, MarketChart)
}
