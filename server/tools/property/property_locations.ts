import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { isPropertyConfigured } from './client'
import {
  Country,
  LocationId,
  LocationList,
  LocationPropertyType,
  PROPERTY_ANNOTATIONS,
  PROPERTY_PRICING,
  PropertyOperation,
} from './fields'
import { fetchLocationParts } from './locations'

export const propertyLocations = defineTool({
  id: 'property_locations',
  label: 'Parts of a property location',
  capability: 'dataApi',
  leadsTo: ['property_search'],
  description:
    'Lists the parts of a location, such as the districts of a city, each with its id and the number of advertisements ' +
    'there.',
  params: z.strictObject({
    locationId: LocationId.describe('The parent: a location id with divisible=true'),
    location: Country,
    propertyType: LocationPropertyType,
    operation: PropertyOperation.default('sale').describe('What the totals count: for sale or for rent'),
  }),
  sandboxExample: { locationId: '0-EU-ES-28-01-001', location: 'es' },
  output: LocationList,
  pricing: PROPERTY_PRICING,
  annotations: PROPERTY_ANNOTATIONS,
  flow: READS_FOREIGN_TEXT,
  available: isPropertyConfigured,
  run: (input, context) => fetchLocationParts(context, input),
})
