import { type SimulatedCoin, simulatedCoins } from './coins'

/** Coins that have a symbol of a large one, as the provider has many: none of them has a rank. */
const NAMESAKES = [
  { id: 'bitcoin-saltwater', symbol: 'btc', name: 'Bitcoin Saltwater' },
  { id: 'ember-ether', symbol: 'eth', name: 'Ember Ether' },
]

/** Two coins of about the same size with one symbol. */
const TWINS = [
  { id: 'tide-token', symbol: 'tide', name: 'Tide Token', rank: 612 },
  { id: 'tidewater', symbol: 'tide', name: 'Tidewater', rank: 640 },
]

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
  const coins = [...ranked, ...TWINS, ...NAMESAKES.map((coin) => ({ ...coin, rank: null }))]
    .filter(fits)
    .sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity))
    .slice(0, 25)
    .map(rowOf)
  return { coins, exchanges: [], icos: [], categories: [], nfts: [] }
}
