import { z } from 'zod'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { Country, isConfigured, LocationList, LocationPropertyType, Operation, PRICE, READS } from './fields'
import { suggestLocations } from './locations'

export const propertySuggestions = defineTool({
  id: 'property_suggestions',
  label: 'Property locations by name',
  capability: 'dataApi',
  description:
    'Finds the location ids of places by the beginning of their name: the first step of a property search. Rows with ' +
    'divisible=true can be refined with property_locations.',
  params: z.strictObject({
    prefix: z.string().trim().min(1).max(200).describe('Beginning of a place name, such as madrid'),
    location: Country,
    propertyType: LocationPropertyType,
    operation: Operation.default('sale').describe('What the totals count: for sale or for rent'),
  }),
  output: LocationList,
  pricing: PRICE,
  annotations: READS,
  exposure: READS_STRANGERS,
  available: isConfigured,
  run: (input, context) => suggestLocations(context, input),
})
