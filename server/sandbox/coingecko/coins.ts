import { chanceOf } from '../seed'

export type SimulatedCoin = {
  id: string
  symbol: string
  name: string
  rank: number
  kind: 'live' | 'dust' | 'dormant' | 'inactive'
  priceUsd: number
  marketCapUsd: number
  volumeUsd: number
  changePercent: number
  supply: number
}

/**
 * Real ids, so that examples read naturally; every number is simulated. In order of rank: id,
 * symbol, name.
 */
const NAMED = `
bitcoin btc Bitcoin|ethereum eth Ethereum|tether usdt Tether|ripple xrp XRP|binancecoin bnb BNB|solana sol Solana
usd-coin usdc USDC|dogecoin doge Dogecoin|cardano ada Cardano|tron trx TRON|staked-ether steth Lido Staked Ether
wrapped-bitcoin wbtc Wrapped Bitcoin|chainlink link Chainlink|avalanche-2 avax Avalanche|stellar xlm Stellar|sui sui Sui
hedera-hashgraph hbar Hedera|shiba-inu shib Shiba Inu|the-open-network ton Toncoin|polkadot dot Polkadot|litecoin ltc Litecoin
bitcoin-cash bch Bitcoin Cash|uniswap uni Uniswap|dai dai Dai|pepe pepe Pepe|near near NEAR Protocol|aptos apt Aptos
internet-computer icp Internet Computer|monero xmr Monero|ethereum-classic etc Ethereum Classic|aave aave Aave|vechain vet VeChain
cosmos atom Cosmos Hub|algorand algo Algorand|filecoin fil Filecoin|arbitrum arb Arbitrum|optimism op Optimism
render-token rndr Render|kaspa kas Kaspa|fantom ftm Fantom|maker mkr Maker|immutable-x imx Immutable|injective-protocol inj Injective
theta-token theta Theta Network|the-graph grt The Graph|lido-dao ldo Lido DAO|quant-network qnt Quant|tezos xtz Tezos
eos eos EOS|flow flow Flow|the-sandbox sand The Sandbox|decentraland mana Decentraland|iota iota IOTA|neo neo NEO
zcash zec Zcash|dash dash Dash|curve-dao-token crv Curve DAO|compound-governance-token comp Compound|basic-attention-token bat Basic Attention
salt-and-ember sae Salt &amp; Ember
sandbox-dust dust Sandbox Dust|sandbox-dormant zzz Sandbox Dormant|sandbox-inactive off Sandbox Inactive`

const rounded = (value: number): number => Number(value.toPrecision(8))

const KINDS: Record<string, SimulatedCoin['kind']> = {
  'sandbox-dust': 'dust',
  'sandbox-dormant': 'dormant',
  'sandbox-inactive': 'inactive',
}

/** Worth a dollar, and unmoved: a change of exactly 0 is a number like any other. */
const STABLE = new Set(['tether', 'usd-coin', 'dai'])

function makeCoin(line: string, index: number): SimulatedCoin {
  const [id = '', symbol = '', ...name] = line.trim().split(' ')
  const rank = index + 1
  const kind = KINDS[id] ?? 'live'
  const stable = STABLE.has(id)
  const livePrice = stable ? 1 : rounded(10 ** (chanceOf(`price ${id}`) * 7 - 2))
  const priceUsd = kind === 'dust' ? 1.23e-9 : livePrice
  const marketCapUsd = kind === 'live' ? Math.round(2e12 / rank ** 1.6) : 0
  return {
    id,
    symbol,
    name: name.join(' '),
    rank,
    kind,
    priceUsd,
    marketCapUsd,
    volumeUsd: kind === 'live' ? Math.round(marketCapUsd * (0.01 + chanceOf(`volume ${id}`) / 10)) : 0,
    changePercent: stable ? 0 : Number((chanceOf(`change ${id}`) * 20 - 10).toFixed(4)),
    supply: kind === 'live' ? Math.round(marketCapUsd / priceUsd) : 0,
  }
}

export const simulatedCoins: readonly SimulatedCoin[] = NAMED.trim().split(/[|\n]/).map(makeCoin)

export const coinsById: ReadonlyMap<string, SimulatedCoin> = new Map(simulatedCoins.map((coin) => [coin.id, coin]))

/** Units of a currency for one US dollar. */
export const EXCHANGE_RATES: Readonly<Record<string, number>> = {
  usd: 1,
  eur: 0.86,
  gbp: 0.75,
  jpy: 151.2,
  chf: 0.8,
  cny: 7.1,
  inr: 88.4,
  btc: 1 / (coinsById.get('bitcoin')?.priceUsd ?? 1),
  eth: 1 / (coinsById.get('ethereum')?.priceUsd ?? 1),
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
    price: rounded(coin.priceUsd * rate),
    marketCap: rounded(coin.marketCapUsd * rate),
    volume: dust ? null : rounded(coin.volumeUsd * rate),
    changePercent: dust ? null : coin.changePercent,
  }
}
