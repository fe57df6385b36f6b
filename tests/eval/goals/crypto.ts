import { coinsById, quoteCoin, simulatedCoins } from '../../../server/sandbox/coingecko/coins'
import { calledTimes, lacks, unless } from '../checks'
import type { Goal } from '../goal'
import { visibleField } from '../models/visible'

const quote = (id: string, currency: string) => {
  const coin = coinsById.get(id)
  return (coin && quoteCoin(coin, currency)?.price) ?? 0
}

export const cryptoGoals: readonly Goal[] = [
  {
    id: 'two-prices',
    agent: 'crypto',
    text: () => 'What do the coins bitcoin and ethereum cost in euros right now?',
    maxCredits: 80,
    solve: (ask) => {
      const rows = ask.rows(ask.call('crypto_get_prices', { coinIds: ['bitcoin', 'ethereum'], currencies: ['eur'] }))
      return rows
        .map(({ coinId, prices }) => `- ${coinId}: ${visibleField(JSON.stringify(prices), 'price')} EUR`)
        .join('\n')
    },
    check: (o) => [
      ...lacks(o, quote('bitcoin', 'eur'), quote('ethereum', 'eur')),
      ...calledTimes(o, 'crypto_get_prices', { min: 1, max: 1 }),
    ],
  },
  {
    id: 'market-table',
    agent: 'crypto',
    text: () =>
      'Of the 60 largest coins by market cap, in US dollars: which coin fell most in the last 24 hours, and by how many percent?',
    maxCredits: 400,
    solve: (ask) => {
      const rows = ask.rows(ask.call('crypto_get_market_data', { perPage: 60 }))
      const worst = rows.reduce((a, b) => (Number(b.priceChangePercent24h) < Number(a.priceChangePercent24h) ? b : a))
      return `**${worst.name}** (${worst.coinId}) fell most: ${worst.priceChangePercent24h} %.`
    },
    check: (o) => {
      const largest = simulatedCoins.slice(0, 60).filter(({ kind }) => kind === 'live')
      const worst = largest.reduce((a, b) => (b.changePercent < a.changePercent ? b : a))
      return lacks(o, worst.name, Math.abs(worst.changePercent))
    },
  },
  {
    id: 'unknown-coin',
    agent: 'crypto',
    text: () =>
      'What does the crypto coin gatecoin-2000 cost, and what does the coin litecoin cost, in USD? Say so when there is no such coin.',
    maxCredits: 80,
    mishap: (n) => (n === 0 ? 'unknown_tool' : null),
    solve: (ask) => {
      const shown = ask.call('crypto_get_prices', { coinIds: ['gatecoin-2000', 'litecoin'] })
      const [row] = ask.rows(shown)
      const missing = /"notFound":\{"coinIds":\["([^"]+)"/.exec(shown.text)?.[1]
      return `${row?.coinId}: ${visibleField(JSON.stringify(row?.prices), 'price')} USD. There is no coin ${missing}.`
    },
    check: (o) => lacks(o, quote('litecoin', 'usd'), 'gatecoin-2000'),
  },
  {
    id: 'structured-result',
    agent: 'crypto',
    text: () => 'What does the coin bitcoin cost in USD? Return the id and the price.',
    start: {
      outputSchema: {
        type: 'object',
        properties: { id: { type: 'string' }, priceUsd: { type: 'number' } },
        required: ['id', 'priceUsd'],
        additionalProperties: false,
      },
    },
    maxCredits: 100,
    solve: (ask, { name }) => {
      const [row] = ask.rows(ask.call('crypto_get_prices', { coinIds: ['bitcoin'] }))
      const price = visibleField(JSON.stringify(row?.prices), 'price')
      // A hasty model gives the number as text first, and corrects it when that is refused.
      const isRefused = /schema|priceUsd must|number/i.test(
        ask.conversation.text.split(ask.conversation.goal).at(-1) ?? '',
      )
      return JSON.stringify({ id: row?.coinId, priceUsd: name === 'hasty' && !isRefused ? `${price} USD` : price })
    },
    check: (o) => {
      const output = o.job.output as { id?: unknown; priceUsd?: unknown } | null | undefined
      return unless(
        output?.id === 'bitcoin' && output.priceUsd === quote('bitcoin', 'usd'),
        `output is ${JSON.stringify(output ?? null)}`,
      )
    },
  },
]
