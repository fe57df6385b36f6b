import type { SandboxRoute } from '../kit/route'
import { beSlow } from '../kit/slow'
import { RESULT_PAGES, searchWeb } from '../pages/web-search'
import { agesAgo } from './ages'

/**
 * The Brave Search API over the simulated web. `sandbox:gazette` finds the fixed pages. Failures,
 * provoked by a word in the query:
 * `sandbox:429` rate limit · `sandbox:quota` the month is used up · `sandbox:500` server error ·
 * `sandbox:slow` the usual response after 5 s · `sandbox:empty` no results.
 */
export const searchBraveRoutes: SandboxRoute[] = [{ method: 'GET', path: '/brave/res/v1/web/search', handle: search }]

const RATE_LIMIT_HEADERS = {
  'x-ratelimit-limit': '1, 15000',
  'x-ratelimit-policy': '1;w=1, 15000;w=2592000',
  'x-ratelimit-remaining': '0, 14000',
  'x-ratelimit-reset': '1, 1000000',
}

function braveError(status: number, code: string, detail: string, meta: object = {}): Response {
  const error = { id: '00000000-0000-4000-8000-000000000000', status, code, detail, meta }
  return Response.json({ type: 'ErrorResponse', error, time: 1_767_225_600 }, { status, headers: RATE_LIMIT_HEADERS })
}

const invalidParameter = (loc: string[], msg: string) =>
  braveError(422, 'VALIDATION', 'Unable to validate request parameter(s)', {
    errors: [{ type: 'value_error', loc, msg }],
  })

/** https://api-dashboard.search.brave.com/app/documentation/web-search: parameters, response, errors, rate limits. */
async function search(req: Request): Promise<Response> {
  const { origin, searchParams } = new URL(req.url)
  const q = searchParams.get('q') ?? ''
  const count = Number(searchParams.get('count') ?? 20)
  if (!req.headers.get('x-subscription-token'))
    return invalidParameter(['header', 'x-subscription-token'], 'Field required')
  if (q === '' || q.length > 400) return invalidParameter(['query', 'q'], 'String should have 1 to 400 characters')
  if (!(count >= 1 && count <= 20))
    return invalidParameter(['query', 'count'], 'Input should be less than or equal to 20')
  const offset = Number(searchParams.get('offset') ?? 0)
  if (!(offset >= 0 && offset <= 9))
    return invalidParameter(['query', 'offset'], 'Input should be less than or equal to 9')
  if (q.includes('sandbox:429')) return braveError(429, 'RATE_LIMITED', 'Request rate limit exceeded for plan')
  if (q.includes('sandbox:quota')) return braveError(429, 'QUOTA_LIMITED', 'Quota limit exceeded for plan')
  if (q.includes('sandbox:500')) return braveError(500, 'INTERNAL', 'Internal server error')
  if (q.includes('sandbox:slow')) await beSlow()

  const found = q.includes('sandbox:empty') ? [] : searchWeb(askedOf(req)).slice(0, count)
  const query = {
    original: q,
    spellcheck_off: false,
    country: searchParams.get('country')?.toLowerCase() ?? 'us',
    more_results_available: found.length > 0 && !searchParams.has('freshness') && offset + 1 < RESULT_PAGES,
  }
  const results = found.map(({ path, title, summary, published }) => ({
    title,
    url: `${origin}${path}`,
    // Brave sends highlighting and entities unless text_decorations=false, and sometimes even then.
    description: summary.replace(/^(\w+) (\w+)/, '$1 <strong>$2</strong>').replaceAll("'", '&#x27;'),
    page_age: published.replace(/Z$/, ''),
    language: 'en',
    family_friendly: true,
    type: 'search_result',
    subtype: 'generic',
  }))
  // Without results the key is missing, not empty.
  const web = results.length > 0 ? { web: { type: 'search', results, family_friendly: true } } : {}
  return Response.json(
    { type: 'search', query, mixed: { type: 'mixed', main: [], top: [], side: [] }, ...web },
    { headers: RATE_LIMIT_HEADERS },
  )
}

/** Country, language and place, as far as the request names them. */
function askedOf(req: Request) {
  const { searchParams } = new URL(req.url)
  const header = (name: string) => Buffer.from(req.headers.get(name) ?? '', 'latin1').toString()
  const language = searchParams.get('search_lang')?.slice(0, 2) ?? ''
  return {
    query: searchParams.get('q') ?? '',
    page: 1 + Number(searchParams.get('offset') ?? 0),
    since: agesAgo(searchParams.get('freshness')),
    country: (searchParams.get('country') ?? header('x-loc-country')).toLowerCase(),
    language: language === 'jp' ? 'ja' : language,
    location: [header('x-loc-city'), header('x-loc-state-name')].filter(Boolean).join(', '),
  }
}
