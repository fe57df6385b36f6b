/** Characters tokenized at once: BPE is quadratic in a run without boundaries, such as 'aaaa…'. */
export const SLICE = 512

const TEXT_ONLY = { disallowedSpecial: new Set<string>() }

export type CountText = (text: string) => number

/** Loads the tokenizer, o200k_base. Reading its table stops a thread for 0.15 s. */
export const importTokenizer = async (): Promise<CountText> => {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  return (text) => countTokens(text, TEXT_ONLY)
}

/** Where a slice that starts at `from` ends: before its last blank, never inside a character. */
export function endOfSlice(text: string, from: number): number {
  const end = from + SLICE
  if (end >= text.length) return text.length
  const blank = text.lastIndexOf(' ', end)
  if (blank > from) return blank
  const unit = text.charCodeAt(end)
  return unit >= 0xdc00 && unit <= 0xdfff ? end - 1 : end
}

type SliceBounds = {
  /** Characters that are tokenized; each byte after them counts as a token: never too low. */
  maxExact: number
  /** Tokens that are enough: counting stops when it has them. */
  maxTokens: number
  /** Stops counting. */
  isOver?: () => boolean
}

/** Tokens of a text, or null where it was stopped before it had them. */
function countSlices(count: CountText, text: string, { maxExact, maxTokens, isOver }: SliceBounds): number | null {
  const exact = Math.min(text.length, Math.max(0, maxExact))
  let tokens = 0
  let at = 0
  while (at < exact && tokens < maxTokens) {
    if (isOver?.()) return null
    const to = endOfSlice(text, at)
    tokens += count(text.slice(at, to))
    at = to
  }
  return at >= text.length || tokens >= maxTokens ? tokens : tokens + Buffer.byteLength(text.slice(at))
}

/** What is enough of one text, and of all together. */
export type TextBounds = { maxExact: number; maxEach: number; maxSum: number }

/**
 * Tokens of each text, up to the one with which they are enough, or before which it was stopped.
 */
export function countSeveral(
  count: CountText,
  texts: readonly string[],
  { maxExact, maxEach, maxSum, isOver }: TextBounds & Pick<SliceBounds, 'isOver'>,
): number[] {
  const counts: number[] = []
  let exact = maxExact
  let sum = 0
  for (const text of texts) {
    if (sum >= maxSum) break
    const tokens = countSlices(count, text, { maxExact: exact, maxTokens: maxEach, isOver })
    if (tokens === null) break
    counts.push(Math.min(maxEach, tokens))
    sum += Math.min(maxEach, tokens)
    exact -= text.length
  }
  return counts
}
