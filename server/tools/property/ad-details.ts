import { z } from 'zod'
import { AppError } from '../../errors'
import { type ProviderContext, unknownFormatError } from '../provider'
import { lenientEpochMs, lenientInteger, lenientNumber, lenientText } from '../provider-fields'
import { type Ad, type AdEnergy, AdResponse } from './ad-response'
import { fetchPropertyOrGone, PROPERTY_PROVIDER } from './client'
import { formatAddress } from './format-address'

const words = z.string().nullable()
const amount = z.number().nullable()

export const AdDetails = z.object({
  propertyId: z.string(),
  isListed: z.boolean().describe('False: the advertisement was taken down, and most fields are null'),
  deactivatedAt: z.iso.datetime().nullable(),
  deactivationReason: words,
  title: words,
  description: words,
  url: words,
  operation: words,
  propertyType: words,
  subtype: words,
  price: amount.describe('In currency; for rentals per month'),
  currency: z.literal('EUR'),
  size: amount.describe('Constructed area, square metres'),
  usableSize: amount,
  plotSize: amount,
  bedrooms: amount.describe('0 is a studio'),
  bathrooms: amount,
  address: words,
  isAddressExact: z.boolean().nullable(),
  locationId: words,
  locationName: words,
  neighborhood: words,
  district: words,
  municipality: words,
  province: words,
  country: words,
  latitude: amount,
  longitude: amount,
  photos: z.array(z.object({ url: z.string(), tag: words, label: words })),
  floorPlans: z.array(z.object({ url: z.string(), label: words })),
  videos: z.array(z.string()),
  energyCertificate: z.object({
    status: words.describe('Such as a, b, inProcess or exempt'),
    consumption: words,
    emissions: words,
  }),
  characteristics: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe('Further fields as the provider returns them, such as swimmingPool, garden, lift, status'),
  features: z.array(z.object({ title: words, phrases: z.array(z.string()) })).describe('In the requested language'),
  labels: z.array(z.string()),
  reference: words.describe("The advertiser's own reference"),
  contactName: words,
  contactType: words.describe('Such as professional or private'),
  contactPhones: z.array(z.string()),
  contactAddress: words,
  micrositeShortName: words.describe('Slug of the agency, as property_agency_profile takes it'),
  agencyLogo: words,
  updatedAt: z.iso.datetime().nullable(),
})

/** GET /propertydetails. Throws `upstream_error` when nothing is known of this advertisement. */
export async function fetchAdDetails(
  context: ProviderContext,
  query: { propertyId: string; location: string; language: string },
): Promise<z.output<typeof AdDetails>> {
  const missing = `There is no advertisement ${query.propertyId} there, or it was taken down.`
  const response = await fetchPropertyOrGone(context, { path: 'propertydetails', query, missing }, AdResponse)
  if ('httpStatus' in response) {
    if (!response.ad?.adid) throw new AppError('upstream_error', missing, { reason: 'not_found' })
    return detailsOf(response.ad, false, query.propertyId)
  }
  // Any single field may be missing, but without id and price it is not an advertisement.
  if (response.adid === null && response.price === null && response.priceInfo?.amount == null) {
    throw unknownFormatError(PROPERTY_PROVIDER)
  }
  const isListed = response.lastDeactivationDate === null && response.state !== 'deactivated'
  return detailsOf(response, isListed, query.propertyId)
}

function detailsOf(ad: z.output<typeof Ad>, isListed: boolean, propertyId: string): z.output<typeof AdDetails> {
  const { ubication: place, contactInfo: contact, moreCharacteristics, energyCertification: energy } = ad
  const more = moreCharacteristics ?? {}
  const images = (ad.multimedia?.images ?? []).flatMap((i) => (i.url ? [{ ...i, url: i.url }] : []))
  const isPlan = (image: { tag: string | null }) => image.tag === 'plan'
  return {
    propertyId: ad.adid ?? propertyId,
    isListed,
    deactivatedAt: ad.lastDeactivationDate,
    deactivationReason: ad.deactivationReason,
    title: ad.suggestedTexts?.title ?? place?.title ?? null,
    description: ad.propertyComment,
    url: ad.detailWebLink,
    operation: ad.operation,
    propertyType: ad.extendedPropertyType ?? ad.propertyType,
    subtype: ad.detailedType?.subTypology ?? ad.detailedType?.typology ?? null,
    price: ad.price ?? ad.priceInfo?.amount ?? null,
    currency: 'EUR',
    size: lenientNumber.parse(more.constructedArea),
    usableSize: lenientNumber.parse(more.usableArea),
    plotSize: lenientNumber.parse(more.plotOfLand),
    bedrooms: lenientInteger.parse(more.roomNumber),
    bathrooms: lenientInteger.parse(more.bathNumber),
    address: place?.title ?? null,
    isAddressExact: place?.hasHiddenAddress == null ? null : !place.hasHiddenAddress,
    locationId: place?.locationId ?? null,
    locationName: place?.locationName ?? null,
    neighborhood: place?.administrativeAreaLevel4 ?? null,
    district: place?.administrativeAreaLevel3 ?? null,
    municipality: place?.administrativeAreaLevel2 ?? null,
    province: place?.administrativeAreaLevel1 ?? null,
    country: ad.country,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    photos: images.filter((i) => !isPlan(i)).map((i) => ({ url: i.url, tag: i.tag, label: i.localizedName })),
    floorPlans: images.filter(isPlan).map((i) => ({ url: i.url, label: i.localizedName })),
    videos: (ad.multimedia?.videos ?? []).flatMap((video) => video.url ?? []),
    energyCertificate: {
      status: energy?.energyConsumption?.type ?? lenientText.parse(more.energyCertificationType),
      consumption: phraseOf(energy?.energyConsumption),
      emissions: phraseOf(energy?.emissions),
    },
    characteristics: scalarsOf(more),
    features: (ad.translatedTexts?.characteristicsDescriptions ?? []).map(({ title, detailFeatures }) => ({
      title,
      phrases: detailFeatures.flatMap(({ phrase }) => phrase ?? []),
    })),
    labels: ad.labels.flatMap((label) => label.text ?? []),
    reference: contact?.externalReference ?? null,
    contactName: contact?.commercialName ?? contact?.contactName ?? null,
    contactType: contact?.userType ?? null,
    contactPhones: [contact?.phone1, contact?.phone2].flatMap(
      (p) => p?.phoneNumberForMobileDialing ?? p?.formattedPhoneWithPrefix ?? p?.formattedPhone ?? [],
    ),
    contactAddress: formatAddress(contact?.address),
    micrositeShortName: contact?.micrositeShortName ?? null,
    agencyLogo: contact?.agencyLogo ?? null,
    updatedAt: lenientEpochMs.parse(more.modificationDate),
  }
}

const phraseOf = (energy: z.output<typeof AdEnergy> | undefined): string | null =>
  [energy?.prefix, energy?.text, energy?.suffix].filter(Boolean).join(' ') || null

/** Texts, numbers and booleans of a record, without the date that is a field of the result. */
function scalarsOf(record: Record<string, unknown>): Record<string, string | number | boolean> {
  const kept: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(record)) {
    const isScalar = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
    if (isScalar && name !== 'modificationDate') kept[name] = value as string | number | boolean
  }
  return kept
}
