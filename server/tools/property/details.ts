import { z } from 'zod'
import { AppError } from '../../errors'
import type { ToolContext } from '../define'
import { askMaybeGone, VENDOR } from './upstream'
import { flag, id, list, number, part, text, time, url, whole } from './wire'

const Phone = part({ formattedPhoneWithPrefix: text, formattedPhone: text, phoneNumberForMobileDialing: text })
const Contact = part({
  commercialName: text,
  contactName: text,
  userType: text,
  phone1: Phone,
  phone2: Phone,
  micrositeShortName: text,
  agencyLogo: url,
  address: part({ streetName: text, streetNumber: id, locationName: text, postalCode: id }),
  externalReference: text,
})

const Image = z.object({ url, tag: text, localizedName: text })

const Energy = part({ prefix: text, suffix: text, text, type: text })

/** The details use other names than the list: adid, ubication, roomNumber, priceInfo.amount. */
const Ad = z.object({
  adid: id,
  price: number,
  priceInfo: part({ amount: number }),
  operation: text,
  propertyType: text,
  extendedPropertyType: text,
  detailedType: part({ typology: text, subTypology: text }),
  state: text,
  multimedia: part({ images: list(Image), videos: list(z.object({ url })) }),
  propertyComment: text,
  ubication: part({
    title: text,
    latitude: number,
    longitude: number,
    hasHiddenAddress: flag,
    locationId: text,
    locationName: text,
    administrativeAreaLevel1: text,
    administrativeAreaLevel2: text,
    administrativeAreaLevel3: text,
    administrativeAreaLevel4: text,
  }),
  country: text,
  contactInfo: Contact,
  moreCharacteristics: z.record(z.string(), z.unknown()).nullish().catch(null),
  translatedTexts: part({
    characteristicsDescriptions: list(z.object({ title: text, detailFeatures: list(z.object({ phrase: text })) })),
  }),
  suggestedTexts: part({ title: text }),
  detailWebLink: url,
  energyCertification: part({ energyConsumption: Energy, emissions: Energy }),
  labels: list(z.object({ text })),
  lastDeactivationDate: time,
  deactivationReason: text,
})

/** A removed advertisement comes as `{message, httpStatus: 404, ad}`, the rest without price and place. */
const Answer = z.union([z.object({ httpStatus: z.number(), ad: Ad.nullish() }), Ad])

const words = z.string().nullable()
const amount = z.number().nullable()

export const Details = z.object({
  propertyId: z.string(),
  isListed: z.boolean().describe('False: the advertisement was taken down, and most fields are null'),
  deactivatedAt: z.iso.datetime().nullable(),
  deactivationReason: words,
  title: words,
  description: words,
  url: words,
  operation: words,
  propertyType: words,
  typology: words,
  price: amount.describe('In currency; of a rental: a month'),
  currency: z.literal('EUR'),
  size: amount.describe('Constructed area, square metres'),
  usableSize: amount,
  plotSize: amount,
  rooms: amount,
  bathrooms: amount,
  address: words,
  isAddressExact: z.boolean().nullable(),
  location: z.object({
    id: words,
    name: words,
    neighborhood: words,
    district: words,
    municipality: words,
    province: words,
    country: words,
    latitude: amount,
    longitude: amount,
  }),
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
    .describe("The vendor's fields as they are, such as swimmingPool, garden, lift, status"),
  features: z.array(z.object({ title: words, phrases: z.array(z.string()) })).describe('In the asked language'),
  labels: z.array(z.string()),
  contact: z.object({
    name: words,
    type: words,
    phones: z.array(z.string()),
    agencySlug: words.describe('What property_agency_profile takes as micrositeShortName'),
    logo: words,
    address: words,
    reference: words,
  }),
  modifiedAt: z.iso.datetime().nullable(),
})

/** GET /propertydetails. Throws `upstream_error` when there is no such advertisement and nothing is known of it. */
export async function fetchDetails(
  context: ToolContext,
  query: { propertyId: string; location: string; language: string },
): Promise<z.output<typeof Details>> {
  const missing = `There is no advertisement ${query.propertyId} there, or it was taken down.`
  const answer = await askMaybeGone(context, { path: 'propertydetails', query, missing }, Answer)
  if ('httpStatus' in answer) {
    if (!answer.ad?.adid) throw new AppError('upstream_error', missing)
    return detailsOf(answer.ad, false, query.propertyId)
  }
  // Every field may be missing alone, but an advertisement without an id and a price is none.
  if (answer.adid === null && answer.price === null && answer.priceInfo?.amount == null) {
    throw new AppError('upstream_error', `${VENDOR} sent an answer of an unknown form.`)
  }
  const isListed = answer.lastDeactivationDate === null && answer.state !== 'deactivated'
  return detailsOf(answer, isListed, query.propertyId)
}

function detailsOf(ad: z.output<typeof Ad>, isListed: boolean, asked: string): z.output<typeof Details> {
  const { ubication: place, contactInfo: contact, moreCharacteristics, energyCertification: energy } = ad
  const more = moreCharacteristics ?? {}
  const images = (ad.multimedia?.images ?? []).flatMap((i) => (i.url ? [{ ...i, url: i.url }] : []))
  const isPlan = (image: { tag: string | null }) => image.tag === 'plan'
  return {
    propertyId: ad.adid ?? asked,
    isListed,
    deactivatedAt: ad.lastDeactivationDate,
    deactivationReason: ad.deactivationReason,
    title: ad.suggestedTexts?.title ?? place?.title ?? null,
    description: ad.propertyComment,
    url: ad.detailWebLink,
    operation: ad.operation,
    propertyType: ad.extendedPropertyType ?? ad.propertyType,
    typology: ad.detailedType?.subTypology ?? ad.detailedType?.typology ?? null,
    price: ad.price ?? ad.priceInfo?.amount ?? null,
    currency: 'EUR',
    size: number.parse(more.constructedArea),
    usableSize: number.parse(more.usableArea),
    plotSize: number.parse(more.plotOfLand),
    rooms: whole.parse(more.roomNumber),
    bathrooms: whole.parse(more.bathNumber),
    address: place?.title ?? null,
    isAddressExact: place?.hasHiddenAddress == null ? null : !place.hasHiddenAddress,
    location: {
      id: place?.locationId ?? null,
      name: place?.locationName ?? null,
      neighborhood: place?.administrativeAreaLevel4 ?? null,
      district: place?.administrativeAreaLevel3 ?? null,
      municipality: place?.administrativeAreaLevel2 ?? null,
      province: place?.administrativeAreaLevel1 ?? null,
      country: ad.country,
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
    },
    photos: images.filter((i) => !isPlan(i)).map((i) => ({ url: i.url, tag: i.tag, label: i.localizedName })),
    floorPlans: images.filter(isPlan).map((i) => ({ url: i.url, label: i.localizedName })),
    videos: (ad.multimedia?.videos ?? []).flatMap((video) => video.url ?? []),
    energyCertificate: {
      status: energy?.energyConsumption?.type ?? text.parse(more.energyCertificationType),
      consumption: phraseOf(energy?.energyConsumption),
      emissions: phraseOf(energy?.emissions),
    },
    characteristics: scalarsOf(more),
    features: (ad.translatedTexts?.characteristicsDescriptions ?? []).map(({ title, detailFeatures }) => ({
      title,
      phrases: detailFeatures.flatMap(({ phrase }) => phrase ?? []),
    })),
    labels: ad.labels.flatMap((label) => label.text ?? []),
    contact: {
      name: contact?.commercialName ?? contact?.contactName ?? null,
      type: contact?.userType ?? null,
      phones: [contact?.phone1, contact?.phone2].flatMap(
        (p) => p?.phoneNumberForMobileDialing ?? p?.formattedPhoneWithPrefix ?? p?.formattedPhone ?? [],
      ),
      agencySlug: contact?.micrositeShortName ?? null,
      logo: contact?.agencyLogo ?? null,
      address: addressLine(contact?.address),
      reference: contact?.externalReference ?? null,
    },
    modifiedAt: time.parse(more.modificationDate),
  }
}

const phraseOf = (energy: z.output<typeof Energy> | undefined): string | null =>
  [energy?.prefix, energy?.text, energy?.suffix].filter(Boolean).join(' ') || null

type Address = {
  streetName: string | null
  streetNumber: string | null
  postalCode: string | null
  locationName: string | null
}

/** Street and number, postal code and town, as far as known. */
export function addressLine(address: Address | null | undefined): string | null {
  const joined = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' ')
  const lines = [joined(address?.streetName, address?.streetNumber), joined(address?.postalCode, address?.locationName)]
  return lines.filter(Boolean).join(', ') || null
}

/** Texts, numbers and booleans of a record; the rest, and the date that stands elsewhere, left out. */
function scalarsOf(record: Record<string, unknown>): Record<string, string | number | boolean> {
  const kept: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(record)) {
    const isScalar = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
    if (isScalar && name !== 'modificationDate') kept[name] = value as string | number | boolean
  }
  return kept
}
