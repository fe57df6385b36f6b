import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { isPropertyConfigured } from './client'
import { PROPERTY_ANNOTATIONS, PROPERTY_PRICING } from './fields'
import { searchPropertyPages } from './search-pages'
import { PropertySearchParams } from './search-params'
import { PropertySearchRow } from './search-row'

export const propertySearch = defineTool({
  id: 'property_search',
  label: 'Property search',
  capability: 'dataApi',
  leadsTo: ['property_details', 'property_agency_profile'],
  description:
    'Searches property for sale or rent in a location, with filters, and returns up to 480 advertisements as one table: ' +
    'call once, pages are fetched internally. Get the location id from property_suggestions. If a later page fails, ' +
    'the result has the rows so far, stoppedBecause says why, and nextCursor is the page to continue with.',
  params: PropertySearchParams,
  sandboxExample: {
    locationId: '0-EU-ES-46-01-001',
    locationName: 'Valencia, Valencia',
    location: 'es',
    operation: 'sale',
    bedrooms: [2],
    order: 'lowestprice',
  },
  columns: [
    'price',
    'size',
    'pricePerSquareMetre',
    'bedrooms',
    'bathrooms',
    'address',
    'neighborhood',
    'district',
    'url',
    'propertyId',
    'propertyType',
    'floor',
    'contactName',
    'hasElevator',
    'municipality',
    'operation',
    'currency',
  ],
  output: z.object({
    rows: z.array(PropertySearchRow),
    totalRows: z.int().optional().describe('Matching advertisements on all pages'),
    nextCursor: z
      .string()
      .nullable()
      .describe('Pass it as startPage to continue, all else unchanged; null on the last'),
    stoppedBecause: z.string().nullable().describe('Why pages are missing before maxResults; null when none are'),
  }),
  pricing: PROPERTY_PRICING,
  annotations: PROPERTY_ANNOTATIONS,
  flow: READS_FOREIGN_TEXT,
  available: isPropertyConfigured,
  async run(input, context) {
    const { rows, total, nextPage, stopped } = await searchPropertyPages(context, input)
    return {
      rows,
      ...(total !== null && total >= 0 && { totalRows: total }),
      nextCursor: nextPage === null ? null : String(nextPage),
      stoppedBecause: stopped,
    }
  },
})
