import { agencySize, agencyTotals, plainPhone, type RealAgency } from './agencies'
import type { HomeOperation } from './homes'
import type { RealPlace } from './places'

const PREFIXES = { es: '34', pt: '351', it: '39' } as const
const PHRASES = {
  es: (since: number) => `Su casa, nuestra tarea desde ${since}.`,
  pt: (since: number) => `A sua casa, o nosso ofício desde ${since}.`,
  it: (since: number) => `La sua casa, il nostro mestiere dal ${since}.`,
} as const

/** An agency's page, as the provider has it. */
export const agencyProfile = (agency: RealAgency, origin: string) => ({
  commercialName: agency.name,
  micrositeShortName: agency.slug,
  agencyLogo: `${origin}/idealista/photos/${agency.slug}/logo.png`,
  phone1: {
    phoneNumber: plainPhone(agency.phone),
    formattedPhone: agency.phone,
    prefix: PREFIXES[agency.province.country],
  },
  address: {
    streetName: agency.street,
    streetNumber: agency.streetNumber,
    locationName: agency.province.shortName,
    postalCode: agency.postalCode,
  },
  corporatePhrase: { text: PHRASES[agency.province.country](agency.since), autoTranslated: false },
  totalAds: agencySize(agency),
  webUrl: `${origin}/idealista/pro/${agency.slug}/`,
})

const row = (place: RealPlace, total: number) => ({
  locationId: place.locationId,
  locationName: place.name,
  divisible: place.leaf === null,
  total,
})

/** Where an agency has advertisements, its province first. */
export function agencyLocations(agency: RealAgency, locationId: string, operation: HomeOperation) {
  const towns = agencyTotals(agency, locationId, operation)
  const sum = towns.reduce((all, { total }) => all + total, 0)
  return {
    provinces: sum > 0 ? [row(agency.province, sum)] : [],
    municipalities: towns.map(({ place, total }) => row(place, total)),
  }
}
