import { z } from 'zod'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { Details, fetchDetails } from './details'
import { Country, isConfigured, LANGUAGES, PRICE, READS } from './fields'

export const propertyDetails = defineTool({
  id: 'property_details',
  label: 'Property details',
  capability: 'dataApi',
  description:
    'One advertisement in full: description, photos, floor plans, energy certificate, features and contact. One that was ' +
    'taken down has isListed false and little else.',
  params: z.strictObject({
    propertyId: z
      .string()
      .trim()
      .regex(/^\d{1,20}$/, 'must be a property code from property_search, all digits')
      .describe('Property code, the propertyId of property_search'),
    location: Country,
    language: z.enum(LANGUAGES).default('en').describe('Language of the texts'),
  }),
  output: Details,
  pricing: PRICE,
  annotations: READS,
  exposure: READS_STRANGERS,
  available: isConfigured,
  run: (input, context) => fetchDetails(context, input),
})
