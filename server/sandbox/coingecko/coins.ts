import { drawFrom } from '../kit/seed'
import tables from './coins.json'

export type SimulatedCoin = ReturnType<typeof makeCoin> & { rank: number }

/** Coins that stand for what occurs at the provider; they come last in every list but by id. */
const KINDS: Record<string, string> = tables.kinds

/** To eight digits, as the provider has them. */
export const roundAmount = (value: number): number => Number(value.toPrecision(8))

/**
 * An entry of the table. Ids are real, so that the coins which people ask for exist; every number
 * is simulated. A price such as `@ethereum*1.2` follows another coin; supplies are in millions.
 */
type Entry = { id: string; symbol: string; price: string; supply: number; name: string }

const readEntry = (entry: string): Entry => {
  const [id = '', symbol = '', price = '', millions = '', ...name] = entry.split(' ')
  return { id, symbol, price, supply: Math.round(Number(millions) * 1e6), name: name.join(' ') }
}

const coinsIn = (lines: readonly string[]) =>
  lines.flatMap((line) => line.split('|')).map((entry) => makeCoin(readEntry(entry)))

const prices = new Map<string, number>()
/** The coin that another follows, by its id. */
const followed = new Map<string, string>()

/** A price of the table in USD; one that follows another coin is read after it. */
function priceOf({ id, price }: Entry): number {
  const [leader = '', factor = '1'] = price.slice(1).split('*')
  const isFollower = price.startsWith('@')
  if (isFollower) followed.set(id, leader)
  const usd = isFollower ? roundAmount((prices.get(leader) ?? 0) * Number(factor)) : Number(price)
  prices.set(id, usd)
  return usd
}

/** The change of a day: mostly small, seldom beyond ten percent; none for a coin worth a dollar. */
function changeOf(id: string, priceUsd: number): number {
  if (priceUsd === 1) return 0
  const { chance } = drawFrom(`coin ${followed.get(id) ?? id}`)
  const sum = chance('change 1') + chance('change 2') + chance('change 3')
  return Number(((sum - 1.5) * 9).toFixed(4))
}

function makeCoin(entry: Entry) {
  const { id, symbol, name, supply } = entry
  const priceUsd = priceOf(entry)
  const marketCapUsd = Math.round(priceUsd * supply)
  const { chance } = drawFrom(`coin ${id}`)
  const turnover = priceUsd === 1 ? 0.2 + chance('volume') / 3 : 0.015 + chance('volume') / 9
  return {
    id,
    symbol,
    name,
    supply,
    priceUsd,
    marketCapUsd,
    kind: (KINDS[id] ?? 'live') as 'live' | 'dust' | 'dormant' | 'inactive',
    volumeUsd: Math.round(marketCapUsd * turnover),
    changePercent: changeOf(id, priceUsd),
  }
}

/** Every coin by its rank, the odd ones last. */
export const simulatedCoins: readonly SimulatedCoin[] = [
  ...coinsIn(tables.coins).sort((a, b) => b.marketCapUsd - a.marketCapUsd),
  ...coinsIn(tables.odd),
].map((coin, index) => ({ ...coin, rank: index + 1 }))

export const coinsById: ReadonlyMap<string, SimulatedCoin> = new Map(simulatedCoins.map((coin) => [coin.id, coin]))

const perCoin = (id: string) => 1 / (coinsById.get(id)?.priceUsd ?? 1)

/** Units of a currency for one US dollar. */
export const EXCHANGE_RATES: Readonly<Record<string, number>> = {
  ...tables.fiat,
  ...Object.fromEntries(Object.entries(tables.coinCodes).map(([code, id]) => [code, perCoin(id)])),
  bits: perCoin('bitcoin') * 1e6,
  sats: perCoin('bitcoin') * 1e8,
}

/** Its numbers in a currency, null as the provider has it; null altogether: unknown currency. */
export function quoteCoin(coin: SimulatedCoin, currency: string) {
  const rate = Object.hasOwn(EXCHANGE_RATES, currency) ? EXCHANGE_RATES[currency] : undefined
  if (rate === undefined) return null
  if (coin.kind === 'dormant') return { price: null, marketCap: null, volume: null, changePercent: null }
  const dust = coin.kind === 'dust'
  return {
    price: roundAmount(coin.priceUsd * rate),
    marketCap: roundAmount(coin.marketCapUsd * rate),
    volume: dust ? null : roundAmount(coin.volumeUsd * rate),
    changePercent: dust ? null : coin.changePercent,
  }
}
