import type { UnknownRecord } from '../../kit/record'
import { freeStep, type PlannedStep, type PlayerAsk, type PlayerPart, pricedStep, type WantedCall } from './ask'
import { failureOf, resultRows, resultValue, rowNumber, rowShown, rowText, type ShownCall, stepOfCall } from './calls'
import { type Chapter, linkTo, makeChapter, plainLine, shownNumber, tableOf } from './chapter'
import { homesNumbers } from './homes-numbers'
import type { NamedPlace } from './homes-wish'
import { type HomesFound, type HomesWish, readHomesWish } from './homes-wish'
import type { PlayerView } from './view'
import { isRefused, type Wish } from './wish'

const COUNTRY_NAMES = { es: 'Spain', pt: 'Portugal', it: 'Italy' }
/** Rows of a search: enough for an average by district, few enough for a prompt. */
const ROWS = 30
const FEW_ROWS = 15

const euros = (value: number | null) => (value === null ? 'no price' : `€${shownNumber(value)}`)

function plan(wish: Wish, view: PlayerView): PlannedStep[] {
  const { places, operation, words } = readHomesWish(wish)
  const names = places.map(({ name }) => name).join(' and ') || 'the place'
  const count = Math.max(1, places.length)
  const noNumbers = isRefused(wish, /\b(datasets?|sql|numbers?|averages?)\b/i)
  const compare = 'Store the rows as a dataset and compare districts with SQL'
  return [
    pricedStep(view, `Find ${names} in the provider's list of locations`, ['property_suggestions'], count),
    pricedStep(view, `Search ${[`homes for ${operation}`, ...words].join(', ')}`, ['property_search'], count),
    ...(noNumbers ? [] : [freeStep(compare, 'dataset_create', 'dataset_query')]),
  ]
}

const question = (wish: Wish): string | null => {
  const { places } = readHomesWish(wish)
  const [place] = places
  if (!place) return 'In which city or town, and in which country: Spain, Portugal or Italy?'
  return place.country === null ? `In which country is ${place.name}: Spain, Portugal or Italy?` : null
}

/** The location that fits a place best: the one with its name, else the first. */
function locationFor(place: NamedPlace, call: ShownCall | null): UnknownRecord | null {
  const rows = resultRows(call)
  const same = rows.find((row) => rowText(row, 'locationName').toLowerCase().startsWith(place.name.toLowerCase()))
  return same ?? rows[0] ?? null
}

/** The same call for sale and for rent, whose ids are the same: a later turn need not ask again. */
const suggestionCall = ({ name, country }: NamedPlace): WantedCall => ({
  name: 'property_suggestions',
  args: { prefix: name.toLowerCase(), location: country ?? 'es' },
})

const searchCall = (place: NamedPlace, location: UnknownRecord, wish: HomesWish, rows: number): WantedCall => ({
  name: 'property_search',
  args: {
    locationId: rowText(location, 'locationId'),
    locationName: rowText(location, 'locationName') || place.name,
    location: place.country ?? 'es',
    operation: wish.operation,
    maxResults: rows,
    ...wish.filters,
  },
})

const titleOf = (row: UnknownRecord) =>
  rowText(row, 'title') ||
  [rowText(row, 'propertyType'), rowText(row, 'address')].filter(Boolean).join(', ') ||
  'A home'

const linkOf = (row: UnknownRecord) => linkTo(titleOf(row), rowText(row, 'url'))
const whereOf = (row: UnknownRecord) =>
  rowText(row, 'district') || rowText(row, 'neighborhood') || rowText(row, 'municipality')

function foundChapter({ place, rows, total }: HomesFound, wish: HomesWish): Chapter {
  const { operation, words } = wish
  const title = `Homes for ${operation} in ${place.name}`
  const filters = words.join(', ')
  if (rows.length === 0)
    return makeChapter({ title, gaps: [`No home for ${operation} in ${place.name} fits${filters && `: ${filters}`}.`] })
  const cheapest = rows
    .filter((row) => rowNumber(row, 'price') !== null)
    .sort((a, b) => (rowNumber(a, 'price') ?? 0) - (rowNumber(b, 'price') ?? 0))
  const [best] = cheapest
  const price = (row: UnknownRecord) => `${euros(rowNumber(row, 'price'))}${operation === 'rent' ? ' a month' : ''}`
  const count = total ?? rows.length
  const found = `**${shownNumber(count)} home${count === 1 ? '' : 's'} for ${operation} in ${place.name}**`
  const cheap = best && `; the cheapest of the ${rows.length} that I looked at is ${linkOf(best)} for ${price(best)}`
  const table = tableOf(
    cheapest.slice(0, 6),
    ['Home', linkOf],
    ['Price', price],
    ['Size', (row) => `${rowShown(row, 'size')} m²`],
    ['Bedrooms', (row) => rowShown(row, 'bedrooms')],
    ['Where', (row) => plainLine(whereOf(row), 40) || '–'],
  )
  return makeChapter({ title, lead: `${found}${filters && ` (${filters})`}${cheap ?? ''}.`, blocks: [table] })
}

function play(ask: PlayerAsk, wish: Wish): Chapter[] {
  const homes = readHomesWish(wish)
  const assumed: string[] = []
  const places = homes.places.length > 0 ? homes.places : [{ name: 'Madrid', country: 'es' as const }]
  if (homes.places.length === 0) assumed.push('The goal names no place, so I took Madrid.')
  for (const { name, country } of places) {
    if (country === null)
      assumed.push(`The goal does not say in which country ${name} is, so I took ${COUNTRY_NAMES.es}.`)
  }
  const wantsNumbers = ask.has('dataset_create') && ask.has('dataset_query') && !isRefused(wish, /\b(datasets?|sql)\b/i)
  // Names that are taken are looked up beside the first calls: replacing one would need approval.
  const results = ask.all([
    ...places.map((place) => suggestionCall(place)),
    ...(wantsNumbers ? [{ name: 'dataset_list', args: {} }] : []),
  ])
  const taken = wantsNumbers ? (results.at(-1) ?? null) : null
  const located = places.map((place, i) => ({
    place,
    location: locationFor(place, results[i] ?? null),
    call: results[i] ?? null,
  }))
  const rows = wish.isCheap ? FEW_ROWS : ROWS
  const wanted = located.flatMap(({ place, location }) =>
    location ? [{ place, call: searchCall(place, location, homes, rows) }] : [],
  )
  const searches = ask.all(wanted.map(({ call }) => call))
  const found = wanted.flatMap(({ place }, i): HomesFound[] => {
    const call = searches[i]
    if (!call || call.failed) return []
    return [{ place, call, rows: resultRows(call), total: rowNumber(resultValue(call) ?? {}, 'totalRows') }]
  })
  const reasonFor = (call: ShownCall | null) =>
    call?.failed
      ? failureOf(call)
      : call
        ? null
        : 'the search was not made, because the credits that are left do not pay for it.'
  const gaps = [
    ...located
      .filter(({ location }) => !location)
      .map(({ place, call }) => [place, call?.failed ? failureOf(call) : 'the provider knows no such place.'] as const),
    ...searches.map((call, i) => [wanted[i]?.place, reasonFor(call)] as const),
  ].flatMap(([place, reason]) => (reason === null ? [] : [`${place?.name}: ${reason}`]))
  const chapters = found.map((each) => foundChapter(each, homes))
  const stored = found.filter(({ call, rows }) => rows.length > 0 && stepOfCall(call) !== null)
  const numbers =
    wantsNumbers && stored.length > 0
      ? homesNumbers(ask, stored, { taken, operation: homes.operation, text: wish.text })
      : []
  const all = [...chapters, ...numbers]
  return all.length > 0
    ? all.map((chapter, i) => (i === 0 ? { ...chapter, gaps: [...chapter.gaps, ...gaps], assumed } : chapter))
    : [makeChapter({ title: 'Homes', gaps, assumed })]
}

/** Homes for sale or rent: locations, a search with the goal's filters, and numbers by SQL. */
export const homesPart: PlayerPart = { topic: 'homes', plan, question, play }
