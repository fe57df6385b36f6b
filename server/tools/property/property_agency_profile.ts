import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { AgencyProfile, fetchAgencyProfile } from './agency'
import { isPropertyConfigured } from './client'
import { AgencySlug, Country, PROPERTY_ANNOTATIONS, PROPERTY_PRICING } from './fields'

export const propertyAgencyProfile = defineTool({
  id: 'property_agency_profile',
  label: 'Property agency',
  capability: 'dataApi',
  leadsTo: ['property_agency_locations'],
  description: 'Who a real-estate agency is: name, phones, address, website, and how many advertisements it has.',
  params: z.strictObject({ micrositeShortName: AgencySlug, location: Country }),
  sandboxExample: { micrositeShortName: 'fincas-portal-madrid', location: 'es' },
  output: AgencyProfile,
  pricing: PROPERTY_PRICING,
  annotations: PROPERTY_ANNOTATIONS,
  flow: READS_FOREIGN_TEXT,
  available: isPropertyConfigured,
  run: (input, context) => fetchAgencyProfile(context, input),
})
