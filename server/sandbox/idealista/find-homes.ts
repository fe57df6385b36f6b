import { daysAgo } from '../kit/time'
import { homeRow } from './home-forms'
import { mixedChance } from './home-text'
import { type HomeOperation, type HomeType, homesIn, type SimulatedHome } from './homes'
import { findRealPlace, leavesOf } from './places'
import { homeListing, type SimulatedPlace, simulatedPlaces } from './puerto-claro'
import { passesFilters, type Sortable, sortHomes } from './search'

const DAY_MS = 86_400_000

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
      hasLift: row.hasLift ?? false,
      hasGarage: row.parkingSpace?.hasParkingSpace ?? false,
      hasPool: row.features?.hasSwimmingPool ?? false,
      hasTerrace: false,
      hasAir: row.features?.hasAirConditioning ?? false,
      hasGarden: false,
      isExterior: row.exterior ?? false,
      isNew: row.newDevelopment,
      isBank: false,
      furnished: null,
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
    const found = sortHomes(isEmpty ? [] : all.filter((home) => passesFilters(home, query)), query.get('order') ?? '')
    return { total: found.length, page: (from, to) => found.slice(from, to).map(rowOf) }
  }
  const madeUp = simulatedPlaces.find((place) => place.locationId === locationId)
  if (madeUp) return inOrder(madeUpHomes(madeUp, type, operation, origin), ({ row }) => row)
  if (findRealPlace(locationId)?.country !== query.get('location')) return null
  const language = query.get('locale') ?? 'en'
  return inOrder(realHomes(locationId, type, operation), (home) => homeRow(home, origin, language))
}
