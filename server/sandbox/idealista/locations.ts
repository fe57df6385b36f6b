import { fillTemplate } from '../kit/template'
import { adsOf, type HomeOperation, type HomeType } from './homes'
import { leavesOf, partsOf, plainName, type RealPlace, realPlaces, suggestPlaces } from './places'
import { simulatedPlaces } from './puerto-claro'
import shapes from './shapes.json'
import words from './words.json'

/** The types that locations are counted by, as lists of advertisements. */
const LISTS = words.lists as Record<string, HomeType>

/** How many advertisements a place and its parts have. */
const countIn = (place: RealPlace, type: HomeType, operation: HomeOperation): number =>
  leavesOf(place.locationId).reduce((sum, leaf) => sum + adsOf(leaf, type, operation), 0)

function realRow(place: RealPlace, query: URLSearchParams) {
  const type = LISTS[query.get('propertyType') ?? ''] ?? 'homes'
  return fillTemplate(shapes.location, {
    ...{ ...place, divisible: place.leaf === null, number: 20_000 + realPlaces.indexOf(place) },
    kind: words.levels[place.country][place.level],
    total: countIn(place, type, query.get('operation') === 'rent' ? 'rent' : 'sale'),
  })
}

const madeUpRow = (place: (typeof simulatedPlaces)[number]) =>
  fillTemplate(shapes.location, { ...place, number: 10_000 + simulatedPlaces.indexOf(place), total: place.ads })

/** So much of a made-up place's name has to be asked for: else it would come among real ones. */
const MIN_MADE_UP = 8

/** Places whose names begin so; an empty list without a match. */
export function suggestionsOf(query: URLSearchParams) {
  const prefix = query.get('prefix') ?? ''
  const country = query.get('location') ?? ''
  // Without hits the list has been seen empty and null.
  if (prefix === 'sandbox-empty') return { locations: null, total: 0 }
  const plain = plainName(prefix)
  const madeUp = simulatedPlaces.filter(
    (place) => plain.length >= MIN_MADE_UP && place.country === country && plainName(place.name).startsWith(plain),
  )
  const found = suggestPlaces(prefix, country)
  const locations = [...madeUp.map(madeUpRow), ...found.map((place) => realRow(place, query))]
  return { locations, total: locations.length }
}

/** The parts of a divisible place. */
export function locationParts(query: URLSearchParams) {
  const parent = query.get('locationId') ?? ''
  const inside = simulatedPlaces.filter((p) => p.locationId.startsWith(`${parent}-`))
  const nearest = Math.min(...inside.map((p) => p.locationId.length))
  const madeUp = inside.filter((p) => p.locationId.length === nearest).map(madeUpRow)
  const locations = madeUp.length > 0 ? madeUp : partsOf(parent).map((place) => realRow(place, query))
  return { locations, total: locations.length }
}
