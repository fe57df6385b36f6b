import { DAY_MS, daysAgo } from '../kit/time'
import { homeRow } from './home-forms'
import { mixedChance } from './home-text'
import { type HomeOperation, type HomeType, homesIn, type SimulatedHome } from './homes'
import { findRealPlace, leavesOf } from './places'
import { homeListing, type SimulatedPlace, simulatedPlaces } from './puerto-claro'

/** What the provider's filters and orders look at, in real and in made-up places. */
type Sortable = Record<'price' | 'size' | 'rooms' | 'dropPercent' | 'age', number> & {
  [flag in (typeof FLAGS)[keyof typeof FLAGS]]?: boolean | undefined
} & { furnished?: string | null }

const FLAGS = {
  elevator: 'hasLift',
  garage: 'hasGarage',
  swimmingPool: 'hasPool',
  terrance: 'hasTerrace',
  terrace: 'hasTerrace',
  airConditioning: 'hasAir',
  garden: 'hasGarden',
  exterior: 'isExterior',
  newDevelopment: 'isNew',
  bankOffer: 'isBank',
} as const

const DAYS: Record<string, number> = { T: 0, Y: 1, W: 7, M: 30 }

/** Whether an advertisement passes the filters of a request. */
function passesFilters(home: Sortable, query: URLSearchParams): boolean {
  const bound = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise)
  const { price, size, rooms } = home
  if (price < bound('minPrice', 0) || price > bound('maxPrice', Number.POSITIVE_INFINITY)) return false
  if (size < bound('minSize', 0) || size > bound('maxSize', Number.POSITIVE_INFINITY)) return false
  const bedrooms = [0, 1, 2, 3, 4].filter((n) => query.get(`bedrooms${n}`) === 'true')
  if (bedrooms.length > 0 && !bedrooms.includes(Math.min(rooms, 4))) return false
  if (Object.entries(FLAGS).some(([name, field]) => query.get(name) === 'true' && !home[field])) return false
  const furnished = query.get('furnished')
  if (furnished && home.furnished !== furnished) return false
  return home.age <= (DAYS[query.get('sinceDate') ?? ''] ?? Number.POSITIVE_INFINITY)
}

const perMetre = ({ price, size }: Sortable) => Math.round(price / size)

const ORDERS: Record<string, (a: Sortable, b: Sortable) => number> = {
  lowestprice: (a, b) => a.price - b.price,
  highestprice: (a, b) => b.price - a.price,
  mostrecent: (a, b) => a.age - b.age,
  leastrecent: (a, b) => b.age - a.age,
  highestpricereduction: (a, b) => b.dropPercent - a.dropPercent,
  lowestpricem2: (a, b) => perMetre(a) - perMetre(b),
  highestpricem2: (a, b) => perMetre(b) - perMetre(a),
  biggest: (a, b) => b.size - a.size,
  smallest: (a, b) => a.size - b.size,
}

/** Advertisements of a made-up place with what filters and orders look at. */
function madeUpHomes(at: SimulatedPlace, type: string, operation: string, origin: string) {
  return Array.from({ length: at.ads }, (_, n) => {
    const row = homeListing(at, n, operation, type, origin)
    const seen: Sortable = {
      price: row.price,
      size: row.size,
      rooms: row.rooms,
      dropPercent: row.priceDropPercentage ?? 0,
      age: row.firstActivationDate === undefined ? 1_000 : Math.round((daysAgo(0) - row.firstActivationDate) / DAY_MS),
      hasLift: row.hasLift,
      hasGarage: row.parkingSpace?.hasParkingSpace,
      hasPool: row.features?.hasSwimmingPool,
      hasAir: row.features?.hasAirConditioning,
      isExterior: row.exterior,
      isNew: row.newDevelopment,
    }
    return { ...seen, row }
  })
}

/** Where relevance puts a home: anywhere, so that the districts of a town are mixed. */
const relevance = (home: SimulatedHome) => mixedChance(home, 2, 11)

function realHomes(locationId: string, type: HomeType, operation: HomeOperation): SimulatedHome[] {
  return leavesOf(locationId)
    .flatMap((leaf) => homesIn(leaf, type, operation))
    .sort((a, b) => relevance(a) - relevance(b))
}

type Search = { type: HomeType; operation: HomeOperation; query: URLSearchParams; origin: string }

type Found = { total: number; page: (from: number, to: number) => object[] }

/** What matches a search, in its order, page by page; null where there is no such place. */
export function findHomes({ type, operation, query, origin }: Search): Found | null {
  const locationId = query.get('locationId') ?? ''
  const inOrder = <T extends Sortable>(all: T[], rowOf: (home: T) => object): Found => {
    const isEmpty = query.get('locationName') === 'sandbox-empty'
    const compare = ORDERS[query.get('order') ?? '']
    const passing = isEmpty ? [] : all.filter((home) => passesFilters(home, query))
    // By relevance nothing moves.
    const found = compare ? passing.sort(compare) : passing
    return { total: found.length, page: (from, to) => found.slice(from, to).map(rowOf) }
  }
  const madeUp = simulatedPlaces.find((place) => place.locationId === locationId)
  if (madeUp) return inOrder(madeUpHomes(madeUp, type, operation, origin), ({ row }) => row)
  if (findRealPlace(locationId)?.country !== query.get('location')) return null
  const language = query.get('locale') ?? 'en'
  return inOrder(realHomes(locationId, type, operation), (home) => homeRow(home, origin, language))
}
