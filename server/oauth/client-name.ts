/** With " via OAuth", it fits in the name of a key. */
const MAX_LENGTH = 60

/**
 * The name that a client gives itself, on one line and without characters that hide or reorder
 * text; `fallback` where nothing visible is left.
 */
export function cleanClientName(name: string | undefined, fallback: string): string {
  const visible = (name ?? '')
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  let short = ''
  for (const character of visible || fallback) {
    if (short.length + character.length > MAX_LENGTH) break
    short += character
  }
  return short.trim()
}
