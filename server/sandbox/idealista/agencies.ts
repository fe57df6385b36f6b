import { LRUCache } from 'lru-cache'
import { drawFrom, times } from '../kit/seed'
import { fillTemplate } from '../kit/template'
import {
  AGENCIES_PER_PROVINCE,
  adsOf,
  codeHead,
  HOME_TYPES,
  type HomeOperation,
  type SimulatedHome,
  sellerOf,
} from './homes'
import { findRealPlace, leavesOf, plainName, type RealPlace, realPlaces } from './places'
import { madeUpAgencyPlaces, madeUpProfile, simulatedAgency } from './puerto-claro'
import shapes from './shapes.json'
import words from './words.json'

/** An agency of a province. */
export type RealAgency = ReturnType<typeof agenciesOf>[number]

/** What the provider's forms name of an agency. */
export const agencyValues = (agency: RealAgency) => ({
  ...agency,
  plainPhone: agency.phone.replaceAll(' ', ''),
  prefix: words.prefixes[agency.province.country],
  town: agency.province.shortName,
})

const agenciesOf = (province: RealPlace) => {
  const { shuffle, int, pick } = drawFrom(`agencies ${province.locationId}`)
  const names = shuffle('names', words.agencies[province.country].split('|')).slice(0, AGENCIES_PER_PROVINCE)
  return names.map((name, index) => ({
    slug: plainName(`${name} ${province.province}`).replaceAll(' ', '-'),
    name: `${name} ${province.province.split(' (')[0]}`,
    index,
    province,
    // Numbers that nobody has been given.
    phone: `${words.phones[province.country]} ${int(`phone ${index}`, 10, 99)} ${int(`end ${index}`, 10, 99)}`,
    street: pick(`street ${index}`, words.agencyStreets[province.country].split('|')),
    streetNumber: int(`number ${index}`, 1, 90),
    postalCode: `${/^\d/.test(province.locationId.slice(8)) ? province.locationId.slice(8, 10) : '20'}0${int(`post ${index}`, 10, 39)}`,
    since: int(`since ${index}`, 1974, 2016),
  }))
}

const agencies = new Map(
  realPlaces
    .filter(({ level }) => level === 'province')
    .flatMap(agenciesOf)
    .map((agency) => [agency.slug, agency]),
)
const bySeat = new Map(
  [...agencies.values()].map((agency) => [`${agency.province.locationId} ${agency.index}`, agency]),
)

export const findRealAgency = (slug: string): RealAgency | undefined => agencies.get(slug)

/** Who offers a home: an agency of its province, a bank, or undefined, its owner. */
export function agencyOfHome({ code, place }: SimulatedHome): RealAgency | 'bank' | undefined {
  const seller = sellerOf(code)
  if (seller.kind === 'owner') return undefined
  return seller.kind === 'bank' ? 'bank' : bySeat.get(`${place.provinceId} ${seller.index}`)
}

type Counted = { agency: RealAgency; place: RealPlace; operation: HomeOperation }

/** How many advertisements of every type an agency has in a place without parts. */
const totals = new LRUCache<string, number, Counted>({
  max: 2_000,
  memoMethod: (_name, _stale, { context: { agency, place, operation } }) => {
    const isIts = (code: string) => {
      const seller = sellerOf(code)
      return seller.kind === 'agency' && seller.index === agency.index
    }
    return HOME_TYPES.flatMap((type) => {
      const head = codeHead(place, type, operation)
      return times(adsOf(place, type, operation), (n) => head + String(n).padStart(3, '0')).filter(isIts)
    }).length
  },
})

const adsOfAgency = (agency: RealAgency, place: RealPlace, operation: HomeOperation): number =>
  totals.memo(`${agency.slug} ${place.leaf} ${operation}`, { context: { agency, place, operation } })

/** Where in a place an agency has advertisements: its province, and each town. */
function agencyTotals(agency: RealAgency, locationId: string, operation: HomeOperation) {
  const { provinceId } = findRealPlace(locationId) ?? {}
  if (provinceId !== agency.province.locationId) return []
  const sums = new Map<string, number>()
  for (const leaf of leavesOf(locationId)) {
    const townId =
      leaf.level === 'district' ? leaf.locationId.slice(0, leaf.locationId.lastIndexOf('-')) : leaf.locationId
    sums.set(townId, (sums.get(townId) ?? 0) + adsOfAgency(agency, leaf, operation))
  }
  return [...sums].flatMap(([townId, total]) => {
    const place = findRealPlace(townId)
    return place && total > 0 ? [{ place, total }] : []
  })
}

/** All advertisements of an agency. */
export const agencySize = (agency: RealAgency): number =>
  (['sale', 'rent'] as const)
    .flatMap((operation) => agencyTotals(agency, agency.province.locationId, operation))
    .reduce((sum, { total }) => sum + total, 0)

const realProfile = (agency: RealAgency, origin: string) => ({
  ...agencyValues(agency),
  logo: `${origin}/idealista/photos/${agency.slug}/logo.png`,
  phrase: `${words.since[agency.province.country]} ${agency.since}.`,
  total: agencySize(agency),
  webUrl: `${origin}/idealista/pro/${agency.slug}/`,
})

/** An agency's page, as the provider has it; null for an unknown one. */
export function agencyProfile(slug: string, country: string, origin: string): object | null {
  const agency = findRealAgency(slug)
  const madeUp = simulatedAgency(slug)
  if (agency?.province.country === country) return fillTemplate(shapes.profile, realProfile(agency, origin))
  return madeUp ? fillTemplate(shapes.profile, madeUpProfile(madeUp, origin)) : null
}

const row = (place: RealPlace, total: number) =>
  fillTemplate(shapes.agencyPlace, { ...place, divisible: place.leaf === null, total })

/** Where an agency has advertisements, its province first; null for an unknown one. */
export function agencyLocations(slug: string, locationId: string, operation: HomeOperation): object | null {
  const agency = findRealAgency(slug)
  const madeUp = simulatedAgency(slug)
  if (!agency) return madeUp ? madeUpAgencyPlaces(madeUp, locationId) : null
  const towns = agencyTotals(agency, locationId, operation)
  const sum = towns.reduce((all, { total }) => all + total, 0)
  return {
    provinces: sum > 0 ? [row(agency.province, sum)] : [],
    municipalities: towns.map(({ place, total }) => row(place, total)),
  }
}
