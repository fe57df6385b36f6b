import { isRecord, type UnknownRecord } from '../../kit/record'
import type { PlannedStep, PlayerAsk, PlayerPart, WantedCall } from './ask'
import { failureOf, resultRows, resultValue, rowNumber, rowText } from './calls'
import { type Chapter, makeChapter, plainLine, shownAmount } from './chapter'
import { type PlayerView, priceIn } from './view'
import type { Wish } from './wish'
import tables from './words.json'

/** Names and symbols that people write, with the ids that prices go by. */
const COINS = Object.entries(tables.coins).map(([id, words]) => ({ id, words: new RegExp(`\\b(?:${words})\\b`, 'i') }))
const CURRENCIES: readonly [code: string, words: RegExp][] = [
  ['eur', /€|\beuros?\b|\beur\b/i],
  ['gbp', /£|\bpounds?\b|\bgbp\b/i],
  ['chf', /\bchf\b|\bswiss francs?\b/i],
]
const MAX_ROWS = 25

type CoinsWish = { ids: string[]; currency: string; top: number }

function readCoinsWish({ text }: Wish): CoinsWish {
  const ids = COINS.filter(({ words }) => words.test(text)).map(({ id }) => id)
  const currency = CURRENCIES.find(([, words]) => words.test(text))?.[0] ?? 'usd'
  const asked = /\btop[ -](\d+)|\b(\d+) (?:largest|biggest|coins|crypto)/i.exec(text)
  const top = Math.min(MAX_ROWS, Math.max(3, Number(asked?.[1] ?? asked?.[2] ?? 10)))
  return { ids, currency, top }
}

function callOf({ ids, currency, top }: CoinsWish): WantedCall {
  return ids.length > 0
    ? { name: 'crypto_get_prices', args: { coinIds: ids, currencies: [currency] } }
    : { name: 'crypto_get_market_data', args: { vsCurrency: currency, perPage: top } }
}

function plan(wish: Wish, view: PlayerView): PlannedStep[] {
  const { name } = callOf(readCoinsWish(wish))
  const { ids, top } = readCoinsWish(wish)
  const what = ids.length > 0 ? `the price of ${ids.join(', ')}` : `the ${top} largest coins`
  return [{ title: `Look up ${what}`, tools: [name], credits: priceIn(view, name) ?? 0 }]
}

type Quoted = { id: string; name: string; price: number | null; change: number | null; marketCap: number | null }

function quotesIn(rows: readonly UnknownRecord[], currency: string): Quoted[] {
  return rows.map((row) => {
    const prices = isRecord(row.prices) ? row.prices[currency] : row
    const quote = isRecord(prices) ? prices : {}
    const id = rowText(row, 'coinId')
    return {
      id,
      name: rowText(row, 'name') || id,
      price: rowNumber(quote, 'price'),
      change: rowNumber(quote, 'priceChangePercent24h'),
      marketCap: rowNumber(quote, 'marketCap'),
    }
  })
}

const percent = (value: number | null) => (value === null ? '–' : `${value > 0 ? '+' : ''}${value.toFixed(2)} %`)
const billions = (value: number | null, currency: string) =>
  value === null ? '–' : `${shownAmount(Math.round(value / 1e7) / 100, currency)} bn`

function leadOf(quotes: readonly Quoted[], currency: string): string {
  const [first] = quotes
  if (!first) return ''
  const said = `**${plainLine(first.name)} costs ${shownAmount(first.price, currency)}** (${percent(first.change)} in 24 hours)`
  const byChange = [...quotes].sort((a, b) => (b.change ?? -999) - (a.change ?? -999))
  const best = byChange[0]
  const worst = byChange.at(-1)
  return quotes.length < 3 || !best || !worst
    ? `${said}${quotes[1] ? `, ${plainLine(quotes[1].name)} ${shownAmount(quotes[1].price, currency)} (${percent(quotes[1].change)})` : ''}.`
    : `${said}. The most gained ${plainLine(best.name)} (${percent(best.change)}), the least ${plainLine(worst.name)} (${percent(worst.change)}).`
}

function play(ask: PlayerAsk, wish: Wish): Chapter[] {
  const coins = readCoinsWish(wish)
  const { currency } = coins
  const title = coins.ids.length > 0 ? 'Prices' : 'The market'
  const [call = null] = ask.all([callOf(coins)])
  if (!call) return [makeChapter({ title, gaps: ['No price was looked up.'] })]
  if (call.failed) return [makeChapter({ title, gaps: [`The prices could not be looked up: ${failureOf(call)}`] })]
  const quotes = quotesIn(resultRows(call), currency)
  const missing = resultValue(call)?.notFound
  const unknown = isRecord(missing) && Array.isArray(missing.coinIds) ? missing.coinIds.map(String) : []
  const gaps = unknown.map((id) => `The source has no coin ${plainLine(id, 60)}.`)
  if (quotes.length === 0) return [makeChapter({ title, gaps: gaps.length > 0 ? gaps : ['No prices came back.'] })]
  const changes = quotes.flatMap(({ name, change }): [string, number][] =>
    change === null ? [] : [[plainLine(name, 30), Math.round(change * 100) / 100]],
  )
  return [
    makeChapter({
      title,
      lead: leadOf(quotes, currency),
      gaps,
      blocks: [
        {
          kind: 'table',
          head: ['Coin', 'Id', 'Price', '24 hours', 'Market capitalisation'],
          rows: quotes.map(({ id, name, price, change, marketCap }) => [
            `[${plainLine(name, 40)}](https://www.coingecko.com/en/coins/${encodeURIComponent(id)})`,
            id,
            shownAmount(price, currency),
            percent(change),
            billions(marketCap, currency),
          ]),
        },
        ...(changes.length > 1
          ? [{ kind: 'chart' as const, chart: { title: 'Change in 24 hours', unit: '%', rows: changes.slice(0, 12) } }]
          : []),
      ],
    }),
  ]
}

/** Prices of the coins that are named, or the head of the market table. */
export const coinsPart: PlayerPart = { topic: 'coins', plan, play }
