import tables from './words.json'

/** Words that say nothing about the subject of a query, in the languages that people search in. */
const STOP_WORDS = new Set(tables.stop.join(' ').split(' '))

/** A word for comparison: lower case, without accents. */
export const plainWord = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export const isStopWord = (word: string): boolean => STOP_WORDS.has(plainWord(word))
