import { z } from 'zod'
import {
  lenient,
  lenientBoolean,
  lenientEpochMs,
  lenientId,
  lenientList,
  lenientNumber,
  lenientObject,
  lenientText,
  lenientUrl,
} from '../provider-fields'

const Phone = lenientObject({
  formattedPhoneWithPrefix: lenientText,
  formattedPhone: lenientText,
  phoneNumberForMobileDialing: lenientText,
})
const Contact = lenientObject({
  commercialName: lenientText,
  contactName: lenientText,
  userType: lenientText,
  phone1: Phone,
  phone2: Phone,
  micrositeShortName: lenientText,
  agencyLogo: lenientUrl,
  address: lenientObject({
    streetName: lenientText,
    streetNumber: lenientId,
    locationName: lenientText,
    postalCode: lenientId,
  }),
  externalReference: lenientText,
})

const Image = z.object({ url: lenientUrl, tag: lenientText, localizedName: lenientText })

export const AdEnergy = lenientObject({
  prefix: lenientText,
  suffix: lenientText,
  text: lenientText,
  type: lenientText,
})

/**
 * An advertisement as the provider sends it. Details have other names than lists: adid, ubication,
 * roomNumber, priceInfo.amount.
 */
export const Ad = z.object({
  adid: lenientId,
  price: lenientNumber,
  priceInfo: lenientObject({ amount: lenientNumber }),
  operation: lenientText,
  propertyType: lenientText,
  extendedPropertyType: lenientText,
  detailedType: lenientObject({ typology: lenientText, subTypology: lenientText }),
  state: lenientText,
  multimedia: lenientObject({ images: lenientList(Image), videos: lenientList(z.object({ url: lenientUrl })) }),
  propertyComment: lenientText,
  ubication: lenientObject({
    title: lenientText,
    latitude: lenientNumber,
    longitude: lenientNumber,
    hasHiddenAddress: lenientBoolean,
    locationId: lenientText,
    locationName: lenientText,
    administrativeAreaLevel1: lenientText,
    administrativeAreaLevel2: lenientText,
    administrativeAreaLevel3: lenientText,
    administrativeAreaLevel4: lenientText,
  }),
  country: lenientText,
  contactInfo: Contact,
  moreCharacteristics: lenient(z.record(z.string(), z.unknown())),
  translatedTexts: lenientObject({
    characteristicsDescriptions: lenientList(
      z.object({ title: lenientText, detailFeatures: lenientList(z.object({ phrase: lenientText })) }),
    ),
  }),
  suggestedTexts: lenientObject({ title: lenientText }),
  detailWebLink: lenientUrl,
  energyCertification: lenientObject({ energyConsumption: AdEnergy, emissions: AdEnergy }),
  labels: lenientList(z.object({ text: lenientText })),
  lastDeactivationDate: lenientEpochMs,
  deactivationReason: lenientText,
})

/** A removed advertisement is `{message, httpStatus: 404, ad}`, without price and place. */
export const AdResponse = z.union([z.object({ httpStatus: z.number(), ad: Ad.nullish() }), Ad])
