import { drawFrom } from '../kit/seed'
import { daysAgo, isoTime } from '../kit/time'
import { roundAmount, type SimulatedCoin } from './coins'
import tables from './coins.json'
import { quoteCoin } from './quote'

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
  const now = isListed ? quoteCoin(coin, currency) : null
  const price = now?.price ?? null
  const times = (factor: number) => (price === null ? null : roundAmount(price * factor))
  const percent = (factor: number) => (price === null ? null : Number((100 / factor - 100).toFixed(5)))
  const { ath, athDate, atl, atlDate } = extremesOf(coin)
  const { high, low } = rangeOf(coin)
  const maxSupply = maxSupplyOf(coin)
  const change = now?.changePercent ?? null
  // The part of today's value that was not there yesterday.
  const grown = change === null ? null : 1 - 1 / (1 + change / 100)
  return {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    image: isListed ? `https://assets.example.com/coins/${coin.id}/large.png` : 'missing_large.png',
    current_price: price,
    market_cap: now?.marketCap ?? null,
    market_cap_rank: coin.kind === 'live' ? coin.rank : null,
    fully_diluted_valuation: maxSupply === null ? (now?.marketCap ?? null) : times(maxSupply),
    total_volume: now?.volume ?? 0,
    high_24h: times(high),
    low_24h: times(low),
    price_change_24h: grown === null ? null : times(grown),
    price_change_percentage_24h: change,
    market_cap_change_24h: now?.marketCap && grown !== null ? roundAmount(now.marketCap * grown) : null,
    market_cap_change_percentage_24h: change,
    circulating_supply: coin.supply,
    total_supply: isListed ? (maxSupply ?? coin.supply) : null,
    max_supply: maxSupply,
    ath: times(ath),
    ath_change_percentage: percent(ath),
    ath_date: price === null ? null : athDate,
    atl: times(atl),
    atl_change_percentage: percent(atl),
    atl_date: price === null ? null : atlDate,
    roi: null,
    last_updated: isListed ? isoTime(daysAgo(0)) : null,
  }
}
