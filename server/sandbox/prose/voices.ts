import { LRUCache } from 'lru-cache'
import english from './english.json'
import french from './french.json'
import german from './german.json'
import type { Phrasebook } from './phrasebook'
import spanish from './spanish.json'
import tables from './words.json'

/** How a text is written: its language and what prices are in. */
export type Voice = { book: Phrasebook; locale: string; currency: string }

export const ENGLISH_VOICE: Voice = { book: english, locale: 'en-GB', currency: 'EUR' }

const ENGLISH = { book: english, country: 'GB', in: 'in' }
const BOOKS: Record<string, { book: Phrasebook; country: string; in: string }> = {
  en: ENGLISH,
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
  const { book, country: home } = BOOKS[language] ?? ENGLISH
  const land = country.toUpperCase()
  return { book, locale: `${codeOf(language)}-${land || home}`, currency: CURRENCIES[land] ?? 'EUR' }
}

const codeOf = (language: string) => (BOOKS[language] ? language : 'en')

/** `cafés in Lyon`, in the words of a language. */
export const withPlace = (text: string, place: string, language: string): string =>
  `${text} ${BOOKS[language]?.in ?? 'in'} ${place}`

/** The name of an edition's country in its language; empty where it names no country. */
export function countryName({ language, country }: Edition): string {
  if (!/^[a-z]{2}$/.test(country)) return ''
  const names = new Intl.DisplayNames([codeOf(language)], { type: 'region', fallback: 'none' })
  return names.of(country.toUpperCase()) ?? ''
}

/** Formats by locale, currency and decimals: making one takes longer than a whole page. */
const formats = new LRUCache<string, Intl.NumberFormat>({ max: 500, memoMethod: makeFormat })

function makeFormat(key: string): Intl.NumberFormat {
  const [locale, currency, decimals] = key.split(' ')
  const digits = Number(decimals)
  const money = { style: 'currency', currency, maximumFractionDigits: digits, minimumFractionDigits: digits } as const
  return new Intl.NumberFormat(locale, currency ? money : {})
}

/** A number as people of a locale write it. */
export const localNumber = (value: number, { locale }: Voice): string => formats.memo(locale).format(value)

/** An amount of money as people of a locale write it; small ones with cents. */
export const formatMoney = (amount: number, { locale, currency }: Voice): string =>
  formats.memo(`${locale} ${currency} ${amount < 20 ? 2 : 0}`).format(amount)
