import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { fetchCoinPrices, type SimplePrices } from './coingecko'
import { MeantCoin, readSymbols } from './symbols'

const amount = z.number().nullable()

const Quote = z.object({
  price: amount,
  marketCap: amount.optional().describe('Only when includeMarketCap; null when unknown'),
  volume24h: amount.optional().describe('Only when include24hrVol'),
  priceChangePercent24h: amount.optional().describe('Percent; only when include24hrChange'),
})

export const cryptoGetPrices = defineTool({
  id: 'crypto_get_prices',
  label: 'Crypto prices',
  capability: 'crypto',
  isFirst: 'listed',
  description:
    'Current prices of coins in one or more currencies, with market capitalisation, 24-hour volume and 24-hour change ' +
    'in percent. A symbol such as BTC is taken for the one large coin that has it, and symbols says which; crypto_search ' +
    'finds ids. Ids and currencies that do not exist are listed in notFound.',
  params: z.strictObject({
    coinIds: z
      .array(
        z
          .string()
          .trim()
          .max(200)
          .regex(/^[^,]+$/, 'must be one coin id; give several as several items'),
      )
      .min(1)
      .max(250)
      .describe('Coin ids in lowercase, such as bitcoin or ethereum; symbols such as BTC where one large coin has it'),
    currencies: z
      .array(
        z
          .string()
          .trim()
          .regex(/^[A-Za-z0-9]{1,20}$/, 'must be a currency code such as usd'),
      )
      .min(1)
      .max(50)
      .default(['usd'])
      .describe('Currencies to quote in: codes such as usd, eur or btc'),
    includeMarketCap: z.boolean().default(true).describe('Add the market capitalisation'),
    include24hrVol: z.boolean().default(true).describe('Add the trading volume of the last 24 hours'),
    include24hrChange: z.boolean().default(true).describe('Add the change over the last 24 hours, in percent'),
  }),
  example: { coinIds: ['bitcoin', 'ethereum'] },
  output: z.object({
    rows: z.array(
      z.object({
        coinId: z.string(),
        prices: z.record(z.string(), Quote).describe('By currency code'),
        updatedAt: z.iso.datetime().nullable(),
      }),
    ),
    totalRows: z.int(),
    nextCursor: z.null(),
    symbols: z.array(MeantCoin).describe('What symbols among coinIds were taken for'),
    notFound: z.object({ coinIds: z.array(z.string()), currencies: z.array(z.string()) }),
  }),
  pricing: { kind: 'fixed', credits: 3 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: () => true,
  async run({ coinIds, currencies, includeMarketCap, include24hrVol, include24hrChange }, context) {
    const asked = [...new Set(coinIds)]
    const codes = [...new Set(currencies.map((c) => c.toLowerCase()))]
    const pricesOf = (ids: string[]) =>
      fetchCoinPrices(context, {
        // Ids are case-sensitive there and nearly all lowercase: ask for both spellings, so that
        // "Bitcoin" is found.
        ids: [...new Set(ids.flatMap((id) => [id, id.toLowerCase()]))],
        currencies: codes,
        marketCap: includeMarketCap,
        volume: include24hrVol,
        change: include24hrChange,
      })
    const byId = await pricesOf(asked)
    const spellingOf = (id: string) => [id, id.toLowerCase()].find((spelling) => Object.hasOwn(byId, spelling))
    const symbols = await readSymbols(
      context,
      asked.filter((id) => spellingOf(id) === undefined),
    )
    const meant = new Map(
      symbols.flatMap(({ asked: symbol, meant: id }) => (id === null ? [] : [[symbol, id] as const])),
    )
    const more = [...new Set(meant.values())].filter((id) => !Object.hasOwn(byId, id))
    const response = more.length > 0 ? { ...byId, ...(await pricesOf(more)) } : byId
    const idOf = (id: string) => {
      const known = spellingOf(id) ?? meant.get(id)
      return known !== undefined && Object.hasOwn(response, known) ? known : undefined
    }
    const found = [...new Set(asked.flatMap((id) => idOf(id) ?? []))]
    const unknown = unknownCurrencies(response, codes)
    const known = codes.filter((code) => !unknown.includes(code))
    const rows = found.map((id) => {
      const coin = response[id] ?? {}
      const quote = (code: string) => ({
        price: coin[code] ?? null,
        // 0 stands for an unknown capitalisation.
        ...(includeMarketCap && { marketCap: coin[`${code}_market_cap`] || null }),
        ...(include24hrVol && { volume24h: coin[`${code}_24h_vol`] ?? null }),
        ...(include24hrChange && { priceChangePercent24h: coin[`${code}_24h_change`] ?? null }),
      })
      const prices = Object.fromEntries(known.map((code) => [code, quote(code)]))
      return { coinId: id, prices, updatedAt: isoOfSeconds(coin.last_updated_at) }
    })
    return {
      rows,
      totalRows: rows.length,
      nextCursor: null,
      symbols,
      notFound: { coinIds: asked.filter((id) => idOf(id) === undefined), currencies: unknown },
    }
  },
})

/**
 * Codes no coin is quoted in. An inactive coin is `{}` whatever was asked: with nothing else,
 * nothing is known.
 */
function unknownCurrencies(prices: SimplePrices, codes: string[]): string[] {
  const coins = Object.values(prices).filter((coin) => Object.keys(coin).length > 0)
  return coins.length === 0 ? [] : codes.filter((code) => !coins.some((coin) => Object.hasOwn(coin, code)))
}

const LATEST_S = Date.UTC(9999, 0) / 1000

const isoOfSeconds = (seconds: number | null | undefined): string | null =>
  seconds && seconds > 0 && seconds < LATEST_S ? new Date(seconds * 1000).toISOString() : null
