import type { UnknownRecord } from '../../kit/record'
import { freeStep, type PlannedStep, type PlayerAsk, type PlayerPart, pricedStep, type WantedCall } from './ask'
import { failureOf, resultRows, resultValue, rowNumber, rowShown, rowText, type ShownCall, stepOfCall } from './calls'
import { type Chapter, linkTo, makeChapter, plainLine, shownNumber, tableOf, withGaps } from './chapter'
import { homesNumbers } from './homes-numbers'
import type { NamedPlace } from './homes-wish'
import { type HomesFound, type HomesWish, readHomesWish } from './homes-wish'
import type { PlayerView } from './view'
import { isRefused, type Wish } from './wish'

/** Rows of a search: enough for an average by district, few enough for a prompt. */
const ROWS = 30
const FEW_ROWS = 15
const UNPAID = 'the search was not made, because the credits that are left do not pay for it.'

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

const searchCall = (place: NamedPlace, location: UnknownRecord, wish: HomesWish, isCheap: boolean): WantedCall => ({
  name: 'property_search',
  args: {
    locationId: rowText(location, 'locationId'),
    locationName: rowText(location, 'locationName') || place.name,
    location: place.country ?? 'es',
    operation: wish.operation,
    maxResults: isCheap ? FEW_ROWS : ROWS,
    ...wish.filters,
  },
})

function linkOf(row: UnknownRecord): string {
  const described = [rowText(row, 'propertyType'), rowText(row, 'address')].filter(Boolean).join(', ')
  return linkTo(rowText(row, 'title') || described || 'A home', rowText(row, 'url'))
}

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
  const places = homes.places.length > 0 ? homes.places : [{ name: 'Madrid', country: 'es' as const }]
  const assumed = [
    homes.places.length === 0 && 'The goal names no place, so I took Madrid.',
    ...places.map(
      ({ name, country }) => country === null && `The goal does not say in which country ${name} is, so I took Spain.`,
    ),
  ]
  const wantsNumbers = ask.has('dataset_create') && ask.has('dataset_query') && !isRefused(wish, /\b(datasets?|sql)\b/i)
  // Names that are taken are looked up beside the first calls: replacing one would need approval.
  const list = wantsNumbers ? [{ name: 'dataset_list', args: {} }] : []
  const results = ask.all([...places.map(suggestionCall), ...list])
  const located = places.map((place, i) => ({
    place,
    call: results[i],
    location: locationFor(place, results[i] ?? null),
  }))
  const wanted = located.filter(({ location }) => location)
  const searches = ask.all(wanted.map(({ place, location }) => searchCall(place, location ?? {}, homes, wish.isCheap)))
  const found = searches.flatMap((call, i): HomesFound[] => {
    const place = wanted[i]?.place
    if (!place || !call || call.failed) return []
    return [{ place, call, rows: resultRows(call), total: rowNumber(resultValue(call) ?? {}, 'totalRows') }]
  })
  const why = (call: ShownCall | null | undefined, otherwise: string) => (call?.failed ? failureOf(call) : otherwise)
  const gaps = [
    ...located.map(
      ({ place, location, call }) => !location && `${place.name}: ${why(call, 'the provider knows no such place.')}`,
    ),
    ...searches.map((call, i) => (!call || call.failed) && `${wanted[i]?.place.name}: ${why(call, UNPAID)}`),
  ]
  const stored = found.filter(({ call, rows }) => rows.length > 0 && stepOfCall(call) !== null)
  const about = { taken: results[places.length] ?? null, operation: homes.operation, text: wish.text }
  const numbers = wantsNumbers && stored.length > 0 ? homesNumbers(ask, stored, about) : []
  const chapters = [...found.map((each) => foundChapter(each, homes)), ...numbers]
  return withGaps(chapters, { title: 'Homes', gaps, assumed })
}

/** Homes for sale or rent: locations, a search with the goal's filters, and numbers by SQL. */
export const homesPart: PlayerPart = { topic: 'homes', plan, question, play }
