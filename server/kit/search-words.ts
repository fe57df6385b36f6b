/** Most words of a search that count: each costs a comparison per row. */
const MAX_WORDS = 8

/** The words of what somebody typed into a search, in lower case. */
export const searchWords = (typed: string): string[] =>
  typed
    .toLowerCase()
    // PostgreSQL stores no texts with it.
    .replaceAll('\0', '')
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)

/** Words as patterns of LIKE: each may be anywhere in a text. */
export const likePatterns = (words: readonly string[]): string[] =>
  words.map((word) => `%${word.replaceAll('\\', '\\\\').replaceAll('%', '\\%').replaceAll('_', '\\_')}%`)
