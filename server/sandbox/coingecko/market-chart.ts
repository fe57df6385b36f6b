import { chancesOf } from '../kit/seed'
import { roundAmount, type SimulatedCoin } from './coins'
import { quoteCoin } from './quote'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

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

/**
 * https://docs.coingecko.com/reference/coins-id-market-chart: points up to the present price, which
 * is the last.
 */
export function marketChart(coin: SimulatedCoin, asked: { currency: string; days: number; isDaily: boolean }) {
  const now = quoteCoin(coin, asked.currency)
  if (!now) return null
  const step = stepOf(asked.days, asked.isDaily)
  const end = Math.floor(Date.now() / step) * step
  const count = Math.round((asked.days * DAY_MS) / step)
  const times = Array.from({ length: count }, (_, i) => end - (count - 1 - i) * step)
  const last = factorAt(coin.id, end)
  const list = (value: number | null) =>
    times.map((at): [number, number | null] => [
      at,
      value === null ? null : roundAmount((value * factorAt(coin.id, at)) / last),
    ])
  return { prices: list(now.price), market_caps: list(now.marketCap), total_volumes: list(now.volume) }
}
