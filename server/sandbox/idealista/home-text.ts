import type { SimulatedHome } from './homes'
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

const streetIn = ({ country, provinceId }: RealPlace, chance: number): string =>
  at(tables.streets[CATALAN.test(provinceId) ? 'ca' : country], chance)
const neighbourhoodIn = ({ country }: RealPlace, chance: number): string => at(tables.neighbourhoods[country], chance)

/** A draw that no filter or order depends on: two of the others, mixed. */
export const mixedChance = ({ chances }: SimulatedHome, i: number, j: number): number =>
  ((chances[i] ?? 0) * 31 + (chances[j] ?? 0) * 17) % 1

/** Where a home is. */
export function addressOf(home: SimulatedHome) {
  const { place } = home
  const isDistrict = place.level === 'district'
  return {
    street: streetIn(place, mixedChance(home, 0, 6)),
    number: 1 + Math.floor(mixedChance(home, 1, 7) * 120),
    isExact: mixedChance(home, 2, 9) < 0.7,
    neighbourhood: neighbourhoodIn(place, mixedChance(home, 3, 6)),
    district: isDistrict ? place.shortName : null,
    town: place.town ?? place.shortName,
    latitude: Number((place.latitude + (mixedChance(home, 4, 1) - 0.5) / 60).toFixed(5)),
    longitude: Number((place.longitude + (mixedChance(home, 5, 1) - 0.5) / 50).toFixed(5)),
  }
}

export function titleOfHome(home: SimulatedHome, words: AdWords): string {
  const { street, number, isExact } = addressOf(home)
  return `${words.kind(home.kind)} ${words.in} ${street}${isExact ? `, ${number}` : ''}`
}

/** What is said of a home, in a few phrases that agree with its fields. */
export function phrasesOf(home: SimulatedHome, words: AdWords): string[] {
  const { size, rooms, bathrooms, condition } = home
  const isHome = home.type === 'homes' || home.type === 'newhomes'
  const state = condition === 'newdevelopment' ? words.isNew : condition === 'renew' ? words.renew : words.good
  return [
    `${size} m²`,
    isHome && rooms > 0 && `${words.bedrooms}: ${rooms}`,
    isHome && `${words.bathrooms}: ${bathrooms}`,
    home.hasLift && words.lift,
    home.hasTerrace && words.terrace,
    home.hasPool && words.pool,
    home.hasGarden && words.garden,
    home.hasAir && words.air,
    home.hasGarage && words.parking,
    state,
  ].filter((phrase) => typeof phrase === 'string')
}

/** A home in two or three sentences. */
export function descriptionOf(home: SimulatedHome, words: AdWords): string {
  const { neighbourhood, town, district } = addressOf(home)
  const where = [...new Set([neighbourhood, district, town])].filter(Boolean).join(', ')
  const way = home.operation === 'sale' ? words.sale : words.rent
  const phrases = phrasesOf(home, words).map((phrase, i) => (i === 0 ? phrase : phrase.toLowerCase()))
  const sentences = [
    `${words.kind(home.kind)} ${way} ${words.in} ${where}`,
    phrases.join(', '),
    mixedChance(home, 8, 2) < 0.6 && words.bright,
    mixedChance(home, 8, 3) < 0.5 && words.connected,
  ]
  return `${sentences.filter(Boolean).join('. ')}.`
}
