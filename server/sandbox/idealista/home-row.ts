import { daysAgo } from '../today'
import { contactOf } from './home-contact'
import { hasFloorPlan, imagesOf, photoCount } from './home-images'
import { addressOf, capitalize, descriptionOf, mixedChance, titleOfHome } from './home-text'
import type { SimulatedHome } from './homes'
import { adWords } from './words'

/** An advertisement in the words of a list. */
export function homeRow(home: SimulatedHome, origin: string, language: string) {
  const { place, price, formerPrice, dropPercent, operation, size } = home
  const words = adWords(language)
  const address = addressOf(home)
  const images = imagesOf(home, origin)
  const drop = formerPrice !== null && {
    formerPrice,
    priceDropValue: formerPrice - price,
    priceDropPercentage: dropPercent,
  }
  return {
    propertyCode: home.code,
    thumbnail: images[0]?.url,
    externalReference: `REF-${home.code.slice(-6)}`,
    numPhotos: photoCount(home),
    floor: home.floor === null ? undefined : home.floor === 0 ? 'bj' : String(home.floor),
    price,
    priceInfo: {
      price: {
        amount: price,
        currencySuffix: operation === 'rent' ? '€/mes' : '€',
        ...(drop && { priceDropInfo: drop }),
      },
    },
    ...(drop && { priceDropPercentage: dropPercent, dropDate: daysAgo(Math.floor(home.age / 2)) }),
    propertyType: home.kind,
    operation,
    size,
    rooms: home.rooms,
    bathrooms: home.bathrooms,
    address: address.isExact ? `${capitalize(address.street)}, ${address.number}` : capitalize(address.street),
    province: place.province,
    municipality: address.town,
    district: address.district ?? address.neighbourhood,
    neighborhood: address.neighbourhood,
    country: place.country,
    locationId: place.locationId,
    latitude: address.latitude,
    longitude: address.longitude,
    showAddress: address.isExact,
    url: `${origin}/idealista/inmueble/${home.code}/`,
    description: descriptionOf(home, words),
    status: home.condition,
    newDevelopment: home.isNew,
    exterior: home.isExterior,
    hasLift: home.hasLift,
    hasVideo: false,
    hasPlan: hasFloorPlan(home),
    has3DTour: false,
    priceByArea: Math.round(price / size),
    parkingSpace: {
      hasParkingSpace: home.hasGarage,
      isParkingSpaceIncludedInPrice: home.hasGarage && mixedChance(home, 9, 4) < 0.6,
    },
    features: {
      hasAirConditioning: home.hasAir,
      hasBoxRoom: home.hasStorage,
      hasSwimmingPool: home.hasPool,
      hasTerrace: home.hasTerrace,
      hasGarden: home.hasGarden,
    },
    detailedType: { typology: home.kind },
    suggestedTexts: { title: titleOfHome(home, words), subtitle: place.name },
    multimedia: { images: images.filter(({ tag }) => tag !== 'plan') },
    contactInfo: contactOf(home),
    firstActivationDate: daysAgo(home.age),
    ...(home.type === 'rooms' && {
      tenantNumber: 1 + Math.floor(mixedChance(home, 12, 1) * 4),
      flatMatesNumber: 1 + Math.floor(mixedChance(home, 12, 1) * 4),
      tenantGender: 'mixed',
      isSmokingAllowed: mixedChance(home, 13, 1) < 0.2,
    }),
  }
}
