import { decodeHTMLStrict } from 'entities/decode'
import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { pageCursor, pageNumber, pageOf } from '../paging'
import { type CoinMarket, fetchCoinMarkets } from './coingecko'
import { imageUrl } from './image-url'

const amount = z.number().nullable()
const time = z.iso.datetime().nullable()

const Row = z.object({
  coinId: z.string(),
  symbol: z.string(),
  name: z.string(),
  logo: z.string().nullable().describe('URL of an image'),
  price: amount,
  marketCap: amount,
  rank: amount.describe('By market capitalisation, 1 is the largest'),
  fullyDilutedValuation: amount,
  volume24h: amount,
  high24h: amount,
  low24h: amount,
  priceChange24h: amount,
  priceChangePercent24h: amount,
  marketCapChange24h: amount,
  marketCapChangePercent24h: amount,
  circulatingSupply: amount,
  totalSupply: amount,
  maxSupply: amount,
  allTimeHigh: amount,
  allTimeHighChangePercent: amount,
  allTimeHighAt: time,
  allTimeLow: amount,
  allTimeLowChangePercent: amount,
  allTimeLowAt: time,
  updatedAt: time,
})

/** A JSON Schema "number" that must be whole, because the interface lists these two as numbers. */
const whole = z.number().multipleOf(1, 'must be a whole number')

/** What the provider sorts by; it ignores other values in silence. */
const MarketOrder = z.enum(['market_cap_desc', 'market_cap_asc', 'volume_desc', 'volume_asc', 'id_asc', 'id_desc'])

export const cryptoGetMarketData = defineTool({
  id: 'crypto_get_market_data',
  label: 'Crypto market data',
  capability: 'crypto',
  description:
    'A page of the coin market table: price, market capitalisation, rank, volume, 24-hour range and change, supply and ' +
    'all-time extremes of each coin. Amounts are in vsCurrency; what is unknown is null.',
  params: z.strictObject({
    vsCurrency: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9]{1,20}$/, 'must be a currency code such as usd')
      .default('usd')
      .describe('Currency of the amounts: a code such as usd, eur or btc'),
    order: MarketOrder.default('market_cap_desc').describe('Order of the rows'),
    perPage: whole.min(1).max(250).default(50).describe('Rows a page'),
    page: pageNumber(whole.min(1).max(1_000_000).default(1)).describe(
      'Which page; nextCursor is the number of the next one',
    ),
    cursor: pageCursor('page'),
  }),
  example: { vsCurrency: 'eur', perPage: 10 },
  columns: [
    'rank',
    'name',
    'symbol',
    'coinId',
    'price',
    'marketCap',
    'volume24h',
    'priceChangePercent24h',
    'allTimeHigh',
    'updatedAt',
  ],
  output: z.object({
    rows: z.array(Row),
    totalRows: z.int().optional().describe('Of all pages together'),
    nextCursor: z.string().nullable().describe('Pass it as page for the next page; null on the last'),
  }),
  pricing: { kind: 'fixed', credits: 5 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: () => true,
  async run({ vsCurrency, order, perPage, page, cursor }, context) {
    const query = { vsCurrency: vsCurrency.toLowerCase(), order, perPage, page: pageOf(cursor, page) }
    const found = await fetchCoinMarkets(context, query)
    return {
      rows: found.coins.map(rowOf),
      ...(found.total !== null && { totalRows: found.total }),
      nextCursor: nextMarketPage(query, found),
    }
  },
})

type Found = Awaited<ReturnType<typeof fetchCoinMarkets>>

/**
 * The number of the next page, or null. The provider's plan may cut pages shorter than asked: its
 * header says how long.
 */
export function nextMarketPage(asked: { page: number; perPage: number }, found: Found): string | null {
  const { coins, total, perPage, hasNextLink } = found
  if (coins.length === 0) return null
  const more = total === null ? coins.length >= asked.perPage : asked.page * (perPage || asked.perPage) < total
  return hasNextLink || more ? String(asked.page + 1) : null
}

const rowOf = (coin: CoinMarket): z.output<typeof Row> => ({
  coinId: coin.id,
  symbol: decodeHTMLStrict(coin.symbol),
  name: decodeHTMLStrict(coin.name),
  logo: imageUrl(coin.image),
  price: coin.current_price,
  marketCap: coin.market_cap,
  rank: coin.market_cap_rank,
  fullyDilutedValuation: coin.fully_diluted_valuation,
  volume24h: coin.total_volume,
  high24h: coin.high_24h,
  low24h: coin.low_24h,
  priceChange24h: coin.price_change_24h,
  priceChangePercent24h: coin.price_change_percentage_24h,
  marketCapChange24h: coin.market_cap_change_24h,
  marketCapChangePercent24h: coin.market_cap_change_percentage_24h,
  circulatingSupply: coin.circulating_supply,
  totalSupply: coin.total_supply,
  maxSupply: coin.max_supply,
  allTimeHigh: coin.ath,
  allTimeHighChangePercent: coin.ath_change_percentage,
  allTimeHighAt: iso(coin.ath_date),
  allTimeLow: coin.atl,
  allTimeLowChangePercent: coin.atl_change_percentage,
  allTimeLowAt: iso(coin.atl_date),
  updatedAt: iso(coin.last_updated),
})

function iso(text: string | null): string | null {
  const date = new Date(text ?? '')
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 ? null : date.toISOString()
}
