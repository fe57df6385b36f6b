import { z } from 'zod'
import type { ProviderContext } from '../provider'
import { lenientBoolean, lenientId, lenientInteger, lenientText } from '../provider-fields'
import { fetchProperty } from './client'
import type { LocationList, LocationPropertyType, PropertyOperation } from './fields'

const Location = z.object({
  name: z.string(),
  locationId: z.string().min(1),
  divisible: lenientBoolean,
  suggestedLocationId: lenientId,
  subTypeText: lenientText,
  total: lenientInteger,
})

/** Without matches `locations` is empty or null, or missing beside a total of 0. */
const LocationResponse = z
  .object({ locations: z.array(Location).nullish(), total: lenientInteger })
  .refine(({ locations, total }) => locations !== undefined || total === 0)

type Query = {
  location: string
  propertyType: z.output<typeof LocationPropertyType>
  operation: z.output<typeof PropertyOperation>
}

const counted = ({ location, propertyType, operation }: Query) => ({
  location,
  propertyType,
  // Rooms are for rent only: for sale the provider counts none.
  operation: propertyType === 'bedrooms' ? 'rent' : operation,
})

/** GET /getsuggestions: locations by the beginning of their name. */
export async function fetchLocationSuggestions(
  context: ProviderContext,
  { prefix, ...query }: Query & { prefix: string },
) {
  const missing = 'Try another prefix or country.'
  return rowsOf(
    await fetchProperty(
      context,
      { path: 'getsuggestions', query: { prefix, ...counted(query) }, missing },
      LocationResponse,
    ),
  )
}

/** GET /getlocations: the parts of a divisible location. */
export async function fetchLocationParts(
  context: ProviderContext,
  { locationId, ...query }: Query & { locationId: string },
) {
  const missing = `There is no divisible location ${locationId} there. Take one with divisible=true from property_suggestions.`
  return rowsOf(
    await fetchProperty(
      context,
      { path: 'getlocations', query: { locationId, ...counted(query) }, missing },
      LocationResponse,
    ),
  )
}

/** A name as a search takes it. */
const removeParentheses = (name: string): string =>
  name
    .replace(/\([^()]*\)/g, ' ')
    .replace(/[()]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ,/g, ',')
    .trim()

function rowsOf({ locations, total }: z.output<typeof LocationResponse>): z.output<typeof LocationList> {
  const rows = (locations ?? []).map((found) => ({
    locationId: found.locationId,
    name: found.name,
    locationName: removeParentheses(found.name),
    divisible: found.divisible ?? false,
    level: found.subTypeText,
    suggestedLocationId: found.suggestedLocationId,
    listingCount: found.total,
  }))
  return { rows, totalRows: Math.max(total ?? 0, rows.length), nextCursor: null }
}
