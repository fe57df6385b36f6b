import { coinsById, roundAmount, type SimulatedCoin } from './coins'
import tables from './coins.json'

const perCoin = (id: string) => 1 / (coinsById.get(id)?.priceUsd ?? 1)

/** Units of a currency for one US dollar. */
export const EXCHANGE_RATES: Readonly<Record<string, number>> = {
  ...tables.fiat,
  ...Object.fromEntries(Object.entries(tables.coinCodes).map(([code, id]) => [code, perCoin(id)])),
  bits: perCoin('bitcoin') * 1e6,
  sats: perCoin('bitcoin') * 1e8,
}

/**
 * A coin's numbers in a currency, null where the provider has null; null altogether for an unknown
 * currency.
 */
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
