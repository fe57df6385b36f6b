import { z } from 'zod'
import type { ProviderContext } from '../provider'
import { type FoundCoin, searchCoins } from './coingecko-coins'

/** Symbols of one call that are looked up: each is a request to the provider. */
const MAX_SYMBOLS = 5
/** What looks like a symbol; an id that does not exist may look so, too. */
const SYMBOL = /^\$?[A-Za-z0-9.]{1,12}$/
/** A coin beyond this rank is not what a symbol alone means. */
const MAX_RANK = 500
/** Candidates that are listed. */
const MAX_CANDIDATES = 5

/** What a symbol was taken for. */
export const MeantCoin = z.object({
  asked: z.string(),
  meant: z.string().nullable().describe('The coinId of its row; null: several coins have this symbol, or none'),
  candidates: z.array(z.string()).describe('The coinIds of coins with this symbol, the largest first'),
})
export type MeantCoin = z.infer<typeof MeantCoin>

/** A symbol means the one coin with it among the largest, whatever small ones share it. */
function meantBy(asked: string, found: readonly FoundCoin[]): MeantCoin {
  const symbol = asked.replace(/^\$/, '').toLowerCase()
  const namesakes = found.filter((coin) => coin.symbol.toLowerCase() === symbol)
  const large = namesakes.filter(({ market_cap_rank: rank }) => rank !== null && rank <= MAX_RANK)
  return {
    asked,
    meant: large.length === 1 ? (large[0]?.id ?? null) : null,
    candidates: namesakes.slice(0, MAX_CANDIDATES).map(({ id }) => id),
  }
}

/**
 * What is meant by those of `unknown` that look like symbols; the first few. What the provider
 * fails to say is not found: the prices of the others are there already.
 */
export async function readSymbols(context: ProviderContext, unknown: readonly string[]): Promise<MeantCoin[]> {
  const symbols = unknown.filter((text) => SYMBOL.test(text)).slice(0, MAX_SYMBOLS)
  const found = await Promise.all(
    symbols.map(async (asked) => meantBy(asked, await searchCoins(context, asked.replace(/^\$/, '')).catch(() => []))),
  )
  return found.filter(({ candidates }) => candidates.length > 0)
}
