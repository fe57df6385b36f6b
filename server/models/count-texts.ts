import { countSeveral } from './count-slices'
import { countInThread } from './token-pool'
import { knownTokens, loadCounter, MAX_EXACT_CHARACTERS, rememberTokens } from './tokens'

/** Longest time of counting on this thread; what is left then goes on in a worker thread. */
const HERE_MS = 8

/** Tokens that are enough of one text, and of all; and whose texts they are. */
export type CountingOf = { maxEach: number; maxSum: number; ownerId: number }

/**
 * Tokens of each of a request's texts; those that are not needed, because the others are enough,
 * have none. Texts that repeat are known, such as system prompts and earlier messages. Throws
 * `unavailable` while too many of the owner's wait for a thread.
 */
export async function countTexts(
  texts: readonly string[],
  { maxEach, maxSum, ownerId }: CountingOf,
): Promise<readonly number[]> {
  const count = await loadCounter()
  const counts = texts.map(knownTokens)
  const unknown = texts.flatMap((text, i) => (counts[i] === undefined ? [{ text, i }] : []))
  const known = counts.reduce<number>((sum, tokens) => sum + Math.min(maxEach, tokens ?? 0), 0)
  // Only then every count is exact, and worth keeping.
  const isExact = texts.reduce((sum, { length }) => sum + length, 0) <= MAX_EXACT_CHARACTERS
  const from = (first: number) => unknown.slice(first).map(({ text }) => text)
  const note = (counted: readonly number[], first: number) => {
    for (const [n, tokens] of counted.entries()) {
      const { text, i } = unknown[first + n] ?? { text: '', i: 0 }
      counts[i] = tokens
      if (isExact && tokens < maxEach) rememberTokens(text, tokens)
    }
    return counted.reduce((sum, tokens) => sum + tokens, 0)
  }
  const bounds = { maxExact: MAX_EXACT_CHARACTERS, maxEach, maxSum: maxSum - known }
  const started = performance.now()
  const isOver = () => performance.now() - started > HERE_MS
  const here = countSeveral(count, from(0), { ...bounds, isOver })
  const left = bounds.maxSum - note(here, 0)
  if (here.length < unknown.length && left > 0) {
    note(await countInThread({ ...bounds, maxSum: left, texts: from(here.length) }, ownerId), here.length)
  }
  return counts.map((tokens) => tokens ?? 0)
}
