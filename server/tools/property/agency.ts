import { z } from 'zod'
import { AppError } from '../../errors'
import type { ProviderContext } from '../provider'
import { lenientBoolean, lenientId, lenientInteger, lenientObject, lenientText, lenientUrl } from '../provider-fields'
import { fetchProperty } from './client'
import { formatAddress } from './format-address'

const Phone = lenientObject({ formattedPhone: lenientText, phoneNumber: lenientId, prefix: lenientId })

/**
 * The provider documents the request, not the response: any field may be missing, and others may
 * exist.
 */
const Profile = z.looseObject({
  commercialName: lenientText,
  contactName: lenientText,
  micrositeShortName: lenientText,
  agencyLogo: lenientUrl,
  phone1: Phone,
  phone2: Phone,
  address: lenientObject({
    streetName: lenientText,
    streetNumber: lenientId,
    locationName: lenientText,
    postalCode: lenientId,
  }),
  corporatePhrase: z
    .union([lenientObject({ text: lenientText }), lenientText.transform((t) => ({ text: t }))])
    .catch(null),
  totalAds: lenientInteger,
  webUrl: lenientUrl,
})

const words = z.string().nullable()

export const AgencyProfile = z.object({
  micrositeShortName: z.string(),
  name: words,
  description: words,
  phones: z.array(z.string()),
  address: words,
  website: words,
  logo: words,
  listingCount: z.int().nullable().describe('Advertisements of the agency'),
  more: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe('Further fields of the profile, as the provider returns them'),
})

const agencyMissing = (slug: string) =>
  `There is no agency ${slug} in that country. Take the slug from the path of its page, /pro/<slug>/.`

/** GET /getmicrositeprofile: the profile of an agency. */
export async function fetchAgencyProfile(
  context: ProviderContext,
  query: { micrositeShortName: string; location: string },
): Promise<z.output<typeof AgencyProfile>> {
  const { micrositeShortName } = query
  const missing = agencyMissing(micrositeShortName)
  const found = await fetchProperty(context, { path: 'getmicrositeprofile', query, missing }, Profile)
  const name = found.commercialName ?? found.contactName
  if (!name && !found.micrositeShortName && found.totalAds === null)
    throw new AppError('upstream_error', missing, { reason: 'not_found' })
  const { commercialName: _c, contactName: _n, micrositeShortName: slug, agencyLogo, webUrl, totalAds, ...rest } = found
  return {
    micrositeShortName: slug ?? micrositeShortName,
    name,
    description: found.corporatePhrase?.text ?? null,
    phones: [found.phone1, found.phone2].flatMap((p) => phoneOf(p) ?? []),
    address: formatAddress(found.address),
    website: webUrl,
    logo: agencyLogo,
    listingCount: totalAds,
    more: Object.fromEntries(
      Object.entries(rest).flatMap(([key, value]) =>
        typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
          ? [[key, value]]
          : [],
      ),
    ),
  }
}

function phoneOf(phone: z.output<typeof Phone> | undefined): string | null {
  const local = phone?.formattedPhone ?? phone?.phoneNumber
  if (!local) return null
  return phone?.prefix ? `+${phone.prefix.replace(/^\+/, '')} ${local}` : local
}

const Place = z.object({
  locationId: z.string().min(1),
  locationName: z.string(),
  divisible: lenientBoolean,
  total: lenientInteger,
})

/** Two lists of the same advertisements: by province, and by municipality. */
const Places = z
  .object({ provinces: z.array(Place).nullish(), municipalities: z.array(Place).nullish() })
  .refine(({ provinces, municipalities }) => provinces !== undefined || municipalities !== undefined)

export const AgencyLocations = z.object({
  rows: z.array(
    z.object({
      locationId: z.string(),
      name: z.string(),
      level: z.enum(['province', 'municipality']),
      divisible: z.boolean().describe('Whether property_locations can refine it'),
      listingCount: z
        .int()
        .nullable()
        .describe("The agency's advertisements there; municipalities are part of their province"),
    }),
  ),
  totalRows: z.int(),
  nextCursor: z.null().describe('Always null: the list is complete'),
})

type PlacesQuery = {
  micrositeShortName: string
  location: string
  locationId: string
  operation: string
  locale: string
}

/** GET /getmicrositelocations: where an agency has advertisements. */
export async function fetchAgencyLocations(
  context: ProviderContext,
  query: PlacesQuery,
): Promise<z.output<typeof AgencyLocations>> {
  const missing = agencyMissing(query.micrositeShortName)
  const found = await fetchProperty(context, { path: 'getmicrositelocations', query, missing }, Places)
  const rows = (['province', 'municipality'] as const).flatMap((level) =>
    ((level === 'province' ? found.provinces : found.municipalities) ?? []).map((place) => ({
      locationId: place.locationId,
      name: place.locationName,
      level,
      divisible: place.divisible ?? false,
      listingCount: place.total,
    })),
  )
  return { rows, totalRows: rows.length, nextCursor: null }
}
