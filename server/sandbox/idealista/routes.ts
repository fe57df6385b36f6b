import { provokedFailure } from '../kit/failures'
import type { SandboxRoute } from '../kit/route'
import { fillTemplate } from '../kit/template'
import { agencyLocations, agencyProfile } from './agencies'
import { findHomes } from './find-homes'
import { homeDetail } from './home-forms'
import { adsOf, findHome, HOME_TYPES, type HomeOperation, type HomeType } from './homes'
import { leavesOf, partsOf, plainName, type RealPlace, realPlaces, suggestPlaces } from './places'
import { goneAdvertisement, homeDetails, simulatedPlaces } from './puerto-claro'
import shapes from './shapes.json'
import { idealistaWeb } from './web'
import words from './words.json'

/**
 * The idealista v7 API as RapidAPI lists it (https://rapidapi.com/scraperium/api/idealista7), over
 * the places of three countries with made-up advertisements, and made-up places for tests: paths,
 * parameters and forms are those of its endpoint pages, errors and headers those of RapidAPI's
 * gateway (https://docs.rapidapi.com/docs/response-headers). Failures, asked for with `prefix`,
 * `locationName`, `propertyId` or `micrositeShortName`: `sandbox-429` too many in a second ·
 * `sandbox-quota` the month is used up · `sandbox-403` not subscribed · `sandbox-500` the API does
 * not answer · `sandbox-blocked` a 200 that is an error · `sandbox-html` a page · `sandbox-slow`
 * the usual answer after 5 s · `sandbox-empty` nothing found · `sandbox-breaks` the third page of a
 * search fails. Ids all of digits stand for them where only digits are taken: 429, 500.
 * Advertisement 404 is gone, 410 taken down.
 */
export const idealistaRoutes: SandboxRoute[] = [
  ...idealistaWeb,
  { method: 'GET', path: '/idealista/getsuggestions', handle: (req) => guarded(req, suggestions) },
  { method: 'GET', path: '/idealista/getlocations', handle: (req) => guarded(req, parts) },
  { method: 'GET', path: '/idealista/propertydetails', handle: (req) => guarded(req, propertyDetails) },
  { method: 'GET', path: '/idealista/getmicrositeprofile', handle: (req) => guarded(req, profile) },
  { method: 'GET', path: '/idealista/getmicrositelocations', handle: (req) => guarded(req, agencyPlaces) },
  ...HOME_TYPES.map((type) => ({
    method: 'GET',
    path: `/idealista/list${type === 'commercial' ? 'commercialproperties' : type}`,
    handle: (req: Request) => guarded(req, (url) => search(url, type)),
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
  const failure = await provokedFailure('idealista', /^(?:sandbox-(?=\w)|(?=(?:429|500)$))(\w+)$/.exec(asked)?.[1])
  if (failure) return failure
  return answer(url)
}

const suggestions = ({ searchParams }: URL): Response => json(suggestionsOf(searchParams))
const parts = ({ searchParams }: URL): Response => json(locationParts(searchParams))

/** Pages begin at 1 and hold at most 40, whatever is asked. */
function search({ origin, searchParams: query }: URL, type: HomeType): Response {
  const asked = (name: string) => query.get(name) ?? ''
  if (!asked('locationId') || !asked('numPage')) return json({ message: 'Missing required parameter: locationId' }, 400)
  const flags = ['elevator', 'garage', 'garden', 'terrance', 'terrace', 'bankOffer', 'newDevelopment', 'exterior']
  if (flags.some((name) => asked(name) === 'false'))
    return json({ message: 'Boolean parameters are true or absent' }, 400)
  const operation = type === 'rooms' || asked('operation') === 'rent' ? 'rent' : 'sale'
  const size = Math.min(Math.max(Number(asked('maxItems')) || 40, 1), 40)
  const page = Math.max(Number(asked('numPage')) || 1, 1)
  if (asked('locationName') === 'sandbox-breaks' && page === 3) {
    return json({ messages: 'The API is unreachable, please contact the API provider' }, 502)
  }
  const found = findHomes({ type, operation, query, origin })
  if (!found) return orNotFound('Location', null)
  const from = (page - 1) * size
  const rows = found.page(from, from + size)
  const pages = Math.ceil(found.total / size)
  const values = { rows, pages, page, size, from, to: from + rows.length, hasMore: page < pages }
  return json(fillTemplate(shapes.listing, { ...values, total: found.total, name: asked('locationName') }))
}

function propertyDetails({ origin, searchParams: query }: URL): Response {
  const propertyId = query.get('propertyId') ?? ''
  const home = findHome(propertyId)
  if (home && home.place.country === query.get('location'))
    return json(homeDetail(home, origin, query.get('language') ?? 'en'))
  if (/^90\d{6}$/.test(propertyId)) return json(homeDetails(propertyId, origin))
  return orNotFound('Ad', propertyId === '410' ? goneAdvertisement : null)
}

const orNotFound = (what: string, found: object | null) =>
  found ? json(found) : json({ message: `${what} not found`, httpStatus: 404 }, 404)

const profile = ({ origin, searchParams: query }: URL): Response =>
  orNotFound('Microsite', agencyProfile(query.get('micrositeShortName') ?? '', query.get('location') ?? '', origin))

function agencyPlaces({ searchParams: query }: URL): Response {
  const operation = query.get('operation') === 'rent' ? 'rent' : 'sale'
  const [slug, locationId] = [query.get('micrositeShortName') ?? '', query.get('locationId') ?? '']
  return orNotFound('Microsite', agencyLocations(slug, locationId, operation))
}

/** The types that locations are counted by, as lists of advertisements. */
const LISTS = words.lists as Record<string, HomeType>

const countIn = (place: RealPlace, type: HomeType, operation: HomeOperation): number =>
  leavesOf(place.locationId).reduce((sum, leaf) => sum + adsOf(leaf, type, operation), 0)

function realRow(place: RealPlace, query: URLSearchParams) {
  const type = LISTS[query.get('propertyType') ?? ''] ?? 'homes'
  return fillTemplate(shapes.location, {
    ...place,
    divisible: place.leaf === null,
    number: 20_000 + realPlaces.indexOf(place),
    kind: words.levels[place.country][place.level],
    total: countIn(place, type, query.get('operation') === 'rent' ? 'rent' : 'sale'),
  })
}

const madeUpRow = (place: (typeof simulatedPlaces)[number]) =>
  fillTemplate(shapes.location, { ...place, number: 10_000 + simulatedPlaces.indexOf(place), total: place.ads })

/** So much of a made-up place's name has to be asked for: else it would come among real ones. */
const MIN_MADE_UP = 8

/** Places whose names begin so; an empty list without a match. */
function suggestionsOf(query: URLSearchParams) {
  const prefix = query.get('prefix') ?? ''
  const country = query.get('location') ?? ''
  // Without hits the list has been seen empty and null.
  if (prefix === 'sandbox-empty') return { locations: null, total: 0 }
  const plain = plainName(prefix)
  const madeUp = simulatedPlaces.filter(
    (place) => plain.length >= MIN_MADE_UP && place.country === country && plainName(place.name).startsWith(plain),
  )
  const found = suggestPlaces(prefix, country)
  const locations = [...madeUp.map(madeUpRow), ...found.map((place) => realRow(place, query))]
  return { locations, total: locations.length }
}

/** The parts of a divisible place. */
function locationParts(query: URLSearchParams) {
  const parent = query.get('locationId') ?? ''
  const inside = simulatedPlaces.filter((p) => p.locationId.startsWith(`${parent}-`))
  const nearest = Math.min(...inside.map((p) => p.locationId.length))
  const madeUp = inside.filter((p) => p.locationId.length === nearest).map(madeUpRow)
  const locations = madeUp.length > 0 ? madeUp : partsOf(parent).map((place) => realRow(place, query))
  return { locations, total: locations.length }
}
