import tables from './words.json'

/**
 * Words that ids hold as numbers (`text-code.ts`): what people ask about, and parts of the names of
 * communities and accounts. Any other word is spelled, which takes more of an id.
 */
const groups = tables.groups.join(' ').split(' ')
const TWO_DIGITS = Array.from({ length: 90 }, (_, i) => String(i + 10))

/** The most frequent ones, which take the fewest bits. */
export const SMALL_WORDS: readonly string[] = tables.small.split(' ')
/** Each word once, the small ones first. */
export const ID_WORDS: readonly string[] = [...new Set([...SMALL_WORDS, ...groups, ...TWO_DIGITS])]
