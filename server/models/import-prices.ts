import { z } from 'zod'

const price = z.union([z.string(), z.number()]).nullish()
const prices = z.looseObject({
  prompt: price,
  completion: price,
  input_cache_read: price,
  input_cache_write: price,
})

/** The prices of an OpenRouter-style list, USD per token. `overrides`: those of longer prompts. */
export const ListedPricing = prices
  .extend({
    request: price,
    image_output: price,
    internal_reasoning: price,
    overrides: z.array(prices.extend({ min_prompt_tokens: z.number().nullish() })).nullish(),
  })
  .nullish()
type ListedPricing = z.infer<typeof ListedPricing>

/** Prices of a million tokens. Null: the list has none for the cache. */
type HighestPrices = {
  input: number
  output: number
  cached: number | null
  written: number | null
  /** Longer prompts or reasoning raised them. */
  isRaised: boolean
}

/**
 * USD per token as USD per million, without binary rounding errors. NaN where it is not a price.
 */
export const perMillion = (text: z.infer<typeof price>, markup: number): number => {
  const usd = text == null || text === '' ? Number.NaN : Number(text)
  return usd >= 0 ? exact(usd * 1e6 * markup) : Number.NaN
}

const exact = (usd: number) => Number(usd.toPrecision(12))

const highest = (...all: number[]) => Math.max(...all.filter((n) => !Number.isNaN(n)))

/**
 * The highest prices of a million tokens that can apply within a model's context, or null where one
 * is not known. A longer prompt that has no price of its own for the cache has one in proportion.
 */
export function highestTokenPrices(pricing: ListedPricing, contextSize: number, markup: number): HighestPrices | null {
  const base = { input: perMillion(pricing?.prompt, markup), output: perMillion(pricing?.completion, markup) }
  if (Number.isNaN(base.input) || Number.isNaN(base.output)) return null
  const overrides = (pricing?.overrides ?? []).filter((o) => (o.min_prompt_tokens ?? 0) < contextSize)
  const input = highest(base.input, ...overrides.map((o) => perMillion(o.prompt, markup)))
  const output = highest(
    base.output,
    perMillion(pricing?.internal_reasoning, markup),
    ...overrides.map((o) => perMillion(o.completion, markup)),
  )
  const ofCache = (name: 'input_cache_read' | 'input_cache_write') => {
    const usd = perMillion(pricing?.[name], markup)
    if (Number.isNaN(usd)) return null
    const inProportion = base.input > 0 ? exact((usd * input) / base.input) : usd
    return highest(inProportion, ...overrides.map((o) => perMillion(o[name], markup)))
  }
  return {
    input,
    output,
    cached: ofCache('input_cache_read'),
    written: ofCache('input_cache_write'),
    isRaised: input > base.input || output > base.output,
  }
}
