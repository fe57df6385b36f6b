import { plainWord } from './stop-words'
import tables from './words.json'

/** Words that are written with capitals wherever they stand, as people rarely type them so. */
const CAPITALISED = new Map(
  tables.capitalised
    .join(' ')
    .split(' ')
    .map((word) => [plainWord(word), word]),
)

const SMALL = new Set('a an and as at but by de del der di for from in la le of on or the to und vs with y'.split(' '))

const upperFirst = (word: string): string => word.replace(/^\p{L}/u, (letter) => letter.toUpperCase())

/** Names as they are written: `bitcoin in the eu` becomes `Bitcoin in the EU`. */
export const withCapitals = (text: string): string =>
  text
    .split(' ')
    .map((word) => (word === word.toLowerCase() ? (CAPITALISED.get(plainWord(word)) ?? word) : word))
    .join(' ')

/** The first letter in upper case. */
export const sentenceCase = upperFirst

/** As English headlines are written: `Toll Roads in the Alps`. */
export const headlineCase = (text: string): string =>
  text
    .split(' ')
    .map((word, at) => (at > 0 && SMALL.has(word) ? word : upperFirst(word)))
    .join(' ')
