import { failureHeaders, provokedFailure } from '../kit/failures'
import type { SandboxRoute } from '../kit/route'
import { DAY_MS } from '../kit/time'
import { RESULT_PAGES, searchWeb } from '../pages/web-search'

/**
 * The Brave Search API and a SearXNG instance over the simulated web. `sandbox:gazette` finds the
 * fixed pages. Failures, provoked by a word in the query:
 * `sandbox:429` rate limit · `sandbox:quota` the month is used up (Brave) · `sandbox:500` server
 * error · `sandbox:slow` the usual response after 5 s · `sandbox:empty` no results ·
 * `sandbox:engines` every engine failed (SearXNG).
 */
export const searchRoutes: SandboxRoute[] = [
  { method: 'GET', path: '/brave/res/v1/web/search', handle: searchBrave },
  { method: 'GET', path: '/searxng/search', handle: searchSearxng },
]

/** Days by what the search engines call them. */
const DAYS: Record<string, number> = { pd: 1, pw: 7, pm: 31, py: 365, day: 1, week: 7, month: 31, year: 365 }

/** The time before which a page is too old, in milliseconds; undefined: none is. */
function agesAgo(name: string | null): number | undefined {
  const days = DAYS[name ?? '']
  return days === undefined ? undefined : Date.now() - days * DAY_MS
}

const provokedWord = (q: string): string | undefined => /sandbox:(\w+)/.exec(q)?.[1]
const escaped = (text: string): string => text.replaceAll("'", '&#x27;')

function invalidParameter(loc: string[], msg: string): Response {
  const detail = 'Unable to validate request parameter(s)'
  const meta = { errors: [{ type: 'value_error', loc, msg }] }
  const error = { id: '00000000-0000-4000-8000-000000000000', status: 422, code: 'VALIDATION', detail, meta }
  const body = { type: 'ErrorResponse', error, time: 1_767_225_600 }
  return Response.json(body, { status: 422, headers: failureHeaders('brave') })
}

/** https://api-dashboard.search.brave.com/app/documentation/web-search: parameters, response, errors, rate limits. */
async function searchBrave(req: Request): Promise<Response> {
  const { origin, searchParams } = new URL(req.url)
  const q = searchParams.get('q') ?? ''
  const [count, offset] = [Number(searchParams.get('count') ?? 20), Number(searchParams.get('offset') ?? 0)]
  if (!req.headers.get('x-subscription-token'))
    return invalidParameter(['header', 'x-subscription-token'], 'Field required')
  if (q === '' || q.length > 400) return invalidParameter(['query', 'q'], 'String should have 1 to 400 characters')
  if (!(count >= 1 && count <= 20))
    return invalidParameter(['query', 'count'], 'Input should be less than or equal to 20')
  if (!(offset >= 0 && offset <= 9))
    return invalidParameter(['query', 'offset'], 'Input should be less than or equal to 9')
  const failure = await provokedFailure('brave', provokedWord(q))
  if (failure) return failure

  const found = provokedWord(q) === 'empty' ? [] : searchWeb(askedOf(req)).slice(0, count)
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
    description: escaped(summary.replace(/^(\w+) (\w+)/, '$1 <strong>$2</strong>')),
    page_age: published.replace(/Z$/, ''),
    language: 'en',
    family_friendly: true,
    type: 'search_result',
    subtype: 'generic',
  }))
  // Without results the key is missing, not empty.
  const web = results.length > 0 && { web: { type: 'search', results, family_friendly: true } }
  const body = { type: 'search', query, mixed: { type: 'mixed', main: [], top: [], side: [] }, ...web }
  return Response.json(body, { headers: failureHeaders('brave') })
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

const HTML = { 'content-type': 'text/html; charset=utf-8' }

const FAILED_ENGINES = [
  ['gazette', 'timeout'],
  ['almanac', 'Suspended: CAPTCHA'],
]

/** https://docs.searxng.org/dev/search_api.html; keys as in searx/webutils.py. */
async function searchSearxng(req: Request): Promise<Response> {
  const { origin, searchParams } = new URL(req.url)
  const q = searchParams.get('q') ?? ''
  if (searchParams.get('format') !== 'json')
    return new Response('<!doctype html><title>Search</title>', { headers: HTML })
  if (q === '') return Response.json({ error: 'No query' }, { status: 400 })
  // An external bang redirects to another host.
  if (q.startsWith('!!'))
    return new Response(null, { status: 302, headers: { location: 'https://search.invalid/?q=x' } })
  const word = provokedWord(q)
  const failure = await provokedFailure('searxng', word)
  if (failure) return failure

  const [page, since] = [Number(searchParams.get('pageno') ?? 1), agesAgo(searchParams.get('time_range'))]
  const locale = localeOf(searchParams.get('language'))
  const found = word === 'engines' || word === 'empty' ? [] : searchWeb({ query: q, ...locale, page, since })
  const results = found.map(({ path, title, summary }, i) => ({
    url: `${origin}${path}`,
    title,
    content: i === 1 ? null : escaped(summary),
    engine: 'gazette',
    engines: ['gazette'],
    positions: [i + 1],
    score: 1 / (i + 1),
    category: 'general',
    publishedDate: null,
  }))
  const nothing = { answers: [], corrections: [], infoboxes: [], suggestions: [] }
  return Response.json({
    query: q,
    results,
    ...nothing,
    unresponsive_engines: word === 'engines' ? FAILED_ENGINES : [],
  })
}

/** `de-AT`, `de` or `all`. */
function localeOf(given: string | null): { language?: string; country?: string } {
  if (!given || given === 'all') return {}
  const [language = '', country = ''] = given.toLowerCase().split('-')
  return { language, country }
}
