import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { WrittenText } from './completion'

/** Letters read at once. BPE is quadratic in a run without boundaries: 'aaaa…' must not stop the process. */
const SLICE = 512
/** Longest stretch of counting before others get a turn, milliseconds. */
const TURN_MS = 8
/** Characters that are really tokenised; each byte after them counts as a token, which is never too low. */
export const MAX_EXACT_CHARACTERS = 1024 * 1024

const TEXT_ONLY = { disallowedSpecial: new Set<string>() }

type Counter = (text: string) => number

let counter: Promise<Counter> | undefined

/** The tokenizer, o200k_base. Reading its table takes 0.15 s, so it is loaded at first use. */
function loadCounter(): Promise<Counter> {
  counter ??= import('gpt-tokenizer/encoding/o200k_base').then(
    ({ countTokens }) =>
      (text) =>
        countTokens(text, TEXT_ONLY),
  )
  return counter
}

/** Loads the tokenizer ahead of the first call. */
export const loadTokenizer = async (): Promise<void> => void (await loadCounter())

/** Where a slice that starts at `from` ends: before its last blank, never inside a character. */
function endOfSlice(text: string, from: number): number {
  const most = from + SLICE
  if (most >= text.length) return text.length
  const blank = text.lastIndexOf(' ', most)
  if (blank > from) return blank
  const unit = text.charCodeAt(most)
  return unit >= 0xdc00 && unit <= 0xdfff ? most - 1 : most
}

/**
 * Tokens of a text. Special tokens in it count as the plain text they are. What exceeds `most` characters is
 * over-estimated; longer work gives way to others in between.
 */
export async function countTokens(text: string, most = MAX_EXACT_CHARACTERS): Promise<number> {
  const count = await loadCounter()
  if (most <= 0) return Buffer.byteLength(text)
  const exact = Math.min(text.length, most)
  let tokens = 0
  let turn = performance.now()
  for (let from = 0; from < exact; ) {
    const to = endOfSlice(text, from)
    tokens += count(text.slice(from, to))
    from = to
    if (from >= exact && from < text.length) return tokens + Buffer.byteLength(text.slice(from))
    if (performance.now() - turn < TURN_MS) continue
    await nextTurn()
    turn = performance.now()
  }
  return tokens
}

/** Shorter texts are counted as fast as they are looked up; V8 looks no further into longer ones to tell them apart. */
const REMEMBERED = { least: 64, most: 16_000 }

const remembered = new LRUCache<string, number>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (_tokens, text) => text.length,
})

/**
 * As `countTokens`, for texts that come again: system prompts, definitions of tools, what was said in the turns before.
 */
export async function countTokensCached(text: string, most = MAX_EXACT_CHARACTERS): Promise<number> {
  const { length } = text
  if (length < REMEMBERED.least || length > Math.min(REMEMBERED.most, most)) return countTokens(text, most)
  const known = remembered.get(text)
  if (known !== undefined) return known
  const tokens = await countTokens(text)
  remembered.set(text, tokens)
  return tokens
}

export type TokenCounter = {
  /** Takes the next piece of a text; pieces of one lane are one text. Cheap: counting waits until enough has gathered. */
  add: (text: string, lane?: string) => void
  /** Takes the texts of a chunk or an answer. */
  addTexts: (texts: readonly WrittenText[]) => void
  /** Tokens of everything so far. */
  total: () => Promise<number>
}

const GATHER = 64 * 1024

/** Where the last whole slice of a text ends: counted up to there and from there, it is counted as in one go. */
function endOfWhole(text: string): number {
  let end = 0
  while (text.length - end > SLICE) end = endOfSlice(text, end)
  return end
}

/**
 * Counts texts that come in pieces: at most 64 Ki characters of each wait, none is tokenised twice, and however a text
 * is cut into pieces, the count is the same.
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
    if (waiting.size < GATHER) return
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

/** Tokens of an answer's texts. */
export function countTexts(texts: readonly WrittenText[]): Promise<number> {
  const counter = makeTokenCounter()
  counter.addTexts(texts)
  return counter.total()
}
