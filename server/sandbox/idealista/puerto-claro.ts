import { fillTemplate } from '../kit/template'
import { DAY_MS } from '../kit/time'
import tables from './puerto-claro.json'
import shapes from './shapes.json'

export type SimulatedPlace = (typeof tables.places)[number]
type SimulatedAgency = (typeof tables.agencies)[number]

/** Made-up places that tests know. */
export const simulatedPlaces: readonly SimulatedPlace[] = tables.places

const STREETS = ['Calle del Faro', 'Avenida de los Olmos', 'Plaza Mayor', 'Calle de la Noria', 'Paseo del Río']
const TYPES = ['flat', 'chalet', 'penthouse', 'studio', 'duplex']
/** 2025-01-01, in milliseconds. */
const EPOCH = 1_735_689_600_000

/** An advertisement in the words of a list; a bare one has no features. */
type Listing = {
  propertyCode: string
  price: number
  size: number
  rooms: number
  newDevelopment: boolean
  priceDropPercentage?: number
  hasLift?: boolean
  exterior?: boolean
  firstActivationDate?: number
  parkingSpace?: { hasParkingSpace: boolean }
  features?: { hasSwimmingPool: boolean; hasAirConditioning: boolean }
}

/** The n-th advertisement of a place. Every fifth is a bare one of a private owner. */
export function homeListing(at: SimulatedPlace, n: number, operation: string, propertyType: string, origin: string) {
  const index = Math.max(simulatedPlaces.indexOf(at), 0)
  const code = String(90_000_000 + index * 10_000 + n * 10 + (operation === 'rent' ? 1 : 0))
  const size = 40 + ((n * 17) % 160)
  const price = operation === 'rent' ? 500 + ((n * 53) % 1500) : 90_000 + ((n * 7919) % 600_000)
  const agency = tables.agencies.find(({ country }) => country === at.country) ?? tables.agencies[0]
  const street = STREETS[n % STREETS.length]
  const isRoom = propertyType === 'rooms'
  return fillTemplate<Listing>(
    { ...tables.row, ...(n % 5 === 4 ? tables.bareRow : tables.fullRow) },
    {
      at,
      n,
      code,
      size,
      price,
      operation,
      agency,
      street,
      number: n + 1,
      kind: isRoom ? 'bedroom' : TYPES[n % TYPES.length],
      rooms: n % 6,
      bathrooms: 1 + (n % 3),
      address: `${street}, ${n + 1}`,
      province: at.name.split(', ').at(-1),
      municipality: at.name.split(', ')[0],
      latitude: 39 + n / 1000,
      longitude: -1 - n / 1000,
      isEven: n % 2 === 0,
      isOdd: n % 2 === 1,
      isFourth: n % 4 === 0,
      isNew: n % 9 === 0,
      hasPlan: n % 5 !== 4,
      priceByArea: Math.round(price / size),
      photo: `${origin}/idealista/photos/${code}/1.jpg`,
      floor: String(n % 8),
      currency: operation === 'rent' ? '€/mes' : '€',
      drop: n % 3 === 0 ? { formerPrice: price + 9000, priceDropValue: 9000, priceDropPercentage: 5 } : undefined,
      dropDate: n % 3 === 0 ? EPOCH + n * DAY_MS : undefined,
      status: ['good', 'renew', 'newdevelopment'][n % 3],
      hasLift: n % 4 !== 0,
      hasStorage: n % 3 === 1,
      hasPool: n % 7 === 0,
      plainPhone: agency?.phone.replaceAll(' ', ''),
      activated: EPOCH + n * DAY_MS,
      tenants: isRoom ? 2 : undefined,
      tenantGender: isRoom ? 'mixed' : undefined,
      smoking: isRoom ? false : undefined,
    },
  )
}

/** An advertisement's details: other names than in the list, and numbers where that has strings. */
export function homeDetails(id: string, origin: string) {
  const n = Number(id) % 1000
  return fillTemplate(tables.details, {
    id,
    number: n + 1,
    image1: n * 10 + 1,
    image2: n * 10 + 2,
    image3: n * 10 + 3,
    adid: Number(id),
    price: 90_000 + ((n * 7919) % 600_000),
    photos: `${origin}/idealista/photos/${id}`,
    rooms: 1 + (n % 4),
    modified: EPOCH + n * DAY_MS,
  })
}

export const goneAdvertisement: object = tables.gone

export const simulatedAgency = (slug: string) => tables.agencies.find((agency) => agency.slug === slug)

/** What the form of a profile names. */
export const madeUpProfile = ({ name, slug, phone }: SimulatedAgency, origin: string) => ({
  name,
  slug,
  phone,
  prefix: '34',
  plainPhone: phone.replaceAll(' ', ''),
  street: 'Plaza Mayor',
  streetNumber: 3,
  town: 'Puerto Claro',
  postalCode: '99001',
  total: 28,
  logo: `${origin}/idealista/photos/${slug}.gif`,
  phrase: 'Homes by the water since 1987.',
  webUrl: 'https://example.com',
})

export function madeUpAgencyPlaces(agency: SimulatedAgency, locationId: string) {
  const row = (place: SimulatedPlace, total: number) =>
    fillTemplate<{ total: number }>(shapes.agencyPlace, { ...place, total })
  const inside = simulatedPlaces.filter((place) => place.locationId.startsWith(`${locationId}-`))
  const municipalities = inside.slice(0, 2).map((place, i) => row(place, 10 + i))
  const root = simulatedPlaces.find((place) => place.locationId === agency.province)
  const sum = municipalities.reduce((all, { total }) => all + total, 0)
  return { provinces: root && sum > 0 ? [row(root, sum)] : [], municipalities }
}
