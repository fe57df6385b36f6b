import { daysAgo } from '../today'
import { contactOf } from './home-contact'
import { imagesOf } from './home-images'
import { addressOf, capitalize, descriptionOf, mixedChance, phrasesOf, titleOfHome } from './home-text'
import type { SimulatedHome } from './homes'
import { adWords } from './words'

const ENERGY = ['a', 'b', 'c', 'd', 'd', 'e', 'e', 'e', 'f', 'g']

/** An advertisement in the words of details: other names, and numbers where a list has texts. */
export function homeDetail(home: SimulatedHome, origin: string, language: string) {
  const { code, place, price, operation } = home
  const words = adWords(language)
  const address = addressOf(home)
  const letter = ENERGY[Math.floor(mixedChance(home, 10, 5) * ENERGY.length)] ?? 'e'
  const isBuilt = home.type !== 'lands' && home.type !== 'garages' && home.type !== 'storagerooms'
  return {
    adid: Number(code),
    price,
    priceInfo: { amount: price, currencySuffix: operation === 'rent' ? '€/mes' : '€' },
    operation,
    propertyType: home.type,
    extendedPropertyType: home.kind,
    state: 'active',
    multimedia: {
      images: imagesOf(home, origin).map(({ url, tag }, i) => ({
        url,
        tag,
        localizedName: capitalize(tag.replace(/[A-Z]/g, (letterOf) => ` ${letterOf.toLowerCase()}`)),
        multimediaId: i + 1,
      })),
      videos: [],
    },
    propertyComment: descriptionOf(home, words),
    ubication: {
      title: address.isExact ? `${capitalize(address.street)}, ${address.number}` : capitalize(address.street),
      latitude: address.latitude,
      longitude: address.longitude,
      hasHiddenAddress: !address.isExact,
      administrativeAreaLevel4: address.neighbourhood,
      administrativeAreaLevel3: address.district ?? address.neighbourhood,
      administrativeAreaLevel2: address.town,
      administrativeAreaLevel1: place.province,
      locationId: place.locationId,
      locationName: place.name,
    },
    country: place.country,
    contactInfo: contactOf(home),
    moreCharacteristics: {
      roomNumber: home.rooms,
      bathNumber: home.bathrooms,
      constructedArea: home.size,
      ...(isBuilt && { usableArea: Math.round(home.size * 0.88), energyCertificationType: letter }),
      ...(home.type === 'lands' && { plotOfLand: home.size }),
      lift: home.hasLift,
      swimmingPool: home.hasPool,
      terrace: home.hasTerrace,
      garden: home.hasGarden,
      airConditioning: home.hasAir,
      boxroom: home.hasStorage,
      exterior: home.isExterior,
      ...(home.floor !== null && { floor: home.floor === 0 ? 'bj' : String(home.floor) }),
      ...(home.furnished && { housingFurnitures: home.furnished }),
      modificationDate: daysAgo(Math.floor(home.age / 2)),
      status: home.condition,
    },
    translatedTexts: {
      characteristicsDescriptions: [
        {
          key: 'features',
          title: words.features,
          detailFeatures: phrasesOf(home, words).map((phrase) => ({ phrase })),
        },
      ],
    },
    suggestedTexts: { title: titleOfHome(home, words) },
    detailedType: { typology: home.kind },
    detailWebLink: `${origin}/idealista/inmueble/${code}/`,
    ...(isBuilt && {
      energyCertification: {
        title: 'Energy certificate',
        energyConsumption: {
          prefix: 'Consumption:',
          suffix: `${60 + ENERGY.indexOf(letter) * 32} kWh/m² year`,
          type: letter,
        },
        emissions: { prefix: 'Emissions:', suffix: `${10 + ENERGY.indexOf(letter) * 7} kg CO2/m² year`, type: letter },
      },
    }),
    labels: home.isBank ? [{ name: 'bank', text: 'Bank' }] : [],
  }
}
