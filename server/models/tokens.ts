import { createHash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { WrittenText } from './completion'
import { type CountText, endOfSlice, importTokenizer, SLICE } from './count-slices'

/** Longest time of counting before it yields to the event loop. */
const YIELD_MS = 8
/**
 * Characters that are tokenized; each byte after them counts as a token, which is never too low.
 */
export const MAX_EXACT_CHARACTERS = 1024 * 1024

let counter: Promise<CountText> | undefined

/** The tokenizer, loaded at first use, and by processes that serve before they do. */
export function loadCounter(): Promise<CountText> {
  counter ??= importTokenizer()
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
 * Lengths that are cached: shorter texts are counted as fast as looked up. Of longer ones than
 * `asText` V8 hashes only a part, so they are known by a hash.
 */
const CACHED = { min: 64, asText: 16_000, max: MAX_EXACT_CHARACTERS }
const HASH_SIZE = 128

const cache = new LRUCache<string, number>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (_tokens, key) => key.length + HASH_SIZE,
})

const isCached = ({ length }: string) => length >= CACHED.min && length <= CACHED.max

const cacheKey = (text: string): string =>
  text.length <= CACHED.asText ? text : `${text.length} ${createHash('sha256').update(text).digest('base64')}`

/** The tokens of a text that was counted before. */
export const knownTokens = (text: string): number | undefined =>
  isCached(text) ? cache.get(cacheKey(text)) : undefined

/** Keeps the tokens of a text that may come again. */
export function rememberTokens(text: string, tokens: number): void {
  if (isCached(text)) cache.set(cacheKey(text), tokens)
}

/**
 * Like `countTokens`, for texts that repeat: system prompts, tool definitions, earlier messages.
 */
export async function countTokensCached(text: string, maxExact = MAX_EXACT_CHARACTERS): Promise<number> {
  if (text.length > maxExact) return countTokens(text, maxExact)
  const known = knownTokens(text)
  if (known !== undefined) return known
  const tokens = await countTokens(text)
  rememberTokens(text, tokens)
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
  /** Tokens of what is counted already, which lags behind. */
  counted: () => number
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
  let sum = 0
  const count = (text: string) => {
    counted = counted.then(async (before) => {
      sum = before + (await countTokens(text))
      return sum
    })
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
    counted: () => sum,
    total: async () => {
      const open = await Promise.all([...lanes.values()].map(({ pieces }) => countTokens(pieces.join(''))))
      return open.reduce((sum, n) => sum + n, await counted)
    },
  }
}
