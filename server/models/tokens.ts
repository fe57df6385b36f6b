import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { WrittenText } from './completion'

/** Characters tokenized at once: BPE is quadratic in a run without boundaries, such as 'aaaa…'. */
const SLICE = 512
/** Longest time of counting before it yields to the event loop. */
const YIELD_MS = 8
/**
 * Characters that are tokenized; each byte after them counts as a token, which is never too low.
 */
export const MAX_EXACT_CHARACTERS = 1024 * 1024

const TEXT_ONLY = { disallowedSpecial: new Set<string>() }

type Counter = (text: string) => number

let counter: Promise<Counter> | undefined

/**
 * The tokenizer, o200k_base. Reading its table stops the process for 0.15 s, so it is loaded at
 * first use, and by processes that serve before they do.
 */
function loadCounter(): Promise<Counter> {
  counter ??= import('gpt-tokenizer/encoding/o200k_base').then(
    ({ countTokens }) =>
      (text) =>
        countTokens(text, TEXT_ONLY),
  )
  return counter
}

/**
 * Loads the tokenizer ahead of the first call, and counts once: the patterns that split a text are
 * compiled for those of one byte a character and for others.
 */
export async function loadTokenizer(): Promise<void> {
  const count = await loadCounter()
  for (const text of ['a first text', 'första – текст']) count(text)
}

/** Where a slice that starts at `from` ends: before its last blank, never inside a character. */
function endOfSlice(text: string, from: number): number {
  const end = from + SLICE
  if (end >= text.length) return text.length
  const blank = text.lastIndexOf(' ', end)
  if (blank > from) return blank
  const unit = text.charCodeAt(end)
  return unit >= 0xdc00 && unit <= 0xdfff ? end - 1 : end
}

/**
 * Tokens of a text. Special tokens in it count as plain text. What exceeds `maxExact` characters is
 * overestimated. Long work yields to the event loop in between.
 */
export async function countTokens(text: string, maxExact = MAX_EXACT_CHARACTERS): Promise<number> {
  const count = await loadCounter()
  if (maxExact <= 0) return Buffer.byteLength(text)
  const exact = Math.min(text.length, maxExact)
  let tokens = 0
  let lastYield = performance.now()
  for (let from = 0; from < exact; ) {
    const to = endOfSlice(text, from)
    tokens += count(text.slice(from, to))
    from = to
    if (from >= exact && from < text.length) return tokens + Buffer.byteLength(text.slice(from))
    if (performance.now() - lastYield < YIELD_MS) continue
    await yieldToEventLoop()
    lastYield = performance.now()
  }
  return tokens
}

/**
 * Lengths that are cached. Shorter texts are counted as fast as looked up, and V8 hashes only a
 * part of longer ones.
 */
const CACHED = { min: 64, max: 16_000 }

const cache = new LRUCache<string, number>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (_tokens, text) => text.length,
})

/**
 * Like `countTokens`, for texts that repeat: system prompts, tool definitions, earlier messages.
 */
export async function countTokensCached(text: string, maxExact = MAX_EXACT_CHARACTERS): Promise<number> {
  const { length } = text
  if (length < CACHED.min || length > Math.min(CACHED.max, maxExact)) return countTokens(text, maxExact)
  const known = cache.get(text)
  if (known !== undefined) return known
  const tokens = await countTokens(text)
  cache.set(text, tokens)
  return tokens
}

export type TokenCounter = {
  /**
   * Adds the next piece of a text; pieces of one lane are one text. Cheap: pieces are counted in
   * batches.
   */
  add: (text: string, lane?: string) => void
  /** Adds the texts of a chunk or an answer. */
  addTexts: (texts: readonly WrittenText[]) => void
  /** Tokens of everything so far. */
  total: () => Promise<number>
}

const BATCH = 64 * 1024

/**
 * Where the last whole slice of a text ends. Counting up to there and from there gives the count of
 * the whole.
 */
function endOfWhole(text: string): number {
  let end = 0
  while (text.length - end > SLICE) end = endOfSlice(text, end)
  return end
}

/**
 * Counts texts that arrive in pieces: at most 64 Ki characters of each wait, none is tokenized
 * twice, and the count does not depend on how a text is split.
 */
export function makeTokenCounter(): TokenCounter {
  const lanes = new Map<string, { pieces: string[]; size: number }>()
  let counted = Promise.resolve(0)
  const count = (text: string) => {
    counted = counted.then(async (sum) => sum + (await countTokens(text)))
  }
  const add = (text: string, lane = '') => {
    const waiting = lanes.get(lane) ?? { pieces: [], size: 0 }
    lanes.set(lane, waiting)
    waiting.pieces.push(text)
    waiting.size += text.length
    if (waiting.size < BATCH) return
    const whole = waiting.pieces.join('')
    const end = endOfWhole(whole)
    count(whole.slice(0, end))
    lanes.set(lane, { pieces: [whole.slice(end)], size: whole.length - end })
  }
  return {
    add,
    addTexts: (texts) => {
      for (const { lane, text } of texts) add(text, lane)
    },
    total: async () => {
      const open = await Promise.all([...lanes.values()].map(({ pieces }) => countTokens(pieces.join(''))))
      return open.reduce((sum, n) => sum + n, await counted)
    },
  }
}
