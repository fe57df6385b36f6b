import type { ToolGroup } from '../define'
import { cryptoGetMarketData } from './crypto_get_market_data'
import { cryptoGetPrices } from './crypto_get_prices'
import { cryptoPriceHistory } from './crypto_price_history'
import { cryptoSearch } from './crypto_search'
import { cryptoSettings } from './settings'

/**
 * Coins and their markets, from CoinGecko v3. Works without a key; a key raises the provider's
 * limits.
 */
export const cryptoGroup: ToolGroup = {
  id: 'crypto',
  label: 'Crypto',
  provider: 'CoinGecko',
  agent: 'crypto',
  names: [
    'crypto',
    'krypto',
    'kripto',
    'cripto',
    'крипто',
    'bitcoin',
    'btc',
    'ethereum',
    'ether',
    'eth',
    'solana',
    'stablecoin',
    'defi',
    'altcoin',
  ],
  settings: cryptoSettings,
  tools: [cryptoGetPrices, cryptoGetMarketData, cryptoSearch, cryptoPriceHistory],
}
