import { LRUCache } from 'lru-cache'
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

/** The end of a word, a sign outside of the alphabet (16 bits follow), then what is spelled. */
const ALPHABET = "$\u0000abcdefghijklmnopqrstuvwxyz0123456789-_.+#&'áàâãäåæéèêëíîïóôõöøúùûüñçß"
export const END_LETTER = '$'
export const ESCAPE_LETTER = '\u0000'

/** The sum of all shares of one letter after two others. */
export const LETTER_TOTAL = 4096
/** What every letter has at least, so that everything can be spelled. */
const FLOOR = 8

type Share = { letter: string; from: number; size: number; bits: number }
/** How likely each letter is after two others, as whole shares of `LETTER_TOTAL`. */
type Shares = { list: Share[]; byLetter: Map<string, Share> }

/** Counts of letters after the two, the one, and none before them, in the words of ids. */
const counts = new Map<string, number>()
const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
for (const word of ID_WORDS) {
  const text = `^^${word}${END_LETTER}`
  for (let at = 2; at < text.length; at++) {
    for (const before of [text.slice(at - 2, at), text.slice(at - 1, at), '']) {
      count(`${before}>${text[at]}`)
      count(`${before}>`)
    }
  }
}

const known = new LRUCache<string, Shares>({ max: 10_000, memoMethod: makeShares })

/** The shares of all letters after the last two of `before`. */
export const sharesAfter = (before: string): Shares => known.memo(`^^${before}`.slice(-2))

function makeShares(context: string): Shares {
  const levels: [string, number][] = [
    [context, 6],
    [context.slice(1), 3],
    ['', 1],
  ]
  const likely = (letter: string) =>
    levels.reduce((sum, [before, weight]) => {
      const all = counts.get(`${before}>`) ?? 0
      return all === 0 ? sum : sum + (weight * (counts.get(`${before}>${letter}`) ?? 0)) / all
    }, 0)
  // Digits follow digits.
  const afterDigit = /\d$/.test(context)
  const odds = [...ALPHABET].map((letter) => likely(letter) + (/\d/.test(letter) ? (afterDigit ? 0.8 : 0.02) : 0))
  const sum = odds.reduce((a, b) => a + b, 0)
  const free = LETTER_TOTAL - FLOOR * ALPHABET.length
  const sizes = odds.map((odd) => FLOOR + Math.floor((free * odd) / sum))
  sizes[0] = (sizes[0] ?? 0) + LETTER_TOTAL - sizes.reduce((a, b) => a + b, 0)
  let from = 0
  const list = [...ALPHABET].map((letter, at) => {
    const size = sizes[at] ?? FLOOR
    const share = { letter, from, size, bits: Math.log2(LETTER_TOTAL / size) }
    from += share.size
    return share
  })
  return { list, byLetter: new Map(list.map((share) => [share.letter, share])) }
}
