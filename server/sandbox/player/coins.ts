import { isRecord, type UnknownRecord } from '../../kit/record'
import { type PlannedStep, type PlayerAsk, type PlayerPart, pricedStep, type WantedCall } from './ask'
import { failureOf, fieldsIn, resultRows, resultValue, rowNumber, rowText } from './calls'
import { type Chapter, chartBlock, makeChapter, onlyGaps, plainLine, shownAmount, tableOf } from './chapter'
import type { PlayerView } from './view'
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
const COIN_PAGE = 'https://www.coingecko.com/en/coins/'

type CoinsWish = { ids: string[]; currency: string; top: number }

function readCoinsWish({ text }: Wish): CoinsWish {
  const ids = COINS.filter(({ words }) => words.test(text)).map(({ id }) => id)
  const currency = CURRENCIES.find(([, words]) => words.test(text))?.[0] ?? 'usd'
  const asked = /\btop[ -](\d+)|\b(\d+) (?:largest|biggest|coins|crypto)/i.exec(text)
  const top = Math.min(MAX_ROWS, Math.max(3, Number(asked?.[1] ?? asked?.[2] ?? 10)))
  return { ids, currency, top }
}

const callOf = ({ ids, currency, top }: CoinsWish): WantedCall =>
  ids.length > 0
    ? { name: 'crypto_get_prices', args: { coinIds: ids, currencies: [currency] } }
    : { name: 'crypto_get_market_data', args: { vsCurrency: currency, perPage: top } }

function plan(wish: Wish, view: PlayerView): PlannedStep[] {
  const coins = readCoinsWish(wish)
  const what = coins.ids.length > 0 ? `the price of ${coins.ids.join(', ')}` : `the ${coins.top} largest coins`
  return [pricedStep(view, `Look up ${what}`, [callOf(coins).name])]
}

type Quoted = ReturnType<typeof quotesIn>[number]

const quotesIn = (rows: readonly UnknownRecord[], currency: string) =>
  rows.map((row) => {
    const quote = isRecord(row.prices) ? fieldsIn(row.prices[currency]) : row
    const [price, change] = [rowNumber(quote, 'price'), rowNumber(quote, 'priceChangePercent24h')]
    const id = rowText(row, 'coinId')
    return { id, name: rowText(row, 'name') || id, price, change, marketCap: rowNumber(quote, 'marketCap') }
  })

const percent = (value: number | null) => (value === null ? '–' : `${value > 0 ? '+' : ''}${value.toFixed(2)} %`)
const billions = (value: number | null, currency: string) =>
  value === null ? '–' : `${shownAmount(Math.round(value / 1e7) / 100, currency)} bn`

function leadOf(quotes: readonly Quoted[], currency: string): string {
  const [first, second] = quotes
  if (!first) return ''
  const price = (quote: Quoted) => shownAmount(quote.price, currency)
  const said = `**${plainLine(first.name)} costs ${price(first)}** (${percent(first.change)} in 24 hours)`
  const other = second && `, ${plainLine(second.name)} ${price(second)} (${percent(second.change)})`
  const byChange = [...quotes].sort((a, b) => (b.change ?? -999) - (a.change ?? -999))
  const [best, worst] = [byChange[0], byChange.at(-1)]
  if (quotes.length < 3 || !best || !worst) return `${said}${other ?? ''}.`
  return `${said}. The most gained ${plainLine(best.name)} (${percent(best.change)}), the least ${plainLine(worst.name)} (${percent(worst.change)}).`
}

function play(ask: PlayerAsk, wish: Wish): Chapter[] {
  const coins = readCoinsWish(wish)
  const { currency } = coins
  const title = coins.ids.length > 0 ? 'Prices' : 'The market'
  const [call = null] = ask.all([callOf(coins)])
  if (!call) return onlyGaps(title, 'No price was looked up.')
  if (call.failed) return onlyGaps(title, `The prices could not be looked up: ${failureOf(call)}`)
  const quotes = quotesIn(resultRows(call), currency)
  const unknown = fieldsIn(resultValue(call)?.notFound).coinIds
  const gaps = [unknown ?? []].flat().map((id) => `The source has no coin ${plainLine(String(id), 60)}.`)
  if (quotes.length === 0) return onlyGaps(title, ...(gaps.length > 0 ? gaps : ['No prices came back.']))
  const changes = quotes.flatMap(({ name, change }): [string, number][] =>
    change === null ? [] : [[plainLine(name, 30), Math.round(change * 100) / 100]],
  )
  const chart = chartBlock({ title: 'Change in 24 hours', unit: '%', rows: changes.slice(0, 12) })
  const table = tableOf(
    quotes,
    ['Coin', ({ id, name }) => `[${plainLine(name, 40)}](${COIN_PAGE}${encodeURIComponent(id)})`],
    ['Id', ({ id }) => id],
    ['Price', ({ price }) => shownAmount(price, currency)],
    ['24 hours', ({ change }) => percent(change)],
    ['Market capitalisation', ({ marketCap }) => billions(marketCap, currency)],
  )
  return [makeChapter({ title, lead: leadOf(quotes, currency), gaps, blocks: [table, changes.length > 1 && chart] })]
}

/** Prices of the coins that are named, or the head of the market table. */
export const coinsPart: PlayerPart = { topic: 'coins', plan, play }
