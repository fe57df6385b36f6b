import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxRoute } from '../route'
import { homeDetails, homeListing, simulatedAgencies, simulatedPlaces } from './homes'

/**
 * The idealista v7 API as RapidAPI lists it (https://rapidapi.com/scraperium/api/idealista7), over
 * made-up places: paths, parameters and forms are those of its endpoint pages, errors and headers
 * those of RapidAPI's gateway (https://docs.rapidapi.com/docs/response-headers). Failures, asked
 * for with `prefix`, `locationName`, `propertyId` or `micrositeShortName`: `sandbox-429` too many
 * in a second · `sandbox-quota` the month is used up · `sandbox-403` not subscribed · `sandbox-500`
 * the API does not answer · `sandbox-blocked` a 200 that is an error · `sandbox-html` a page ·
 * `sandbox-slow` the usual answer after 5 s · `sandbox-empty` nothing found · `sandbox-breaks` the
 * third page of a search fails. Ids all of digits stand for them where only digits are taken: 429,
 * 500. Advertisement 404 is gone, 410 taken down.
 */
export const idealistaRoutes: SandboxRoute[] = [
  { method: 'GET', path: '/idealista/getsuggestions', handle: (req) => guarded(req, suggestions) },
  { method: 'GET', path: '/idealista/getlocations', handle: (req) => guarded(req, parts) },
  { method: 'GET', path: '/idealista/propertydetails', handle: (req) => guarded(req, propertyDetails) },
  { method: 'GET', path: '/idealista/getmicrositeprofile', handle: (req) => guarded(req, profile) },
  { method: 'GET', path: '/idealista/getmicrositelocations', handle: (req) => guarded(req, agencyPlaces) },
  ...[
    'listhomes',
    'listnewhomes',
    'listrooms',
    'listgarages',
    'liststoragerooms',
    'listbuildings',
    'listlands',
    'listoffices',
    'listcommercialproperties',
  ].map((path) => ({
    method: 'GET',
    path: `/idealista/${path}`,
    handle: (req: Request) => guarded(req, (url) => search(url, path)),
  })),
]

const HEADERS = {
  'x-ratelimit-requests-limit': '5000',
  'x-ratelimit-requests-remaining': '4000',
  'x-ratelimit-requests-reset': '900000',
}
const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { ...HEADERS, ...headers } })

/** The gateway's refusals: https://docs.rapidapi.com/docs/keys and the plan's limits. */
async function guarded(req: Request, answer: (url: URL) => Response): Promise<Response> {
  if (!req.headers.get('x-rapidapi-key')) {
    return json({ message: 'Invalid API key. Go to https://docs.rapidapi.com/docs/keys for more info.' }, 401)
  }
  if (req.headers.get('x-rapidapi-host') !== 'idealista7.p.rapidapi.com') {
    return json({ message: 'You are not subscribed to this API.' }, 403)
  }
  const url = new URL(req.url)
  const ask = (name: string) => url.searchParams.get(name) ?? ''
  const asked = ['prefix', 'locationName', 'propertyId', 'micrositeShortName'].map(ask).find((v) => v !== '') ?? ''
  if (ask('location') === '') return json({ message: 'Missing required parameter: location' }, 400)
  switch (asked) {
    case 'sandbox-429':
    case '429':
      return json(
        { message: 'You have exceeded the rate limit per second for your plan, BASIC, by the API provider' },
        429,
      )
    case 'sandbox-quota':
      return json({ message: 'You have exceeded the MONTHLY quota for Requests on your current plan, BASIC.' }, 429, {
        'x-ratelimit-requests-remaining': '0',
      })
    case 'sandbox-403':
      return json({ message: 'You are not subscribed to this API.' }, 403)
    case 'sandbox-500':
    case '500':
      return json(
        { messages: 'The API is unreachable, please contact the API provider', info: 'API (not working)' },
        502,
      )
    case 'sandbox-blocked':
      return json({ message: 'Forbidden', httpStatus: 403 })
    case 'sandbox-html':
      return new Response('<!doctype html><title>Please wait</title>', { headers: { 'content-type': 'text/html' } })
    case 'sandbox-slow':
      await sleep(5_000)
  }
  return answer(url)
}

const row = (place: (typeof simulatedPlaces)[number], index: number) => ({
  name: place.name,
  locationId: place.locationId,
  divisible: place.divisible,
  type: 'location',
  suggestedLocationId: 10_000 + index,
  subTypeText: place.kind,
  total: place.ads,
})

/**
 * Names that begin so or, if none does, all of the country: no search comes back empty by accident.
 */
function suggestions({ searchParams: query }: URL): Response {
  const prefix = (query.get('prefix') ?? '').toLowerCase()
  // Without hits the list has been seen empty and null.
  if (prefix === 'sandbox-empty') return json({ locations: null, total: 0 })
  const here = simulatedPlaces.filter((p) => p.country === query.get('location'))
  const hits = here.filter((p) => p.name.toLowerCase().startsWith(prefix))
  const locations = (hits.length > 0 ? hits : here).map((p) => row(p, simulatedPlaces.indexOf(p)))
  return json({ locations, total: locations.length })
}

function parts({ searchParams: query }: URL): Response {
  const parent = query.get('locationId') ?? ''
  const inside = simulatedPlaces.filter((p) => p.locationId.startsWith(`${parent}-`))
  const nearest = Math.min(...inside.map((p) => p.locationId.length))
  const locations = inside.filter((p) => p.locationId.length === nearest).map((p) => row(p, simulatedPlaces.indexOf(p)))
  return json({ locations, total: locations.length })
}

/** Pages begin at 1 and hold at most 40, whatever is asked. */
function search({ origin, searchParams: query }: URL, path: string): Response {
  const asked = (name: string) => query.get(name) ?? ''
  if (!asked('locationId') || !asked('numPage')) return json({ message: 'Missing required parameter: locationId' }, 400)
  const flags = ['elevator', 'garage', 'garden', 'terrance', 'terrace', 'bankOffer', 'newDevelopment', 'exterior']
  if (flags.some((name) => asked(name) === 'false'))
    return json({ message: 'Boolean parameters are true or absent' }, 400)
  const isRooms = path === 'listrooms'
  const operation = isRooms ? 'rent' : asked('operation')
  const size = Math.min(Math.max(Number(asked('maxItems')) || 40, 1), 40)
  const page = Math.max(Number(asked('numPage')) || 1, 1)
  if (asked('locationName') === 'sandbox-breaks' && page === 3) {
    return json({ messages: 'The API is unreachable, please contact the API provider' }, 502)
  }
  const at = simulatedPlaces.find((p) => p.locationId === asked('locationId')) ?? simulatedPlaces[0]
  if (!at) return json({ message: 'No places' }, 500)
  const all = Array.from({ length: asked('locationName') === 'sandbox-empty' ? 0 : at.ads }, (_, n) =>
    homeListing(at, n, operation, isRooms ? 'rooms' : path, origin),
  )
  const minPrice = Number(asked('minPrice')) || 0
  const maxPrice = Number(asked('maxPrice')) || Number.POSITIVE_INFINITY
  const fitting = all.filter((ad) => ad.price >= minPrice && ad.price <= maxPrice)
  if (asked('order') === 'lowestprice') fitting.sort((a, b) => a.price - b.price)
  const elementList = fitting.slice((page - 1) * size, page * size)
  const totalPages = Math.ceil(fitting.length / size)
  return json({
    elementList,
    total: fitting.length,
    totalPages,
    actualPage: page,
    itemsPerPage: size,
    numPaginations: 0,
    summary: ['Made up'],
    filter: { locationName: asked('locationName') },
    upperRangePosition: (page - 1) * size + elementList.length,
    lowerRangePosition: (page - 1) * size,
    paginable: page < totalPages,
  })
}

function propertyDetails({ origin, searchParams: query }: URL): Response {
  const propertyId = query.get('propertyId') ?? ''
  if (propertyId === '404') return json({ message: 'Ad not found', httpStatus: 404 }, 404)
  if (propertyId !== '410') return json(homeDetails(propertyId, origin))
  const ad = {
    adid: 410,
    operation: 'sale',
    propertyType: 'homes',
    locationId: '0-EU-ES-90-01-001',
    lastDeactivationDate: 1_735_776_000_000,
    deactivationReason: 'sold',
    contactInfo: {
      commercialName: 'Casas del Puerto',
      userType: 'professional',
      micrositeShortName: 'casas-del-puerto',
    },
  }
  return json({ message: 'Ad not found or not active', httpStatus: 404, ad })
}

const agencyOf = (url: URL) => simulatedAgencies.find((a) => a.slug === url.searchParams.get('micrositeShortName'))
const NO_AGENCY = { message: 'Microsite not found', httpStatus: 404 }

function profile(url: URL): Response {
  const agency = agencyOf(url)
  if (!agency) return json(NO_AGENCY, 404)
  return json({
    commercialName: agency.name,
    micrositeShortName: agency.slug,
    agencyLogo: `${url.origin}/idealista/photos/${agency.slug}.gif`,
    phone1: { phoneNumber: agency.phone.replaceAll(' ', ''), formattedPhone: agency.phone, prefix: '34' },
    address: { streetName: 'Plaza Mayor', streetNumber: 3, locationName: 'Puerto Claro', postalCode: '99001' },
    corporatePhrase: { text: 'Homes by the water since 1987.', autoTranslated: false },
    totalAds: 28,
    webUrl: 'https://example.com',
  })
}

function agencyPlaces(url: URL): Response {
  const agency = agencyOf(url)
  if (!agency) return json(NO_AGENCY, 404)
  const inside = simulatedPlaces.filter((p) => p.locationId.startsWith(`${url.searchParams.get('locationId')}-`))
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
  return json({ provinces, municipalities: towns })
}
