import type { ToolGroup } from '../define'
import { propertyAgencyLocations } from './property_agency_locations'
import { propertyAgencyProfile } from './property_agency_profile'
import { propertyDetails } from './property_details'
import { propertyLocations } from './property_locations'
import { propertySearch } from './property_search'
import { propertySuggestions } from './property_suggestions'
import { propertySettings } from './settings'

/**
 * Homes and other property for sale and rent in Spain, Portugal and Italy, from the idealista v7
 * API at RapidAPI.
 */
export const propertyGroup: ToolGroup = {
  id: 'property',
  label: 'Real estate',
  provider: 'idealista v7 at RapidAPI',
  agent: 'real_estate',
  names: ['idealista', 'idealista.com', 'www.idealista.com'],
  settings: propertySettings,
  tools: [
    propertySuggestions,
    propertySearch,
    propertyDetails,
    propertyLocations,
    propertyAgencyProfile,
    propertyAgencyLocations,
  ],
}
