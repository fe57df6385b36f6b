import { z } from 'zod'

/** What the six tools share: price and parameters that several of them take. */

export const PROPERTY_PRICING = { kind: 'fixed', credits: 135 } as const
export const PROPERTY_ANNOTATIONS = { readOnly: true, openWorld: true, idempotent: true } as const

export const Country = z.enum(['es', 'pt', 'it']).describe('Country: es Spain, pt Portugal, it Italy')
export type Country = z.output<typeof Country>

export const PropertyOperation = z.enum(['sale', 'rent'])
export type PropertyOperation = z.output<typeof PropertyOperation>

/** Property types that the location tools count. */
export const LocationPropertyType = z
  .enum(['homes', 'offices', 'premises', 'garages', 'bedrooms', 'newDevelopments', 'land'])
  .default('homes')
  .describe('Kind of property that the totals count; bedrooms are counted for rent, whatever the operation')

export const SEARCH_LOCALES = ['es', 'it', 'pt', 'en', 'ca', 'de', 'fr', 'nl', 'nb'] as const
/** The languages of an advertisement's details, in the order of the contract. */
export const AD_LANGUAGES = ['en', 'es', 'it', 'pt', 'ca', 'de', 'fr', 'nl', 'nb'] as const

export const LocationId = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9-]{1,100}$/, 'must be a location id such as 0-EU-ES-28')

export const AgencySlug = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}._-]{1,200}$/u, "must be the slug of the agency's page")
  .describe("Slug of the agency's page: the last part of its path /pro/<slug>/")

/** A location as the tools return it. */
const LocationRow = z
  .object({
    locationId: z.string(),
    name: z.string(),
    locationName: z.string().describe('The name without parentheses, as property_search takes it'),
    divisible: z.boolean().describe('Whether property_locations can refine it'),
    level: z.string().nullable().describe("The provider's name of its level, such as Municipio or Provincia"),
    suggestedLocationId: z.string().nullable(),
    listingCount: z.int().nullable().describe('Advertisements there of this property type and operation'),
  })
  .meta({ title: 'PropertyLocation' })

export const LocationList = z
  .object({
    rows: z.array(LocationRow),
    totalRows: z.int(),
    nextCursor: z.null().describe('Always null: the list is complete'),
  })
  .meta({ title: 'PropertyLocationList' })
