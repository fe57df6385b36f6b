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
const asWords = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}]+/gu, ' ')
    .trim()} `

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
export const countryIn = (text: string): NamedPlace['country'] =>
  COUNTRIES.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** The places in a goal, at most three, in the order in which they are named. */
export function placesIn(text: string): NamedPlace[] {
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
    return known
      .sort((a, b) => at(a) - at(b))
      .slice(0, 3)
      .map(({ name, country: own }) => ({ name, country: own }))
  }
  for (const { index, 0: lead } of text.matchAll(BEFORE)) {
    const [name = ''] = text.slice(index + lead.length, index + lead.length + 80).split(AFTER, 1)
    const words = name.trim().split(/\s+/).slice(0, 4).join(' ')
    if (words.length > 1 && !NO_PLACE.test(words)) return [{ name: words, country }]
  }
  return []
}
