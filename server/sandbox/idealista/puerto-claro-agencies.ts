import { simulatedPlaces } from './puerto-claro-places'

export type SimulatedAgency = { slug: string; name: string; country: string; province: string; phone: string }

export const simulatedAgencies: SimulatedAgency[] = [
  { slug: 'casas-del-puerto', name: 'Casas del Puerto', country: 'es', province: '0-EU-ES-90', phone: '900 00 01 01' },
  {
    slug: 'rio-manso-imoveis',
    name: 'Rio Manso Imóveis',
    country: 'pt',
    province: '0-EU-PT-91',
    phone: '800 00 02 02',
  },
  { slug: 'casa-lieta', name: 'Casa Lieta', country: 'it', province: '0-EU-IT-92', phone: '800 00 03 03' },
]

export const madeUpProfile = (agency: SimulatedAgency, origin: string) => ({
  commercialName: agency.name,
  micrositeShortName: agency.slug,
  agencyLogo: `${origin}/idealista/photos/${agency.slug}.gif`,
  phone1: { phoneNumber: agency.phone.replaceAll(' ', ''), formattedPhone: agency.phone, prefix: '34' },
  address: { streetName: 'Plaza Mayor', streetNumber: 3, locationName: 'Puerto Claro', postalCode: '99001' },
  corporatePhrase: { text: 'Homes by the water since 1987.', autoTranslated: false },
  totalAds: 28,
  webUrl: 'https://example.com',
})

export function madeUpAgencyPlaces(agency: SimulatedAgency, locationId: string) {
  const inside = simulatedPlaces.filter((p) => p.locationId.startsWith(`${locationId}-`))
  const towns = inside.slice(0, 2).map((p, i) => ({
    locationId: p.locationId,
    locationName: p.name,
    divisible: p.divisible,
    total: 10 + i,
  }))
  const root = simulatedPlaces.find((p) => p.locationId === agency.province)
  const sum = towns.reduce((all, town) => all + town.total, 0)
  const provinces =
    root && sum > 0 ? [{ locationId: root.locationId, locationName: root.name, divisible: true, total: sum }] : []
  return { provinces, municipalities: towns }
}
