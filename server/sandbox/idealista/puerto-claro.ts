import { simulatedAgencies } from './puerto-claro-agencies'
import { type SimulatedPlace, simulatedPlaces } from './puerto-claro-places'

const STREETS = ['Calle del Faro', 'Avenida de los Olmos', 'Plaza Mayor', 'Calle de la Noria', 'Paseo del Río']
const TYPES = ['flat', 'chalet', 'penthouse', 'studio', 'duplex']
/** 2025-01-01, in milliseconds. */
const EPOCH = 1_735_689_600_000
const DAY = 86_400_000

/**
 * The n-th advertisement of a place, in the words of a list. Every fifth is a bare one of a private
 * owner.
 */
export function homeListing(at: SimulatedPlace, n: number, operation: string, propertyType: string, origin: string) {
  const code = String(
    90_000_000 + Math.max(simulatedPlaces.indexOf(at), 0) * 10_000 + n * 10 + (operation === 'rent' ? 1 : 0),
  )
  const size = 40 + ((n * 17) % 160)
  const price = operation === 'rent' ? 500 + ((n * 53) % 1500) : 90_000 + ((n * 7919) % 600_000)
  const isBare = n % 5 === 4
  const agency = simulatedAgencies.find((a) => a.country === at.country) ?? simulatedAgencies[0]
  const common = {
    propertyCode: code,
    price,
    propertyType: propertyType === 'rooms' ? 'bedroom' : TYPES[n % TYPES.length],
    operation,
    size,
    rooms: n % 6,
    bathrooms: 1 + (n % 3),
    address: `${STREETS[n % STREETS.length]}, ${n + 1}`,
    province: at.name.split(', ').at(-1),
    municipality: at.name.split(', ')[0],
    country: at.country,
    latitude: 39 + n / 1000,
    longitude: -1 - n / 1000,
    showAddress: n % 2 === 0,
    url: `https://example.com/inmueble/${code}/`,
    hasVideo: false,
    newDevelopment: n % 9 === 0,
    hasPlan: !isBare,
    has3DTour: false,
    priceByArea: Math.round(price / size),
  }
  if (isBare) {
    const contactInfo = { contactName: 'Particular', userType: 'private', contactMethod: 'only-phone', totalAds: 0 }
    const info = { price: { amount: price, currencySuffix: '€' } }
    return { ...common, numPhotos: 0, floor: 'bj', priceInfo: info, status: 'good', multimedia: {}, contactInfo }
  }
  const drop = n % 3 === 0 ? { formerPrice: price + 9000, priceDropValue: 9000, priceDropPercentage: 5 } : undefined
  return {
    ...common,
    thumbnail: `${origin}/idealista/photos/${code}/1.jpg`,
    externalReference: `REF-${n}`,
    numPhotos: 3,
    floor: String(n % 8),
    priceInfo: { price: { amount: price, currencySuffix: operation === 'rent' ? '€/mes' : '€', priceDropInfo: drop } },
    ...(drop && { priceDropPercentage: 5, dropDate: EPOCH + n * DAY }),
    district: 'Casco Viejo',
    neighborhood: 'La Ribera',
    locationId: at.locationId,
    description: `Made-up advertisement ${n + 1} in ${at.name}.`,
    status: ['good', 'renew', 'newdevelopment'][n % 3],
    exterior: n % 2 === 0,
    hasLift: n % 4 !== 0,
    parkingSpace: { hasParkingSpace: n % 2 === 0, isParkingSpaceIncludedInPrice: n % 4 === 0 },
    features: { hasAirConditioning: n % 2 === 1, hasBoxRoom: n % 3 === 1, hasSwimmingPool: n % 7 === 0 },
    detailedType: { typology: 'flat' },
    suggestedTexts: { title: `Home in ${STREETS[n % STREETS.length]}`, subtitle: at.name },
    multimedia: { images: [{ url: `${origin}/idealista/photos/${code}/1.jpg`, tag: 'livingRoom' }] },
    contactInfo: {
      commercialName: agency?.name,
      contactName: agency?.name,
      userType: 'professional',
      micrositeShortName: agency?.slug,
      phone1: { phoneNumber: agency?.phone.replaceAll(' ', ''), formattedPhone: agency?.phone, prefix: '34' },
    },
    firstActivationDate: EPOCH + n * DAY,
    ...(propertyType === 'rooms' && {
      tenantNumber: 2,
      flatMatesNumber: 2,
      tenantGender: 'mixed',
      isSmokingAllowed: false,
    }),
  }
}

/** An advertisement's details: other names than in the list, and numbers where that has strings. */
export function homeDetails(propertyId: string, origin: string) {
  const n = Number(propertyId) % 1000
  const price = 90_000 + ((n * 7919) % 600_000)
  const image = (i: number, tag: string, localizedName: string) => ({
    url: `${origin}/idealista/photos/${propertyId}/${i}.jpg`,
    tag,
    localizedName,
    multimediaId: n * 10 + i,
  })
  return {
    adid: Number(propertyId),
    price,
    priceInfo: { amount: price, currencySuffix: '€' },
    operation: 'sale',
    propertyType: 'homes',
    extendedPropertyType: 'flat',
    state: 'active',
    multimedia: {
      images: [image(1, 'livingRoom', 'Living room'), image(2, 'facade', 'Facade'), image(3, 'plan', 'Plan')],
      videos: [],
    },
    propertyComment: `Made-up advertisement ${propertyId}, bright and quiet.`,
    ubication: {
      title: `Calle del Faro, ${n + 1}`,
      latitude: 39.1,
      longitude: -1.1,
      hasHiddenAddress: false,
      administrativeAreaLevel4: 'La Ribera',
      administrativeAreaLevel3: 'Casco Viejo',
      administrativeAreaLevel2: 'Puerto Claro',
      administrativeAreaLevel1: 'Alboraya de Arriba',
      locationId: '0-EU-ES-90-01-001-01',
      locationName: 'La Ribera, Puerto Claro',
    },
    country: 'es',
    contactInfo: {
      commercialName: 'Casas del Puerto',
      phone1: {
        phoneNumber: '900000101',
        formattedPhone: '900 00 01 01',
        formattedPhoneWithPrefix: '+34 900 00 01 01',
      },
      contactName: 'Casas del Puerto',
      userType: 'professional',
      micrositeShortName: 'casas-del-puerto',
      address: { streetName: 'Plaza Mayor', streetNumber: 3, locationName: 'Puerto Claro', postalCode: '99001' },
    },
    moreCharacteristics: {
      roomNumber: 1 + (n % 4),
      bathNumber: 2,
      constructedArea: 95,
      usableArea: 84,
      lift: true,
      swimmingPool: false,
      energyCertificationType: 'd',
      modificationDate: EPOCH + n * DAY,
      status: 'good',
    },
    translatedTexts: {
      characteristicsDescriptions: [
        {
          key: 'features',
          title: 'Basic features',
          detailFeatures: [{ phrase: '95 m² constructed' }, { phrase: 'Lift' }],
        },
      ],
    },
    suggestedTexts: { title: 'Flat in calle del Faro' },
    detailedType: { typology: 'flat' },
    detailWebLink: `https://example.com/inmueble/${propertyId}/`,
    energyCertification: {
      title: 'Energy certificate',
      energyConsumption: { prefix: 'Consumption:', suffix: '120 kWh/m² year', type: 'd' },
      emissions: { prefix: 'Emissions:', suffix: '24 kg CO2/m² year', type: 'e' },
    },
    labels: [{ name: 'bright', text: 'Bright' }],
  }
}
