import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { AgencyLocations, fetchAgencyLocations } from './agency'
import { isPropertyConfigured } from './client'
import {
  AgencySlug,
  Country,
  LocationId,
  PROPERTY_ANNOTATIONS,
  PROPERTY_PRICING,
  PropertyOperation,
  SEARCH_LOCALES,
} from './fields'

export const propertyAgencyLocations = defineTool({
  id: 'property_agency_locations',
  label: 'Where a property agency is active',
  capability: 'dataApi',
  description:
    'The locations inside a province or other broad location where an agency advertises, each with its count.',
  params: z.strictObject({
    micrositeShortName: AgencySlug,
    location: Country,
    locationId: LocationId.describe('A broad root location, such as a province: 0-EU-ES-28'),
    operation: PropertyOperation.describe('For sale or for rent'),
    locale: z.enum(SEARCH_LOCALES).default('en').describe('Language of the names'),
  }),
  sandboxExample: {
    micrositeShortName: 'fincas-portal-madrid',
    location: 'es',
    locationId: '0-EU-ES-28',
    operation: 'sale',
  },
  output: AgencyLocations,
  pricing: PROPERTY_PRICING,
  annotations: PROPERTY_ANNOTATIONS,
  flow: READS_FOREIGN_TEXT,
  available: isPropertyConfigured,
  run: (input, context) => fetchAgencyLocations(context, input),
})
