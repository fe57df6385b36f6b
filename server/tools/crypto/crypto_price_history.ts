import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { fetchMarketChart, type MarketChart } from './coingecko-coins'

const amount = z.number().nullable()

export const cryptoPriceHistory = defineTool({
  id: 'crypto_price_history',
  label: 'Crypto price history',
  capability: 'crypto',
  isRare: true,
  description:
    'Prices of a coin over the last days, with market capitalisation and 24-hour volume, the oldest first. Points are ' +
    'five minutes apart for one day, an hour up to 90 days, and a day beyond or with daily.',
  params: z.strictObject({
    coinId: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[^\s,/?#]{1,200}$/, 'must be one coin id')
      .describe('Coin id in lowercase, such as bitcoin; from crypto_search'),
    vsCurrency: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9]{1,20}$/, 'must be a currency code such as usd')
      .default('usd')
      .describe('Currency of the amounts: a code such as usd, eur or btc'),
    days: z.int().min(1).max(365).default(30).describe('How many days back'),
    daily: z.boolean().default(false).describe('One point a day'),
  }),
  example: { coinId: 'bitcoin', days: 7, daily: true },
  output: z.object({
    coinId: z.string(),
    rows: z.array(z.object({ pricedAt: z.iso.datetime(), price: amount, marketCap: amount, volume24h: amount })),
    totalRows: z.int(),
    nextCursor: z.null(),
  }),
  pricing: { kind: 'fixed', credits: 5 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: () => true,
  async run({ coinId, vsCurrency, days, daily }, context) {
    const rows = rowsOf(await fetchMarketChart(context, { coinId, vsCurrency, days, isDaily: daily }))
    return { coinId, rows, totalRows: rows.length, nextCursor: null }
  },
})

/** The three lists have the same times, but where one lacks a point. */
function rowsOf({ prices, market_caps, total_volumes }: MarketChart) {
  const [caps, volumes] = [new Map(market_caps), new Map(total_volumes)]
  return prices
    .filter(([at]) => Math.abs(at) < MAX_TIME_MS)
    .map(([at, price]) => ({
      pricedAt: new Date(at).toISOString(),
      price,
      // 0 stands for an unknown capitalisation.
      marketCap: caps.get(at) || null,
      volume24h: volumes.get(at) ?? null,
    }))
}

const MAX_TIME_MS = Date.UTC(9999, 0)
