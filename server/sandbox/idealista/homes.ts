import { LRUCache } from 'lru-cache'
import { chanceOf, chancesOf, times } from '../kit/seed'
import tables from './homes.json'
import { findLeafPlace, type RealPlace } from './places'

/** What is not a home: square metres, smallest and largest, and its price by those of a home. */
type Other = { from: number; to: number; price: number }

/** The provider's lists, in the order of their digits in codes, with the ads per home for sale. */
const TYPES: Record<HomeType, { sale: number; rent: number; kind: string | null; other: Other | null }> = tables.types

export type HomeType = keyof typeof tables.types
export const HOME_TYPES = Object.keys(TYPES) as HomeType[]
export type HomeOperation = 'sale' | 'rent'

/** An advertisement as it is, before it is written in a list's or a detail's words. */
export type SimulatedHome = ReturnType<typeof makeHome>

/** How many advertisements of a type a place without parts has. */
export const adsOf = (place: RealPlace, type: HomeType, operation: HomeOperation): number =>
  Math.round(place.size * TYPES[type][operation])

function kindOf(type: HomeType, rooms: number, chance: number): string {
  const { kind } = TYPES[type]
  if (kind) return kind
  if (rooms === 0) return 'studio'
  if (rooms >= 4 && chance < 0.45) return 'chalet'
  return chance < 0.74 ? 'flat' : chance < 0.86 ? 'penthouse' : chance < 0.94 ? 'duplex' : 'chalet'
}

/** The beginning of the codes of a type in a place; three digits follow. */
export const codeHead = (place: RealPlace, type: HomeType, operation: HomeOperation): string =>
  `1${String(place.leaf).padStart(4, '0')}${HOME_TYPES.indexOf(type)}${operation === 'rent' ? 1 : 0}`

function makeHome(place: RealPlace, type: HomeType, operation: HomeOperation, n: number) {
  const code = codeHead(place, type, operation) + String(n).padStart(3, '0')
  const c = chancesOf(`home ${code}`)
  const at = (i: number) => c[i] ?? 0
  const { other } = TYPES[type]
  const rooms = other ? 0 : ([0, 1, 2, 2, 3, 3, 3, 4, 5][Math.floor(at(0) * 9)] as number)
  // Square metres by bedrooms: the smallest, and by how much the largest is larger.
  const [smallest = 0, more = 0] = tables.sizes[rooms] ?? []
  const size = Math.round(other ? other.from + at(1) ** 2 * (other.to - other.from) : smallest + at(1) * more)
  const kind = kindOf(type, rooms, at(2))
  const isNew = type === 'newhomes' || (type === 'homes' && at(3) < 0.07)
  const condition = isNew ? 'newdevelopment' : at(3) > 0.84 ? 'renew' : 'good'
  const hasPool = !other && at(4) < (kind === 'chalet' ? 0.45 : 0.16)
  const hasTerrace = !other && (kind === 'penthouse' || at(5) < 0.45)
  // Small homes cost more by the square metre; what has to be renewed costs less.
  const level =
    (0.76 + at(6) * 0.5) *
    (other ? other.price : 1.18 - Math.min(size, 200) / 900) *
    (condition === 'renew' ? 0.82 : isNew ? 1.12 : 1) *
    (hasPool ? 1.06 : 1) *
    (kind === 'penthouse' ? 1.08 : 1)
  const step = operation === 'sale' ? 500 : 5
  const price = Math.max(step, Math.round((place[operation] * level * size) / step) * step)
  const isDropped = at(7) < 0.3
  const formerPrice = isDropped ? Math.round((price * (1.02 + at(8) * 0.16)) / step) * step : null
  const hasDrop = formerPrice !== null && formerPrice > price
  const isHome = !other || type === 'rooms'
  const hasFloors = kind !== 'chalet' && !['lands', 'garages', 'storagerooms'].includes(type)
  return {
    code,
    place,
    type,
    operation,
    // In the provider's words, such as flat.
    kind,
    price,
    formerPrice: hasDrop ? formerPrice : null,
    dropPercent: hasDrop ? Math.max(1, Math.round((1 - price / formerPrice) * 100)) : 0,
    size,
    rooms,
    bathrooms: other ? (isHome ? 1 : 0) : 1 + Math.floor((size - 20) / 70),
    floor: hasFloors && type !== 'buildings' ? Math.floor(at(10) * 8) : null,
    age: Math.floor(at(11) ** 2 * 150),
    hasLift: hasFloors && at(12) < 0.72,
    hasGarage: (!other || type === 'offices') && at(13) < 0.34,
    hasPool,
    hasTerrace: hasTerrace || (type === 'rooms' && at(5) < 0.3),
    hasAir: (isHome || type === 'offices' || type === 'commercial') && at(14) < 0.5,
    hasGarden: !other && (kind === 'chalet' ? at(4) < 0.8 : at(4) > 0.86),
    hasStorage: !other && at(13) > 0.55,
    isExterior: (isHome || type === 'offices') && at(15) < 0.78,
    isNew,
    isBank: sellerOf(code).kind === 'bank',
    furnished: operation === 'rent' && isHome ? furnitureOf(at(9)) : null,
    condition,
    // For all that neither filters nor orders.
    chances: c,
  }
}

const furnitureOf = (chance: number) =>
  chance < 0.5 ? ('furnished' as const) : chance < 0.75 ? ('furnishedKitchen' as const) : null

export const AGENCIES_PER_PROVINCE = 5

/** Of homes one in five is its owner's and a few are a bank's; an agency has the others. */
export type Seller = { kind: 'owner' } | { kind: 'bank' } | { kind: 'agency'; index: number }

/** Who offers what has this code. */
export function sellerOf(code: string): Seller {
  const chance = chanceOf(`seller ${code}`)
  if (chance < 0.2) return { kind: 'owner' }
  if (chance < 0.25) return { kind: 'bank' }
  return { kind: 'agency', index: Math.floor(((chance - 0.25) / 0.75) * AGENCIES_PER_PROVINCE) }
}

type HomeList = { place: RealPlace; type: HomeType; operation: HomeOperation }

const lists = new LRUCache<string, SimulatedHome[], HomeList>({
  max: 120,
  memoMethod: (_name, _stale, { context: { place, type, operation } }) =>
    times(adsOf(place, type, operation), (n) => makeHome(place, type, operation, n)),
})

/** The advertisements of a type in a place without parts. */
export const homesIn = (place: RealPlace, type: HomeType, operation: HomeOperation): SimulatedHome[] =>
  lists.memo(`${place.leaf} ${type} ${operation}`, { context: { place, type, operation } })

/** The advertisement of a code; undefined for an unknown one. */
export function findHome(code: string): SimulatedHome | undefined {
  const [, leaf, type, operation, n] = /^1(\d{4})(\d)([01])(\d{3})$/.exec(code) ?? []
  const place = findLeafPlace(Number(leaf))
  const typeName = HOME_TYPES[Number(type)]
  const way = operation === '1' ? 'rent' : 'sale'
  if (!place || !typeName || Number(n) >= adsOf(place, typeName, way)) return undefined
  return makeHome(place, typeName, way, Number(n))
}
