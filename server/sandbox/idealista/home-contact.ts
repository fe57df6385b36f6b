import { agencyOfHome, plainPhone } from './agencies'
import { mixedChance } from './home-text'
import type { SimulatedHome } from './homes'

const PREFIXES = { es: '34', pt: '351', it: '39' } as const
const OWNERS = ['Marta', 'Javier', 'Lucía', 'Rui', 'Inês', 'Paolo', 'Giulia', 'Carmen', 'Ana', 'Marco']

/** Who offers it, in the fields that lists and details share. */
export function contactOf(home: SimulatedHome) {
  const agency = agencyOfHome(home)
  const prefix = PREFIXES[home.place.country]
  if (agency === undefined)
    return {
      contactName: OWNERS[Math.floor(mixedChance(home, 9, 4) * OWNERS.length)],
      userType: 'private',
      contactMethod: 'only-chat',
    }
  if (agency === 'bank')
    return {
      commercialName: 'Banca Marina Inmuebles',
      contactName: 'Banca Marina',
      userType: 'professional',
      agencyLogo: '',
    }
  return {
    commercialName: agency.name,
    contactName: agency.name,
    userType: 'professional',
    micrositeShortName: agency.slug,
    phone1: {
      phoneNumber: plainPhone(agency.phone),
      formattedPhone: agency.phone,
      formattedPhoneWithPrefix: `+${prefix} ${agency.phone}`,
      prefix,
    },
    address: {
      streetName: agency.street,
      streetNumber: agency.streetNumber,
      locationName: agency.province.shortName,
      postalCode: agency.postalCode,
    },
    externalReference: `REF-${home.code.slice(-6)}`,
  }
}
