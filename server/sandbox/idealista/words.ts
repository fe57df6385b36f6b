import type { RealPlace } from './places'
import tables from './words.json'

const parts = (text: string) => text.split('|')
const KINDS = parts(tables.kinds)
const NAMES = parts(tables.names) as (keyof AdNames)[]
/** The words of advertisements by language: those of `KINDS`, then those of `NAMES`. */
const WORDS: Record<string, string> = tables.words

type AdNames = Record<
  | ('in' | 'sale' | 'rent' | 'bedrooms' | 'bathrooms' | 'lift' | 'terrace' | 'pool' | 'air' | 'parking' | 'garden')
  | ('isNew' | 'bright' | 'connected' | 'renew' | 'good' | 'features'),
  string
>
export type AdWords = { kind: (kind: string) => string } & AdNames

/** The words of advertisements in a language, English for any other. */
export function adWords(language: string): AdWords {
  const all = parts(WORDS[language] ?? tables.words.en)
  const rest = Object.fromEntries(NAMES.map((name, i) => [name, all[KINDS.length + i] ?? ''])) as AdNames
  return { ...rest, kind: (kind) => all[Math.max(0, KINDS.indexOf(kind))] ?? '' }
}

/** Provinces whose streets have Catalan names. */
const CATALAN = /^0-EU-ES-(08|17|25|43)$/

const at = (list: string, chance: number) => parts(list)[Math.floor(chance * parts(list).length)] ?? ''

export const streetIn = ({ country, provinceId }: RealPlace, chance: number): string =>
  at(tables.streets[CATALAN.test(provinceId) ? 'ca' : country], chance)
export const neighbourhoodIn = ({ country }: RealPlace, chance: number): string =>
  at(tables.neighbourhoods[country], chance)
