import { chancesOf, drawFrom, times } from '../kit/seed'
import { fillTemplate } from '../kit/template'
import { DAY_MS, daysAgo, HOUR_MS, isoTime, MINUTE_MS } from '../kit/time'
import { quoteCoin, roundAmount, type SimulatedCoin } from './coins'
import tables from './coins.json'

/** What people know of a coin: the most that will ever exist, and its highest price. */
const KNOWN: Record<string, { maxSupply?: number; athUsd?: number; athOn?: string }> = tables.known

function extremesOf({ id, priceUsd }: SimulatedCoin) {
  const { chance, int } = drawFrom(`coin ${id} extremes`)
  const known = KNOWN[id]
  const above = priceUsd === 1 ? 1.02 + chance('ath') / 20 : 1.3 + chance('ath') * 6
  const below = priceUsd === 1 ? 0.97 - chance('atl') / 20 : 0.02 + chance('atl') / 3
  const athDay = Date.UTC(2021, 0, 1 + int('ath day', 0, 1700))
  return {
    ath: (known?.athUsd ?? priceUsd * above) / priceUsd,
    athDate: known?.athOn ? `${known.athOn}T00:00:00.000Z` : isoTime(athDay),
    atl: below,
    atlDate: isoTime(Date.UTC(2015, 0, 1 + int('atl day', 0, 1800))),
  }
}

function maxSupplyOf({ id, supply }: SimulatedCoin): number | null {
  if (id in KNOWN) return KNOWN[id]?.maxSupply ?? null
  const chance = drawFrom(`coin ${id} supply`).chance('most')
  return chance < 0.4 ? null : Math.round(supply * (0.8 + chance))
}

/** The range of the day, as factors of the present price: both ends of the change are inside. */
function rangeOf({ id, changePercent, priceUsd }: SimulatedCoin) {
  if (priceUsd === 1) return { high: 1.0004, low: 0.9996 }
  const { chance } = drawFrom(`coin ${id} day`)
  const before = 1 / (1 + changePercent / 100)
  return {
    high: Math.max(1, before) * (1 + chance('high') / 60),
    low: Math.min(1, before) * (1 - chance('low') / 60),
  }
}

/** A coin as https://docs.coingecko.com/reference/coins-markets has it. */
export function marketRow(coin: SimulatedCoin, currency: string) {
  const isListed = coin.kind === 'live' || coin.kind === 'dust'
  const now = quoteCoin(coin, isListed ? currency : '') ?? NO_QUOTE
  const { price, marketCap, changePercent: change } = now
  const scaled = (factor: number) => (price === null ? null : roundAmount(price * factor))
  const percent = (factor: number) => (price === null ? null : Number((100 / factor - 100).toFixed(5)))
  const { ath, athDate, atl, atlDate } = extremesOf(coin)
  const { high, low } = rangeOf(coin)
  const maxSupply = maxSupplyOf(coin)
  // The part of today's value that was not there yesterday.
  const grown = change === null ? null : 1 - 1 / (1 + change / 100)
  return fillTemplate(tables.row, {
    ...coin,
    ...now,
    maxSupply,
    volume: now.volume ?? 0,
    high: scaled(high),
    low: scaled(low),
    image: isListed ? `https://assets.example.com/coins/${coin.id}/large.png` : 'missing_large.png',
    liveRank: coin.kind === 'live' ? coin.rank : null,
    diluted: maxSupply === null ? marketCap : scaled(maxSupply),
    grownPrice: grown === null ? null : scaled(grown),
    grownCap: marketCap && grown !== null ? roundAmount(marketCap * grown) : null,
    totalSupply: isListed ? (maxSupply ?? coin.supply) : null,
    ath: scaled(ath),
    athPercent: percent(ath),
    athDate: price === null ? null : athDate,
    atl: scaled(atl),
    atlPercent: percent(atl),
    atlDate: price === null ? null : atlDate,
    updated: isListed ? isoTime(daysAgo(0)) : null,
  })
}

const NO_QUOTE = { price: null, marketCap: null, volume: null, changePercent: null }

/** Minutes between two points, by how many days were asked for and whether daily ones were. */
const stepOf = (days: number, isDaily: boolean): number =>
  isDaily || days > 90 ? DAY_MS : days > 1 ? HOUR_MS : 5 * MINUTE_MS

/** A wave around 1 that depends on the coin and the time alone, so that two ranges agree. */
function factorAt(id: string, at: number): number {
  const [a = 0, b = 0, c = 0] = chancesOf(`coin ${id} history`)
  const days = at / DAY_MS
  return (
    1 +
    0.06 * Math.sin(days / (3 + 4 * a) + 9 * b) +
    0.03 * Math.sin(days / (0.7 + b)) +
    0.05 * Math.sin(days / (40 + 30 * c))
  )
}

/** https://docs.coingecko.com/reference/coins-id-market-chart: the present price is the last. */
export function marketChart(coin: SimulatedCoin, asked: { currency: string; days: number; isDaily: boolean }) {
  const now = quoteCoin(coin, asked.currency)
  if (!now) return null
  const step = stepOf(asked.days, asked.isDaily)
  const end = Math.floor(Date.now() / step) * step
  const count = Math.round((asked.days * DAY_MS) / step)
  const points = times(count, (n) => end - (count - 1 - n) * step)
  const last = factorAt(coin.id, end)
  const amountAt = (value: number | null, at: number) =>
    value === null ? null : roundAmount((value * factorAt(coin.id, at)) / last)
  const list = (value: number | null) => points.map((at) => [at, amountAt(value, at)])
  return { prices: list(now.price), market_caps: list(now.marketCap), total_volumes: list(now.volume) }
}
