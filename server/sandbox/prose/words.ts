import { sentenceCase } from '../kit/text'
import tables from './words.json'

/** Words that say nothing about the subject of a query, in the languages that people search in. */
const STOP_WORDS = new Set(tables.stop.join(' ').split(' '))

/** A word for comparison: lower case, without accents. */
export const plainWord = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** A text as it is in addresses: plain letters and digits with hyphens between. */
export const slugFrom = (text: string): string =>
  plainWord(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

export const isStopWord = (word: string): boolean => STOP_WORDS.has(plainWord(word))

/** Words that are written with capitals wherever they stand, as people rarely type them so. */
const CAPITALISED = new Map(
  tables.capitalised.flatMap((line) => line.split(' ').map((word) => [plainWord(word), word])),
)

/** Names as they are written: `bitcoin in the eu` becomes `Bitcoin in the EU`. */
export const withCapitals = (text: string): string =>
  text
    .split(' ')
    .map((word) => (word === word.toLowerCase() ? (CAPITALISED.get(plainWord(word)) ?? word) : word))
    .join(' ')

const SMALL = new Set('a an and as at but by de del der di for from in la le of on or the to und vs with y'.split(' '))

/** As English headlines are written: `Toll Roads in the Alps`. */
export const headlineCase = (text: string): string =>
  text
    .split(' ')
    .map((word, at) => (at > 0 && SMALL.has(word) ? word : sentenceCase(word)))
    .join(' ')
