const FENCE = '```'

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}

/** The contents of the fenced blocks of a text, the last one first. */
function fencedIn(text: string): string[] {
  const parts = text.split(FENCE)
  const blocks = parts.filter((_, i) => i % 2 === 1).map((block) => block.replace(/^[a-z]*\s/i, ''))
  return blocks.toReversed()
}

/** From the first bracket of a text to the last one. */
function bracketedIn(text: string): string[] {
  const start = text.search(/[{[]/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  return start >= 0 && end > start ? [text.slice(start, end + 1)] : []
}

/**
 * The JSON that a model's answer may mean: all of it, a fenced block of it, or what is between its
 * outermost brackets. The first is the most likely; none: there is no JSON.
 */
export function valuesInText(text: string): unknown[] {
  const whole = parse(text.trim())
  if (whole) return [whole.value]
  return [...fencedIn(text), ...bracketedIn(text)].flatMap((candidate) => {
    const read = parse(candidate.trim())
    return read ? [read.value] : []
  })
}
