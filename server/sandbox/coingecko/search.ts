import { type SimulatedCoin, simulatedCoins } from './coins'
import tables from './coins.json'

const rowOf = ({ id, symbol, name, rank }: { id: string; symbol: string; name: string; rank: number | null }) => ({
  id,
  name,
  api_symbol: id,
  symbol: symbol.toUpperCase(),
  market_cap_rank: rank,
  thumb: `https://assets.example.com/coins/${id}/thumb.png`,
  large: `https://assets.example.com/coins/${id}/large.png`,
})

/** https://docs.coingecko.com/reference/search-data: coins by rank, and lists of other things. */
export function searchAnswer(query: string) {
  const wanted = query.trim().toLowerCase()
  const fits = ({ id, symbol, name }: Pick<SimulatedCoin, 'id' | 'symbol' | 'name'>) =>
    wanted !== '' && [id, symbol, name].some((text) => text.toLowerCase().includes(wanted))
  const ranked = simulatedCoins.map((coin) => ({ ...coin, rank: coin.kind === 'live' ? coin.rank : null }))
  // Two coins of one symbol and size, and two unranked ones with the symbol of a large one.
  const coins = [...ranked, ...tables.twins, ...tables.namesakes]
    .filter(fits)
    .sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity))
    .slice(0, 25)
    .map(rowOf)
  return { coins, exchanges: [], icos: [], categories: [], nfts: [] }
}
