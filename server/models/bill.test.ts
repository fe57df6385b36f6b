import { describe, expect, it, vi } from 'vitest'
import { billCompletion, type CompletionCost } from './bill'

const prices = { creditsPer1mInput: 1_000_000n, creditsPer1mOutput: 2_000_000n }
const cost = (more: Partial<CompletionCost> = {}): CompletionCost => ({
  prices,
  reported: { inputTokens: 10, outputTokens: 5 },
  promptTokens: 12,
  countDelivered: async () => 4,
  held: 100n,
  ...more,
})

describe('the bill of a completion', () => {
  it('is the reported tokens times the prices', async () => {
    expect(await billCompletion(cost())).toEqual({
      credits: 20n,
      loss: 0n,
      usage: { inputTokens: 10, outputTokens: 5 },
      estimated: false,
      costUsd: null,
      detail: {
        inputTokens: 10,
        outputTokens: 5,
        creditsPer1mInput: 1_000_000,
        creditsPer1mOutput: 2_000_000,
        estimated: false,
      },
    })
  })

  it('is estimated from the prompt and what was delivered where the upstream reported nothing', async () => {
    const bill = await billCompletion(cost({ reported: null }))
    expect(bill).toMatchObject({ credits: 20n, usage: { inputTokens: 12, outputTokens: 4 }, estimated: true })
    expect(bill.detail).toMatchObject({ inputTokens: 12, outputTokens: 4, estimated: true })
  })

  it('counts nothing where usage was reported', async () => {
    const countDelivered = vi.fn(async () => 1)
    await billCompletion(cost({ countDelivered }))
    expect(countDelivered).not.toHaveBeenCalled()
  })

  it('names as loss what the hold does not cover, also on the receipt', async () => {
    const bill = await billCompletion(cost({ held: 15n }))
    expect(bill).toMatchObject({ credits: 20n, loss: 5n, detail: { loss: 5 } })
  })

  it('returns the cost that the upstream names, and keeps it from the receipt', async () => {
    const bill = await billCompletion(cost({ reported: { inputTokens: 10, outputTokens: 5, costUsd: 0.25 } }))
    expect(bill.costUsd).toBe(0.25)
    expect(bill.detail).not.toHaveProperty('costUsd')
  })

  it('has the split of the input on the receipt, with its prices', async () => {
    const reported = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 6, cacheWriteTokens: 2, reasoningTokens: 3 }
    const bill = await billCompletion(
      cost({ prices: { ...prices, creditsPer1mCachedInput: 500_000n, creditsPer1mCacheWrite: 1_250_000n }, reported }),
    )
    expect(bill).toMatchObject({ credits: 18n, usage: reported })
    expect(bill.detail).toMatchObject({
      inputTokens: 10,
      cachedInputTokens: 6,
      cacheWriteTokens: 2,
      creditsPer1mInput: 1_000_000,
      creditsPer1mCachedInput: 500_000,
      creditsPer1mCacheWrite: 1_250_000,
    })
  })

  it('does not repeat a split that cannot be believed', async () => {
    const bill = await billCompletion(cost({ reported: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 11 } }))
    expect(bill).toMatchObject({ credits: 20n, usage: { inputTokens: 10, outputTokens: 5 } })
    expect(bill.detail).not.toHaveProperty('cachedInputTokens')
  })
})
