import type { UnknownRecord } from '../../kit/record'
import type { ShownCall } from './calls'
import type { Wish } from './wish'
import tables from './words.json'

/** A place as a goal names it, with its country where that is known. */
export type NamedPlace = { name: string; country: 'es' | 'pt' | 'it' | null }

/** Places that people ask for, so that nobody is asked in which country Lisbon is. */
const KNOWN: Record<'es' | 'pt' | 'it', string> = tables.places

const COUNTRIES: readonly [pattern: RegExp, country: 'es' | 'pt' | 'it'][] = [
  [/\b(spain|spanish|españa|espana)\b/i, 'es'],
  [/\b(portugal|portuguese)\b/i, 'pt'],
  [/\b(italy|italian|italia)\b/i, 'it'],
]

/** A text with only letters and single blanks, and one around it. */
const asWords = (text: string): string => ` ${text.toLowerCase()} `.replaceAll(/[^\p{L}\p{M}]+/gu, ' ')

const PLACES: readonly (NamedPlace & { words: string })[] = (['es', 'pt', 'it'] as const)
  .flatMap((country) => KNOWN[country].split(',').map((name) => ({ name, country, words: asWords(name) })))
  .sort((a, b) => b.name.length - a.name.length)

/** Words after which a place is named, and words that end its name. */
const BEFORE = /\b(?:in|near|around|within|at)\s+(?:the\s+(?:city|town|village|centre|center)\s+of\s+)?/gi
const AFTER =
  /[,.;:!?()\n]|\s(?:with|under|below|over|above|for|and|or|that|which|between|up|at|near|from|to|is|are|by|on|costing|less|more|than|save|as|compare|cheaper|please)\b|\d|€|\$/i
const NO_PLACE =
  /^(a|an|the|my|our|this|that|it|which|what|table|dataset|chart|detail|general|euro|euros|total|all|each|one|sql|markdown|english|spain|portugal|italy|spanish|portuguese|italian|least|most|steps?|short|two|three|total|district|districts|the)\b/i

/** The country that a text names; null: none of the three. */
const countryIn = (text: string): NamedPlace['country'] =>
  COUNTRIES.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** The places in a goal, at most three, in the order in which they are named. */
function placesIn(text: string): NamedPlace[] {
  const country = countryIn(text)
  let rest = asWords(text)
  const known = PLACES.filter(({ words }) => {
    const isThere = rest.includes(words)
    if (isThere) rest = rest.replaceAll(words, ' | ')
    return isThere
  })
  if (known.length > 0) {
    const all = asWords(text)
    const at = ({ words }: { words: string }) => all.indexOf(words)
    const first = known.sort((a, b) => at(a) - at(b)).slice(0, 3)
    return first.map(({ name, country: own }) => ({ name, country: own }))
  }
  for (const { index, 0: lead } of text.matchAll(BEFORE)) {
    const [name = ''] = text.slice(index + lead.length, index + lead.length + 80).split(AFTER, 1)
    const words = name.trim().split(/\s+/).slice(0, 4).join(' ')
    if (words.length > 1 && !NO_PLACE.test(words)) return [{ name: words, country }]
  }
  return []
}

/** What a goal says about the homes it wants. */
export type HomesWish = ReturnType<typeof readHomesWish>

/** A search that was made, with the place it is for. */
export type HomesFound = { place: NamedPlace; call: ShownCall; rows: UnknownRecord[]; total: number | null }

const NUMBERS: Record<string, number> = { one: 1, two: 2, three: 3, four: 4, five: 4 }
const compiled = <T extends { pattern: string }>(list: readonly T[]) =>
  list.map((one) => ({ ...one, pattern: new RegExp(one.pattern, 'i') }))
const FEATURES = compiled(tables.homeFeatures)
const ORDERS = compiled(tables.homeOrders)

const AMOUNT = '(?:€|eur\\s?)?(\\d[\\d.,]*)\\s?(k|m|million)?\\b'
const MAX_WORDS = 'under|below|less than|up to|at most|max(?:imum)?(?: of)?|cheaper than'
const MAX_PRICE = new RegExp(`\\b(?:${MAX_WORDS})\\s+${AMOUNT}`, 'i')
const MIN_PRICE = new RegExp(`\\b(?:over|above|more than|from|at least|min(?:imum)?(?: of)?)\\s+${AMOUNT}`, 'i')
const SIZE = /(\d{2,4})\s?(?:m2|m²|sqm|square met)/i

/** An amount such as 250k or 1.200; null where it is a size, or no price at all. */
function priceIn(text: string, pattern: RegExp, smallest: number): number | null {
  const found = pattern.exec(text)
  if (!found?.[1] || SIZE.test(text.slice(found.index, found.index + found[0].length + 12))) return null
  const unit = found[2]?.toLowerCase()
  const digits = unit ? found[1].replace(',', '.') : found[1].replaceAll(/[.,](?=\d{3})/g, '')
  const value = Math.round(Number.parseFloat(digits) * (unit === 'k' ? 1_000 : unit ? 1_000_000 : 1))
  return value >= smallest ? value : null
}

function bedroomsIn(text: string): number | null {
  const found = /\b(\d|one|two|three|four|five)[- ]?(?:\+ ?)?(?:bed(?:room)?s?|rooms?)\b/i.exec(text)?.[1]
  return found === undefined ? null : (NUMBERS[found.toLowerCase()] ?? Math.min(4, Number(found)))
}

const RENT = /\b(rent|rents|renting|rental|rentals|to let|per month|alquiler)\b/i
const SALE = /\b(sale|buy|buying|purchase|sell|selling)\b/i

/**
 * The operation, and what is said for it with the latest first: what a goal says later replaces
 * what was said before, and a price for rent is not one for sale.
 */
function latestFirst(all: string): { operation: 'sale' | 'rent'; text: string } {
  const lines = all.split('\n').reverse()
  const operationOf = (line: string) => (RENT.test(line) ? 'rent' : SALE.test(line) ? 'sale' : null)
  const operation = lines.map(operationOf).find((each) => each !== null) ?? 'sale'
  const other = lines.findIndex((line) => (operationOf(line) ?? operation) !== operation)
  return { operation, text: lines.slice(0, other < 0 ? lines.length : other).join('\n') }
}

/** Reads place, operation and filters. */
export function readHomesWish(wish: Wish) {
  const { operation, text } = latestFirst(wish.text)
  const smallest = operation === 'rent' ? 100 : 5_000
  const filters: UnknownRecord = {}
  const words: string[] = []
  const add = (name: string, value: unknown, said: string) => {
    filters[name] = value
    words.push(said)
  }
  const bedrooms = bedroomsIn(text)
  if (bedrooms !== null) add('bedrooms', [bedrooms], `${bedrooms}${bedrooms === 4 ? ' or more' : ''} bedrooms`)
  const maxPrice = priceIn(text, MAX_PRICE, smallest)
  if (maxPrice !== null) add('maxPrice', maxPrice, `at most €${maxPrice.toLocaleString('en-US')}`)
  const minPrice = priceIn(text, MIN_PRICE, smallest)
  if (minPrice !== null && minPrice < (maxPrice ?? Number.POSITIVE_INFINITY))
    add('minPrice', minPrice, `at least €${minPrice.toLocaleString('en-US')}`)
  const size = SIZE.exec(text)
  if (size?.[1]) {
    const isMost = /\b(under|below|less than|up to|at most)\s*$/i.test(text.slice(0, size.index))
    add(isMost ? 'maxSize' : 'minSize', Number(size[1]), `${isMost ? 'at most' : 'at least'} ${size[1]} m²`)
  }
  for (const { pattern, filter, words: said } of FEATURES) if (pattern.test(text)) add(filter, true, said)
  // An average of the cheapest homes only would be none.
  const isCompared = /\b(average|averages|compare|chart|median|by (district|neighbou?rhood|area))\b/i.test(text)
  const order = isCompared ? undefined : ORDERS.find(({ pattern }) => pattern.test(text))?.order
  if (order !== undefined) filters.order = order
  const country = countryIn(wish.text)
  const named = wish.text.split('\n').reverse().map(placesIn)
  const found = named.find((each) => each.length > 0) ?? []
  const places = found.map((place) => ({ ...place, country: country ?? place.country }))
  return { places, operation, filters, words }
}
