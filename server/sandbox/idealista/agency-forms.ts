import { fillTemplate } from '../kit/template'
import { agencySize, agencyTotals, agencyValues, findRealAgency, type RealAgency } from './agencies'
import type { HomeOperation } from './homes'
import type { RealPlace } from './places'
import { madeUpAgencyPlaces, madeUpProfile, simulatedAgency } from './puerto-claro'
import shapes from './shapes.json'
import words from './words.json'

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

const row = ({ locationId, name: locationName, leaf }: RealPlace, total: number) => ({
  locationId,
  locationName,
  divisible: leaf === null,
  total,
})

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
