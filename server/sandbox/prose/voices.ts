import { english } from './english'
import type { Voice } from './text'

const CURRENCIES: Record<string, string> = {
  US: 'USD',
  GB: 'GBP',
  CH: 'CHF',
  JP: 'JPY',
  CA: 'CAD',
  AU: 'AUD',
  NZ: 'NZD',
  MX: 'MXN',
  BR: 'BRL',
  IN: 'INR',
  CN: 'CNY',
  SE: 'SEK',
  NO: 'NOK',
  DK: 'DKK',
  PL: 'PLN',
  TR: 'TRY',
  ZA: 'ZAR',
  KR: 'KRW',
}

/**
 * How texts are written for a country: amounts are in its money. `country` is a two-letter code in
 * upper case, or empty.
 */
export const voiceOf = (country: string): Voice => ({
  book: english,
  locale: 'en-GB',
  currency: CURRENCIES[country] ?? 'EUR',
})
