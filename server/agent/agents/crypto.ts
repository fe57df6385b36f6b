import { type Agent, toolsOfAgent } from './shape'

export const cryptoAgent: Agent = {
  id: 'crypto',
  label: 'Crypto',
  about: 'knows prices, volumes and market data of crypto currencies',
  words:
    'crypto,bitcoin,btc,ethereum,eth,coin,coins,token price,market cap,altcoin,stablecoin,solana,defi,blockchain,crypto currency,cryptocurrency'.split(
      ',',
    ),
  instructions:
    'You are the crypto agent. Take every number from a tool call of this run, with its currency and time, and never from memory. You give no investment advice.',
  uses: toolsOfAgent('crypto'),
}
