import { z } from 'zod'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { AgencyPlaces, fetchPlaces } from './agency'
import { AgencySlug, Country, isConfigured, LOCALES, LocationId, Operation, PRICE, READS } from './fields'

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
    operation: Operation.describe('For sale or for rent'),
    locale: z.enum(LOCALES).default('en').describe('Language of the names'),
  }),
  output: AgencyPlaces,
  pricing: PRICE,
  annotations: READS,
  exposure: READS_STRANGERS,
  available: isConfigured,
  run: (input, context) => fetchPlaces(context, input),
})
