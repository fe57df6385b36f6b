import { z } from 'zod'
import { pageCursor, pageNumber } from '../paging'
import { Country, LocationId, PropertyOperation, SEARCH_LOCALES } from './fields'

/** The provider's endpoint for each property type, and its filters by the names of this tool. */
const LISTS = {
  homes: {
    path: 'listhomes',
    filters: [
      'minSize',
      'maxSize',
      'bedrooms',
      'elevator',
      'garage',
      'swimmingPool',
      'terrace',
      'airConditioning',
      'exterior',
      'garden',
      'furnished',
      'newDevelopment',
      'sinceDate',
      'bankOffer',
    ],
  },
  newhomes: { path: 'listnewhomes', filters: ['bedrooms', 'bankOffer'] },
  rooms: {
    path: 'listrooms',
    filters: ['elevator', 'swimmingPool', 'terrace', 'airConditioning', 'exterior', 'garden', 'sinceDate'],
  },
  garages: { path: 'listgarages', filters: ['minSize', 'maxSize', 'sinceDate'] },
  storagerooms: { path: 'liststoragerooms', filters: ['minSize', 'maxSize', 'sinceDate'] },
  buildings: { path: 'listbuildings', filters: ['minSize', 'maxSize', 'sinceDate'] },
  lands: { path: 'listlands', filters: ['minSize', 'maxSize', 'sinceDate'] },
  offices: {
    path: 'listoffices',
    filters: ['minSize', 'maxSize', 'elevator', 'garage', 'airConditioning', 'exterior', 'sinceDate', 'bankOffer'],
  },
  commercial: { path: 'listcommercialproperties', filters: ['minSize', 'maxSize', 'sinceDate'] },
} as const satisfies Record<string, { path: string; filters: readonly string[] }>

type PropertyType = keyof typeof LISTS
const TYPES = Object.keys(LISTS) as [PropertyType, ...PropertyType[]]

const bound = z.number().min(0).optional()
const only = z.boolean().optional()

const Fields = z.strictObject({
  locationId: LocationId.describe('Location id, from property_suggestions or property_locations'),
  locationName: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^()]*$/, 'must be the clean name, without parentheses')
    .describe('Clean name of that location, never with parentheses'),
  location: Country,
  operation: PropertyOperation.describe('For sale or for rent; rooms are for rent only'),
  propertyType: z.enum(TYPES).default('homes').describe('Kind of property'),
  maxResults: z.int().min(1).max(480).default(40).describe('Results of this call, fetched page by page into one table'),
  startPage: pageNumber(z.int().min(1).max(100_000).default(1)).describe(
    'First page to fetch; a page has 40 results, or maxResults when that is less. nextCursor is the next value',
  ),
  cursor: pageCursor('startPage'),
  order: z
    .enum([
      'relevance',
      'lowestprice',
      'highestprice',
      'mostrecent',
      'leastrecent',
      'highestpricereduction',
      'lowestpricem2',
      'highestpricem2',
      'biggest',
      'smallest',
    ])
    .default('relevance')
    .describe('Order of the rows'),
  locale: z.enum(SEARCH_LOCALES).default('en').describe('Language of the texts'),
  minPrice: bound.describe('Minimum price, in local currency'),
  maxPrice: bound.describe('Maximum price, in local currency'),
  minSize: bound.describe('Minimum size, in square metres'),
  maxSize: bound.describe('Maximum size, in square metres'),
  bedrooms: z
    .array(z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]))
    .max(5)
    .optional()
    .describe('Accepted numbers of bedrooms; 4 means 4 or more'),
  elevator: only.describe('With an elevator'),
  garage: only.describe('With a garage'),
  swimmingPool: only.describe('With a swimming pool'),
  terrace: only.describe('With a terrace'),
  airConditioning: only.describe('With air conditioning'),
  exterior: only.describe('Facing outwards'),
  garden: only.describe('With a garden'),
  furnished: z
    .enum(['furnished', 'furnishedKitchen'])
    .optional()
    .describe('Rentals only: furnished, or only its kitchen'),
  newDevelopment: only.describe('New developments only'),
  sinceDate: z
    .enum(['T', 'Y', 'W', 'M'])
    .optional()
    .describe('Published since: T last 24 hours (rent only), Y last 48 hours (sale only), W last week, M last month'),
  bankOffer: only.describe('Offered by banks only'),
})

export type PropertyQuery = z.output<typeof Fields>

/**
 * The parameters of a search. A filter that the provider lacks for a property type is refused, not
 * ignored.
 */
export const PropertySearchParams = Fields.superRefine((input, { addIssue }) => {
  const { operation, propertyType, sinceDate, furnished, minPrice, maxPrice, minSize, maxSize } = input
  const refuse = (name: string, message: string) => addIssue({ code: 'custom', path: [name], message })
  if (propertyType === 'rooms' && operation === 'sale') refuse('operation', 'must be rent for rooms')
  if (sinceDate === 'T' && operation === 'sale') refuse('sinceDate', 'T is for rent only; for sale use Y, W or M')
  if (sinceDate === 'Y' && operation === 'rent') refuse('sinceDate', 'Y is for sale only; for rent use T, W or M')
  if (furnished && operation === 'sale') refuse('furnished', 'is for rent only')
  if ((minPrice ?? 0) > (maxPrice ?? Number.POSITIVE_INFINITY)) refuse('minPrice', 'must not be above maxPrice')
  if ((minSize ?? 0) > (maxSize ?? Number.POSITIVE_INFINITY)) refuse('minSize', 'must not be above maxSize')
  const known: readonly string[] = LISTS[propertyType].filters
  for (const name of LISTS.homes.filters) {
    const isSet = input[name] !== undefined && input[name] !== false && input[name]?.toString() !== ''
    if (isSet && !known.includes(name)) refuse(name, `is not a filter for ${propertyType}`)
  }
})

/** Path and query of one page. A boolean filter is `true` or missing, never `false`. */
export function toListRequest(input: PropertyQuery, page: { number: number; size: number }) {
  const { operation, propertyType, bedrooms = [] } = input
  const query: Record<string, string> = {
    order: input.order,
    locationId: input.locationId,
    locationName: input.locationName,
    numPage: String(page.number),
    maxItems: String(page.size),
    location: input.location,
    locale: input.locale,
  }
  // The endpoint for rooms has no such parameter.
  if (propertyType !== 'rooms') query.operation = operation
  for (const name of ['minPrice', 'maxPrice', 'minSize', 'maxSize', 'furnished', 'sinceDate'] as const) {
    if (input[name] !== undefined) query[name] = String(input[name])
  }
  for (const n of new Set(bedrooms)) query[`bedrooms${n}`] = 'true'
  for (const name of ['elevator', 'garage', 'swimmingPool', 'airConditioning', 'exterior', 'garden'] as const) {
    if (input[name]) query[name] = 'true'
  }
  if (input.newDevelopment) query.newDevelopment = 'true'
  if (input.bankOffer) query.bankOffer = 'true'
  // The endpoint for homes misspells it.
  if (input.terrace) query[propertyType === 'homes' ? 'terrance' : 'terrace'] = 'true'
  return { path: LISTS[propertyType].path, query }
}
