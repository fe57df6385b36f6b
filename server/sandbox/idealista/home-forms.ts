import { fillTemplate } from '../kit/template'
import { sentenceCase } from '../kit/text'
import { daysAgo } from '../kit/time'
import { agencyOfHome, agencyValues } from './agencies'
import { addressOf, adWords, descriptionOf, mixedChance, phrasesOf, titleOfHome } from './home-text'
import type { SimulatedHome } from './homes'
import shapes from './shapes.json'

const OWNERS = ['Marta', 'Javier', 'Lucía', 'Rui', 'Inês', 'Paolo', 'Giulia', 'Carmen', 'Ana', 'Marco']
const BANK = { commercialName: 'Banca Marina Inmuebles', contactName: 'Banca Marina' }
const ENERGY = ['a', 'b', 'c', 'd', 'd', 'e', 'e', 'e', 'f', 'g']
const PHOTO_TAGS = ['livingRoom', 'kitchen', 'bedroom', 'bathroom', 'facade', 'views', 'terrace']

type Contact = { commercialName?: string; contactName?: string } & Record<string, unknown>

/** Who offers it, in the fields that lists and details share. */
function contactOf(home: SimulatedHome): Contact {
  const agency = agencyOfHome(home)
  if (agency === undefined) {
    const contactName = OWNERS[Math.floor(mixedChance(home, 9, 4) * OWNERS.length)] ?? ''
    return { contactName, userType: 'private', contactMethod: 'only-chat' }
  }
  if (agency === 'bank') return { ...BANK, userType: 'professional', agencyLogo: '' }
  return fillTemplate(shapes.agencyContact, { ...agencyValues(agency), reference: `REF-${home.code.slice(-6)}` })
}

const photoCount = (home: SimulatedHome): number => 3 + Math.floor(mixedChance(home, 6, 8) * 5)
const hasPlan = (home: SimulatedHome): boolean => mixedChance(home, 7, 11) < 0.6

function imagesOf(home: SimulatedHome, origin: string) {
  const tags = Array.from({ length: photoCount(home) }, (_, i) => PHOTO_TAGS[i % PHOTO_TAGS.length] ?? '')
  const all = hasPlan(home) ? [...tags, 'plan'] : tags
  return all.map((tag, i) => ({ url: `${origin}/idealista/photos/${home.code}/${i + 1}.png`, tag }))
}

/** The tag of a home's n-th image, from 1; undefined where it has none. */
export const photoTag = (home: SimulatedHome, n: number): string | undefined => imagesOf(home, '')[n - 1]?.tag

/** What lists and details name alike. */
function valuesOf(home: SimulatedHome, origin: string, language: string) {
  const words = adWords(language)
  const address = addressOf(home)
  const street = sentenceCase(address.street)
  return {
    ...home,
    address,
    addressText: address.isExact ? `${street}, ${address.number}` : street,
    isHidden: !address.isExact,
    district: address.district ?? address.neighbourhood,
    currency: home.operation === 'rent' ? '€/mes' : '€',
    floorText: home.floor === null ? undefined : home.floor === 0 ? 'bj' : String(home.floor),
    contact: contactOf(home),
    description: descriptionOf(home, words),
    title: titleOfHome(home, words),
    url: `${origin}/idealista/inmueble/${home.code}/`,
    featuresTitle: words.features,
    features: phrasesOf(home, words).map((phrase) => ({ phrase })),
  }
}

/** An advertisement in the words of a list. */
export function homeRow(home: SimulatedHome, origin: string, language: string) {
  const { price, formerPrice, dropPercent, size } = home
  const images = imagesOf(home, origin)
  const hasDrop = formerPrice !== null
  const tenants = home.type === 'rooms' ? 1 + Math.floor(mixedChance(home, 12, 1) * 4) : undefined
  return fillTemplate(shapes.row, {
    ...valuesOf(home, origin, language),
    thumbnail: images[0]?.url,
    reference: `REF-${home.code.slice(-6)}`,
    photos: photoCount(home),
    hasPlan: hasPlan(home),
    listImages: images.filter(({ tag }) => tag !== 'plan'),
    drop: hasDrop ? { formerPrice, priceDropValue: formerPrice - price, priceDropPercentage: dropPercent } : undefined,
    dropShown: hasDrop ? dropPercent : undefined,
    dropDate: hasDrop ? daysAgo(Math.floor(home.age / 2)) : undefined,
    priceByArea: Math.round(price / size),
    isParkingIncluded: home.hasGarage && mixedChance(home, 9, 4) < 0.6,
    activated: daysAgo(home.age),
    tenants,
    tenantGender: tenants && 'mixed',
    smoking: tenants && mixedChance(home, 13, 1) < 0.2,
  })
}

/** What pages name of the details of an advertisement. */
type HomeDetail = {
  price: number
  priceInfo: { currencySuffix: string }
  propertyComment: string
  multimedia: { images: { url: string; localizedName: string }[] }
  ubication: { title: string; locationName: string }
  contactInfo: Contact
  suggestedTexts: { title: string }
}

/** An advertisement in the words of details: other names, and numbers where a list has texts. */
export function homeDetail(home: SimulatedHome, origin: string, language: string) {
  const letter = ENERGY[Math.floor(mixedChance(home, 10, 5) * ENERGY.length)] ?? 'e'
  const isBuilt = home.type !== 'lands' && home.type !== 'garages' && home.type !== 'storagerooms'
  const level = ENERGY.indexOf(letter)
  const energy = { letter, consumption: 60 + level * 32, emissions: 10 + level * 7 }
  return fillTemplate<HomeDetail>(shapes.detail, {
    ...valuesOf(home, origin, language),
    adid: Number(home.code),
    images: imagesOf(home, origin).map(({ url, tag }, i) => {
      const localizedName = sentenceCase(tag.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`))
      return { url, tag, localizedName, multimediaId: i + 1 }
    }),
    usable: isBuilt ? Math.round(home.size * 0.88) : undefined,
    letter: isBuilt ? letter : undefined,
    plot: home.type === 'lands' ? home.size : undefined,
    furniture: home.furnished ?? undefined,
    modified: daysAgo(Math.floor(home.age / 2)),
    energy: isBuilt ? fillTemplate(shapes.energy, energy) : undefined,
    labels: home.isBank ? [{ name: 'bank', text: 'Bank' }] : [],
  })
}
