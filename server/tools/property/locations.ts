import { z } from 'zod'
import type { ToolContext } from '../define'
import type { LocationList, LocationPropertyType, Operation } from './fields'
import { ask } from './upstream'
import { flag, id, text, whole } from './wire'

const Location = z.object({
  name: z.string(),
  locationId: z.string().min(1),
  divisible: flag,
  suggestedLocationId: id,
  subTypeText: text,
  total: whole,
})

/** No hits: `locations` is empty or null, or missing beside a total of 0. */
const Answer = z
  .object({ locations: z.array(Location).nullish(), total: whole })
  .refine(({ locations, total }) => locations !== undefined || total === 0)

type Query = {
  location: string
  propertyType: z.output<typeof LocationPropertyType>
  operation: z.output<typeof Operation>
}

const counted = ({ location, propertyType, operation }: Query) => ({
  location,
  propertyType,
  // Rooms are only ever let: with sale the vendor counts nothing.
  operation: propertyType === 'bedrooms' ? 'rent' : operation,
})

/** GET /getsuggestions: locations whose name begins so. */
export async function suggestLocations(context: ToolContext, { prefix, ...query }: Query & { prefix: string }) {
  const missing = 'Try another prefix or country.'
  return rowsOf(await ask(context, { path: 'getsuggestions', query: { prefix, ...counted(query) }, missing }, Answer))
}

/** GET /getlocations: the parts of a divisible location. */
export async function divideLocation(context: ToolContext, { locationId, ...query }: Query & { locationId: string }) {
  const missing = `There is no divisible location ${locationId} there. Take one with divisible=true from property_suggestions.`
  return rowsOf(await ask(context, { path: 'getlocations', query: { locationId, ...counted(query) }, missing }, Answer))
}

/** The name as a search takes it: what stands in parentheses goes. */
export const withoutParentheses = (name: string): string =>
  name
    .replace(/\([^()]*\)/g, ' ')
    .replace(/[()]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ,/g, ',')
    .trim()

function rowsOf({ locations, total }: z.output<typeof Answer>): z.output<typeof LocationList> {
  const rows = (locations ?? []).map((found) => ({
    locationId: found.locationId,
    name: found.name,
    locationName: withoutParentheses(found.name),
    divisible: found.divisible ?? false,
    kind: found.subTypeText,
    suggestedLocationId: found.suggestedLocationId,
    total: found.total,
  }))
  return { rows, totalRows: Math.max(total ?? 0, rows.length), nextCursor: null }
}
