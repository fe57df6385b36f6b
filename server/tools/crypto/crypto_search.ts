import { decodeHTMLStrict } from 'entities/decode'
import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { searchCoins } from './coingecko-coins'
import { imageUrl } from './image-url'

export const cryptoSearch = defineTool({
  id: 'crypto_search',
  label: 'Crypto search',
  capability: 'crypto',
  isRare: true,
  leadsTo: ['crypto_get_prices', 'crypto_price_history'],
  description:
    'Finds coins by name or symbol, the largest by market capitalisation first, with the coinId that the other crypto tools ' +
    'take. Several coins may have one symbol.',
  params: z.strictObject({
    query: z.string().trim().min(1).max(100).describe('A name or symbol, such as chainlink or LINK'),
    limit: z.int().min(1).max(50).default(10).describe('Coins at most'),
  }),
  example: { query: 'bitcoin' },
  output: z.object({
    rows: z.array(
      z.object({
        coinId: z.string(),
        symbol: z.string(),
        name: z.string(),
        rank: z.number().nullable().describe('By market capitalisation, 1 is the largest; null: it has none'),
        logo: z.string().nullable().describe('URL of an image'),
      }),
    ),
    totalRows: z.int().describe('Coins that were found, also beyond the limit'),
    nextCursor: z.null(),
  }),
  pricing: { kind: 'fixed', credits: 1 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: () => true,
  async run({ query, limit }, context) {
    const found = await searchCoins(context, query)
    const rows = found.slice(0, limit).map((coin) => ({
      coinId: coin.id,
      symbol: decodeHTMLStrict(coin.symbol),
      name: decodeHTMLStrict(coin.name),
      rank: coin.market_cap_rank,
      logo: imageUrl(coin.large),
    }))
    return { rows, totalRows: found.length, nextCursor: null }
  },
})
