/** What the provider's filters and orders look at, in real and in made-up places. */
export type Sortable = {
  price: number
  size: number
  rooms: number
  dropPercent: number
  age: number
  hasLift: boolean
  hasGarage: boolean
  hasPool: boolean
  hasTerrace: boolean
  hasAir: boolean
  hasGarden: boolean
  isExterior: boolean
  isNew: boolean
  isBank: boolean
  furnished: 'furnished' | 'furnishedKitchen' | null
}

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
} as const satisfies Record<string, keyof Sortable>

const DAYS: Record<string, number> = { T: 0, Y: 1, W: 7, M: 30 }

/** Whether an advertisement passes the filters of a request. */
export function passesFilters(home: Sortable, query: URLSearchParams): boolean {
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

/** Sorts in the order of a request, in place; by relevance nothing moves. */
export function sortHomes<T extends Sortable>(homes: T[], order: string): T[] {
  const compare = ORDERS[order]
  return compare ? homes.sort(compare) : homes
}
