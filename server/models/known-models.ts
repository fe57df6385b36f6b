/**
 * What lists of models often leave out: sizes in tokens and prices in USD per million tokens, as
 * the providers published them.
 */
type KnownModel = {
  kind: 'chat' | 'embedding'
  contextSize: number
  maxOutput: number
  usdPer1mInput: number
  usdPer1mOutput: number
  usdPer1mCachedInput?: number
  vision: boolean
}

/** When the prices below were read. Prices change: whoever resells should compare them. */
export const KNOWN_PRICES_AS_OF = '2025-10'

type Price = [input: number, output: number, cached?: number]

const chat = (contextSize: number, maxOutput: number, [input, output, cached]: Price, vision = true): KnownModel => ({
  kind: 'chat',
  contextSize,
  maxOutput,
  usdPer1mInput: input,
  usdPer1mOutput: output,
  ...(cached !== undefined && { usdPer1mCachedInput: cached }),
  vision,
})

const embedding = (contextSize: number, usdPer1mInput: number): KnownModel => ({
  kind: 'embedding',
  contextSize,
  maxOutput: 0,
  usdPer1mInput,
  usdPer1mOutput: 0,
  vision: false,
})

/** By the provider's own name. Where long prompts cost more, the higher price stands. */
const KNOWN_MODELS: Readonly<Record<string, KnownModel>> = {
  'gpt-5': chat(400_000, 128_000, [1.25, 10, 0.125]),
  'gpt-5-mini': chat(400_000, 128_000, [0.25, 2, 0.025]),
  'gpt-5-nano': chat(400_000, 128_000, [0.05, 0.4, 0.005]),
  'gpt-4.1': chat(1_047_576, 32_768, [2, 8, 0.5]),
  'gpt-4.1-mini': chat(1_047_576, 32_768, [0.4, 1.6, 0.1]),
  'gpt-4.1-nano': chat(1_047_576, 32_768, [0.1, 0.4, 0.025]),
  'gpt-4o': chat(128_000, 16_384, [2.5, 10, 1.25]),
  'gpt-4o-mini': chat(128_000, 16_384, [0.15, 0.6, 0.075]),
  o3: chat(200_000, 100_000, [2, 8, 0.5]),
  'o4-mini': chat(200_000, 100_000, [1.1, 4.4, 0.275]),
  'claude-opus-4-1': chat(200_000, 32_000, [15, 75, 1.5]),
  'claude-sonnet-4-5': chat(200_000, 64_000, [3, 15, 0.3]),
  'claude-sonnet-4': chat(200_000, 64_000, [3, 15, 0.3]),
  'claude-haiku-4-5': chat(200_000, 64_000, [1, 5, 0.1]),
  'claude-3-5-haiku': chat(200_000, 8_192, [0.8, 4, 0.08]),
  'gemini-2.5-pro': chat(1_048_576, 65_536, [2.5, 15]),
  'gemini-2.5-flash': chat(1_048_576, 65_536, [0.3, 2.5]),
  'gemini-2.5-flash-lite': chat(1_048_576, 65_536, [0.1, 0.4]),
  'text-embedding-3-small': embedding(8_191, 0.02),
  'text-embedding-3-large': embedding(8_191, 0.13),
  'gemini-embedding-001': embedding(2_048, 0.15),
}

/** Dated names of one model: `gpt-4o-2024-08-06`, `claude-3-5-haiku-latest`. */
const VERSION = /-(?:latest|\d{8}|\d{4}-\d{2}-\d{2})$/

/** Sizes and prices of a well-known model, by its name at its provider; undefined: not known. */
export const findKnownModel = (name: string): KnownModel | undefined =>
  KNOWN_MODELS[name] ?? KNOWN_MODELS[name.replace(VERSION, '')]
