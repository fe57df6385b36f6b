import english from './english.json'
import french from './french.json'
import german from './german.json'
import type { Phrasebook } from './phrasebook'
import spanish from './spanish.json'
import type { Voice } from './text'
import tables from './words.json'

const BOOKS: Record<string, { book: Phrasebook; country: string; in: string }> = {
  en: { book: english, country: 'GB', in: 'in' },
  de: { book: german, country: 'DE', in: 'in' },
  es: { book: spanish, country: 'ES', in: 'en' },
  fr: { book: french, country: 'FR', in: 'à' },
}

const CURRENCIES: Record<string, string> = tables.currencies

/** Which edition of an outlet: codes in lower case, or empty. */
export type Edition = { language: string; country: string }

/**
 * How texts are written for an edition: in its language where there is a book for it, else in
 * English, and with amounts in the money of its country.
 */
export function voiceOf({ language, country }: Edition): Voice {
  const code = BOOKS[language] ? language : 'en'
  const { book, country: home } = BOOKS[code] ?? { book: english, country: 'GB' }
  const land = country.toUpperCase()
  return { book, locale: `${code}-${land || home}`, currency: CURRENCIES[land] ?? 'EUR' }
}

/** `cafés in Lyon`, in the words of a language. */
export const withPlace = (text: string, place: string, language: string): string =>
  `${text} ${BOOKS[language]?.in ?? 'in'} ${place}`

/** The name of an edition's country in its language; empty where it names no country. */
export function countryName({ language, country }: Edition): string {
  if (!/^[a-z]{2}$/.test(country)) return ''
  const names = new Intl.DisplayNames([BOOKS[language] ? language : 'en'], { type: 'region', fallback: 'none' })
  return names.of(country.toUpperCase()) ?? ''
}
