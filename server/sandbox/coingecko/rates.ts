import { coinsById } from './coins'
import tables from './coins.json'

const perCoin = (id: string) => 1 / (coinsById.get(id)?.priceUsd ?? 1)

/** Units of a currency for one US dollar. */
export const EXCHANGE_RATES: Readonly<Record<string, number>> = {
  ...tables.fiat,
  ...Object.fromEntries(Object.entries(tables.coinCodes).map(([code, id]) => [code, perCoin(id)])),
  bits: perCoin('bitcoin') * 1e6,
  sats: perCoin('bitcoin') * 1e8,
}
