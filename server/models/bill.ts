import type { ReceiptDetail } from '../credits/shape'
import type { ReportedUsage, TokenUsage } from './completion'
import { creditsForTokens, splitInput, type TokenPrices } from './prices'

/** What a completion's bill is made from. The completion may have ended early. */
export type CompletionCost = {
  prices: TokenPrices
  /**
   * What the upstream reported; null: nothing that can be believed, so prompt and output are
   * estimated.
   */
  reported: ReportedUsage | null
  /** Estimated tokens of the prompt. */
  promptTokens: number
  /** Counts the output tokens that were delivered; called only where nothing was reported. */
  countDelivered: () => Promise<number>
  /** Credits held. */
  held: bigint
}

export type CompletionBill = {
  /** What the tokens cost. Settle with this: the charge is the hold at most. */
  credits: bigint
  /** Credits above the hold, which the operator bears. */
  loss: bigint
  usage: TokenUsage
  /** True when the usage was counted here. */
  estimated: boolean
  /** What the upstream says it charges the operator, USD; null: it does not say. */
  costUsd: number | null
  /** The receipt's account of the charge. */
  detail: ReceiptDetail
}

/** Bills one completion, for every wire and for agents: tokens times the model's prices. */
export async function billCompletion(cost: CompletionCost): Promise<CompletionBill> {
  const { prices, reported, held } = cost
  const usage: TokenUsage = reported
    ? believed(reported)
    : { inputTokens: cost.promptTokens, outputTokens: await cost.countDelivered() }
  const estimated = reported === null
  const credits = creditsForTokens(usage, prices)
  const loss = credits > held ? credits - held : 0n
  const detail: ReceiptDetail = {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    creditsPer1mInput: Number(prices.creditsPer1mInput),
    creditsPer1mOutput: Number(prices.creditsPer1mOutput),
    ...cacheDetail(usage, prices),
    estimated,
    ...(loss > 0n && { loss: Number(loss) }),
  }
  return { credits, loss, usage, estimated, costUsd: reported?.costUsd ?? null, detail }
}

/** Reported usage without a split that cannot be believed, and without what it cost. */
function believed({ costUsd: _costUsd, ...reported }: ReportedUsage): TokenUsage {
  const { cached, written } = splitInput(reported)
  const { cachedInputTokens: _cached, cacheWriteTokens: _written, ...usage } = reported
  return {
    ...usage,
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(written > 0 && { cacheWriteTokens: written }),
  }
}

/** Which part of the input had another price, for the receipt. */
function cacheDetail(
  { cachedInputTokens, cacheWriteTokens }: TokenUsage,
  { creditsPer1mInput, creditsPer1mCachedInput, creditsPer1mCacheWrite }: TokenPrices,
): ReceiptDetail {
  return {
    ...(cachedInputTokens && {
      cachedInputTokens,
      creditsPer1mCachedInput: Number(creditsPer1mCachedInput ?? creditsPer1mInput),
    }),
    ...(cacheWriteTokens && {
      cacheWriteTokens,
      creditsPer1mCacheWrite: Number(creditsPer1mCacheWrite ?? creditsPer1mInput),
    }),
  }
}
