import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { AdDetails, fetchAdDetails } from './ad-details'
import { isPropertyConfigured } from './client'
import { AD_LANGUAGES, Country, PROPERTY_ANNOTATIONS, PROPERTY_PRICING } from './fields'

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
    language: z.enum(AD_LANGUAGES).default('en').describe('Language of the texts'),
  }),
  sandboxExample: { propertyId: '1000000000', location: 'es' },
  output: AdDetails,
  pricing: PROPERTY_PRICING,
  annotations: PROPERTY_ANNOTATIONS,
  flow: READS_FOREIGN_TEXT,
  available: isPropertyConfigured,
  run: (input, context) => fetchAdDetails(context, input),
})
