import type { UnknownRecord } from '../../kit/record'
import type { PlannedStep, PlayerAsk, PlayerPart, WantedCall } from './ask'
import { failureOf, resultRows, resultValue, rowNumber, rowText, type ShownCall, stepOfCall } from './calls'
import { type Chapter, linkTo, makeChapter, plainLine, shownNumber } from './chapter'
import { homesNumbers } from './homes-numbers'
import { type HomesFound, type HomesWish, readHomesWish } from './homes-wish'
import type { NamedPlace } from './places'
import { type PlayerView, priceIn } from './view'
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
  const price = (tool: string) => (priceIn(view, tool) ?? 0) * count
  const what = [`homes for ${operation}`, ...words].join(', ')
  return [
    {
      title: `Find ${names} in the provider's list of locations`,
      tools: ['property_suggestions'],
      credits: price('property_suggestions'),
    },
    { title: `Search ${what}`, tools: ['property_search'], credits: price('property_search') },
    ...(isRefused(wish, /\b(datasets?|sql|numbers?|averages?)\b/i)
      ? []
      : [
          {
            title: 'Store the rows as a dataset and compare districts with SQL',
            tools: ['dataset_create', 'dataset_query'],
            credits: 0,
          },
        ]),
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

function searchCall(
  place: NamedPlace,
  location: UnknownRecord,
  { operation, filters }: HomesWish,
  rows: number,
): WantedCall {
  return {
    name: 'property_search',
    args: {
      locationId: rowText(location, 'locationId'),
      locationName: rowText(location, 'locationName') || place.name,
      location: place.country ?? 'es',
      operation,
      maxResults: rows,
      ...filters,
    },
  }
}

const titleOf = (row: UnknownRecord) =>
  rowText(row, 'title') ||
  [rowText(row, 'propertyType'), rowText(row, 'address')].filter(Boolean).join(', ') ||
  'A home'

function homeLine(row: UnknownRecord, perMonth: string): string[] {
  const where = rowText(row, 'district') || rowText(row, 'neighborhood') || rowText(row, 'municipality')
  return [
    linkTo(titleOf(row), rowText(row, 'url')),
    `${euros(rowNumber(row, 'price'))}${perMonth}`,
    `${shownNumber(rowNumber(row, 'size'))} m²`,
    shownNumber(rowNumber(row, 'bedrooms')),
    plainLine(where, 40) || '–',
  ]
}

function foundChapter({ place, rows, total }: HomesFound, wish: HomesWish): Chapter {
  const { operation, words } = wish
  const title = `Homes for ${operation} in ${place.name}`
  if (rows.length === 0)
    return makeChapter({
      title,
      gaps: [`No home for ${operation} in ${place.name} fits${words.length > 0 ? `: ${words.join(', ')}` : ''}.`],
    })
  const cheapest = rows
    .filter((row) => rowNumber(row, 'price') !== null)
    .sort((a, b) => (rowNumber(a, 'price') ?? 0) - (rowNumber(b, 'price') ?? 0))
  const [best] = cheapest
  const perMonth = operation === 'rent' ? ' a month' : ''
  const count = total ?? rows.length
  const lead =
    `**${shownNumber(count)} home${count === 1 ? '' : 's'} for ${operation} in ${place.name}**` +
    (words.length > 0 ? ` (${words.join(', ')})` : '') +
    (best
      ? `; the cheapest of the ${rows.length} that I looked at is ${linkTo(titleOf(best), rowText(best, 'url'))} for ${euros(rowNumber(best, 'price'))}${perMonth}.`
      : '.')
  return makeChapter({
    title,
    lead,
    blocks: [
      {
        kind: 'table',
        head: ['Home', 'Price', 'Size', 'Bedrooms', 'Where'],
        rows: cheapest.slice(0, 6).map((row) => homeLine(row, perMonth)),
      },
    ],
  })
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
  const wanted = located.flatMap(({ place, location }) =>
    location ? [{ place, call: searchCall(place, location, homes, wish.isCheap ? FEW_ROWS : ROWS) }] : [],
  )
  const searches = ask.all(wanted.map(({ call }) => call))
  const found = wanted.flatMap(({ place }, i): HomesFound[] => {
    const call = searches[i]
    if (!call || call.failed) return []
    return [{ place, call, rows: resultRows(call), total: rowNumber(resultValue(call) ?? {}, 'totalRows') }]
  })
  const gaps = [
    ...located
      .filter(({ location }) => !location)
      .map(
        ({ place, call }) => `${place.name}: ${call?.failed ? failureOf(call) : 'the provider knows no such place.'}`,
      ),
    ...searches.flatMap((call, i) =>
      call?.failed
        ? [`${wanted[i]?.place.name}: ${failureOf(call)}`]
        : call
          ? []
          : [`${wanted[i]?.place.name}: the search was not made, because the credits that are left do not pay for it.`],
    ),
  ]
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
