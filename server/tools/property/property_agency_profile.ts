import { z } from 'zod'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { AgencyProfile, fetchProfile } from './agency'
import { AgencySlug, Country, isConfigured, PRICE, READS } from './fields'

export const propertyAgencyProfile = defineTool({
  id: 'property_agency_profile',
  label: 'Property agency',
  capability: 'dataApi',
  description: 'Who a real-estate agency is: name, phones, address, website, and how many advertisements it has.',
  params: z.strictObject({ micrositeShortName: AgencySlug, location: Country }),
  output: AgencyProfile,
  pricing: PRICE,
  annotations: READS,
  exposure: READS_STRANGERS,
  available: isConfigured,
  run: (input, context) => fetchProfile(context, input),
})
