/** A JSON text as a value; undefined where it is something else. */
export function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

/** A text of at most so many characters; one that is cut ends in `…`. */
export const excerpt = (text: string, maxChars: number): string =>
  text.length > maxChars ? `${text.slice(0, maxChars - 1).toWellFormed()}…` : text

/** The first letter in upper case. */
export const sentenceCase = (text: string): string => text.replace(/^\p{L}/u, (letter) => letter.toUpperCase())
