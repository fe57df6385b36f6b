import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { isPropertyConfigured } from './client'
import {
  Country,
  LocationList,
  LocationPropertyType,
  PROPERTY_ANNOTATIONS,
  PROPERTY_PRICING,
  PropertyOperation,
} from './fields'
import { fetchLocationSuggestions } from './locations'

export const propertySuggestions = defineTool({
  id: 'property_suggestions',
  label: 'Property locations by name',
  capability: 'dataApi',
  isFirst: 'listed',
  leadsTo: ['property_search', 'property_locations', 'property_details'],
  description:
    'Finds the location ids of places by the beginning of their name: the first step of a property search. Rows with ' +
    'divisible=true can be refined with property_locations. A prefix that matches no place costs the same and returns no ' +
    'rows: begin with three or four letters of the name in the language of the country, without a street.',
  params: z.strictObject({
    prefix: z.string().trim().min(1).max(200).describe('Beginning of a place name, such as madrid'),
    location: Country,
    propertyType: LocationPropertyType,
    operation: PropertyOperation.default('sale').describe('What the totals count: for sale or for rent'),
  }),
  example: { prefix: 'mad', location: 'es' },
  output: LocationList,
  pricing: PROPERTY_PRICING,
  annotations: PROPERTY_ANNOTATIONS,
  flow: READS_FOREIGN_TEXT,
  available: isPropertyConfigured,
  run: (input, context) => fetchLocationSuggestions(context, input),
})
