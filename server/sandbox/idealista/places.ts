import { drawFrom } from '../kit/seed'
import { plainWord } from '../prose/words'
import gazetteer from './gazetteer.json'

/** A place that people search homes in: a province, a town, or a district. */
export type RealPlace = {
  locationId: string
  country: 'es' | 'pt' | 'it'
  level: 'province' | 'town' | 'district'
  /** Alone, such as Salamanca, and as it is listed, such as Salamanca, Madrid. */
  shortName: string
  name: string
  province: string
  provinceId: string
  town: string | null
  /** Euros per square metre. */
  sale: number
  rent: number
  latitude: number
  longitude: number
  /** Only in places without parts: the place's number in the codes of what is listed there. */
  leaf: number | null
  /** Advertisements of homes for sale, where it has no parts. */
  size: number
}

/** Without accents, in lower case, words apart by one space. */
export const plainName = (text: string): string =>
  plainWord(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Districts of the larger cities; a number is their price as a part of the city's. */
const DISTRICTS: Record<string, string> = gazetteer.districts
/** What people type for a place: how it is called there. */
const ALIASES: Record<string, string> = gazetteer.aliases
/** Towns whose prices are known to be unlike their capital's, as a part of those. */
const PRICE_LEVELS: Record<string, number> = gazetteer.priceLevels

const leaves: RealPlace[] = []

function add(place: Omit<RealPlace, 'leaf' | 'size'>, sizes: [number, number] | null): RealPlace {
  if (!sizes) return { ...place, leaf: null, size: 0 }
  const size = drawFrom(`place ${place.locationId}`).int('size', ...sizes)
  const leafPlace = { ...place, leaf: leaves.length, size }
  leaves.push(leafPlace)
  return leafPlace
}

const PROVINCE_WORDS = { es: 'provincia', pt: 'distrito', it: 'provincia' } as const

/**
 * A province with its towns, the capital first: code, name, latitude and longitude of the capital,
 * euros per square metre there for sale and for rent, towns. Prices are of the right order only.
 */
function readProvince(country: RealPlace['country'], line: string): RealPlace[] {
  const [code = '', province = '', lat, lon, sale, rent, towns = ''] = line.split('|')
  const provinceId = `0-EU-${country.toUpperCase()}-${code}`
  const shared = { country, province, provinceId }
  const [latitude, longitude] = [Number(lat), Number(lon)]
  const found = towns.split(',').flatMap((town, index): RealPlace[] => {
    const locationId = `${provinceId}-01-${String(index + 1).padStart(3, '0')}`
    const { chance } = drawFrom(`place ${locationId}`)
    const level = PRICE_LEVELS[town] ?? (index === 0 ? 1 : 0.5 + chance('price') * 0.42)
    const aside = (name: string) => (index === 0 ? 0 : (chance(name) - 0.5) / 2)
    const here = {
      ...shared,
      town,
      sale: Number(sale) * level,
      rent: Number(rent) * Math.sqrt(level),
      latitude: latitude + aside('north'),
      longitude: longitude + aside('east'),
    }
    const parts = index === 0 ? DISTRICTS[town]?.split(',') : undefined
    const itself = { ...here, locationId, level: 'town' as const, shortName: town, name: `${town}, ${province}` }
    return [
      add(itself, parts ? null : index === 0 ? [140, 320] : [28, 75]),
      ...(parts ?? []).map((part, i) => readDistrict({ ...here, locationId, town }, part, i)),
    ]
  })
  const name = `${province} ${PROVINCE_WORDS[country]}`
  const top = { ...shared, locationId: provinceId, level: 'province' as const, shortName: province, name, town: null }
  return [add({ ...top, sale: Number(sale), rent: Number(rent), latitude, longitude }, null), ...found]
}

type Town = Omit<RealPlace, 'leaf' | 'size' | 'level' | 'shortName' | 'name'> & { town: string }

function readDistrict(town: Town, part: string, index: number): RealPlace {
  const end = part.lastIndexOf(' ')
  const [district, factor] = [part.slice(0, end), part.slice(end + 1)]
  const locationId = `${town.locationId}-${String(index + 1).padStart(2, '0')}`
  const { chance } = drawFrom(`place ${locationId}`)
  return add(
    {
      ...town,
      locationId,
      level: 'district',
      shortName: district,
      name: `${district}, ${town.town}`,
      sale: town.sale * Number(factor),
      rent: town.rent * Math.sqrt(Number(factor)),
      latitude: town.latitude + (chance('north') - 0.5) / 14,
      longitude: town.longitude + (chance('east') - 0.5) / 12,
    },
    [48, 110],
  )
}

/** Every place of the three countries, a province before its towns, a town before its districts. */
export const realPlaces: readonly RealPlace[] = (['es', 'pt', 'it'] as const).flatMap((country) =>
  gazetteer[country].flatMap((line) => readProvince(country, line)),
)

const byId = new Map(realPlaces.map((place) => [place.locationId, place]))
export const findRealPlace = (locationId: string): RealPlace | undefined => byId.get(locationId)
export const findLeafPlace = (leaf: number): RealPlace | undefined => leaves[leaf]

const isInside = (place: RealPlace, id: string) => place.locationId === id || place.locationId.startsWith(`${id}-`)

/** The places without parts in a place, which may be that itself. */
export const leavesOf = (locationId: string): RealPlace[] => leaves.filter((place) => isInside(place, locationId))

/** The places right under a place. */
export function partsOf(locationId: string): RealPlace[] {
  const below = { province: 'town', town: 'district', district: null }[byId.get(locationId)?.level ?? 'district']
  return realPlaces.filter((place) => place.level === below && place.locationId.startsWith(`${locationId}-`))
}

/** A town before the province of the same name, and that before districts. */
const LEVELS = { town: 0, province: 1, district: 2 }
const named = realPlaces.map((place) => ({ place, short: plainName(place.shortName), full: plainName(place.name) }))

/** Places of a country by the beginning of their name or of a word in it, whatever its accents. */
export function suggestPlaces(prefix: string, country: string): RealPlace[] {
  const typed = plainName(prefix).replace(/ (spain|espana|portugal|italy|italia)$/, '')
  const asked = plainName(ALIASES[typed] ?? typed)
  if (asked === '') return []
  return named
    .filter(({ place }) => place.country === country)
    .flatMap(({ place, short, full }) => {
      if (short === asked || full === asked) return [{ place, distance: 0 }]
      if (full.startsWith(asked)) return [{ place, distance: 1 }]
      return ` ${short}`.includes(` ${asked}`) ? [{ place, distance: 2 }] : []
    })
    .sort((a, b) => a.distance - b.distance || LEVELS[a.place.level] - LEVELS[b.place.level])
    .slice(0, 12)
    .map(({ place }) => place)
}
