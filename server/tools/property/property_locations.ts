import { z } from 'zod'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import {
  Country,
  isConfigured,
  LocationId,
  LocationList,
  LocationPropertyType,
  Operation,
  PRICE,
  READS,
} from './fields'
import { divideLocation } from './locations'

export const propertyLocations = defineTool({
  id: 'property_locations',
  label: 'Parts of a property location',
  capability: 'dataApi',
  description:
    'Lists the parts of a location, such as the districts of a city, each with its id and the number of advertisements ' +
    'there.',
  params: z.strictObject({
    locationId: LocationId.describe('The parent: a location id with divisible=true'),
    location: Country,
    propertyType: LocationPropertyType,
    operation: Operation.default('sale').describe('What the totals count: for sale or for rent'),
  }),
  output: LocationList,
  pricing: PRICE,
  annotations: READS,
  exposure: READS_STRANGERS,
  available: isConfigured,
  run: (input, context) => divideLocation(context, input),
})
