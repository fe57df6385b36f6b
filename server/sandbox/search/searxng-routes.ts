import type { SandboxRoute } from '../kit/route'
import { beSlow } from '../kit/slow'
import { searchWeb } from '../pages/web-search'
import { agesAgo } from './ages'

/**
 * A SearXNG instance over the simulated web. `sandbox:gazette` finds the fixed pages. Failures,
 * provoked by a word in the query:
 * `sandbox:429` rate limit · `sandbox:500` server error · `sandbox:slow` the usual response after 5
 * s · `sandbox:empty` no results · `sandbox:engines` every engine failed.
 */
export const searchSearxngRoutes: SandboxRoute[] = [{ method: 'GET', path: '/searxng/search', handle: search }]

const HTML = { 'content-type': 'text/html; charset=utf-8' }

const FAILED_ENGINES = [
  ['gazette', 'timeout'],
  ['almanac', 'Suspended: CAPTCHA'],
]

/**
 * https://docs.searxng.org/dev/search_api.html; the keys are those of get_json_response in
 * searx/webutils.py.
 */
async function search(req: Request): Promise<Response> {
  const { origin, searchParams } = new URL(req.url)
  const q = searchParams.get('q') ?? ''
  if (searchParams.get('format') !== 'json')
    return new Response('<!doctype html><title>Search</title>', { headers: HTML })
  if (q === '') return Response.json({ error: 'No query' }, { status: 400 })
  // An external bang redirects to another host.
  if (q.startsWith('!!'))
    return new Response(null, { status: 302, headers: { location: 'https://search.invalid/?q=x' } })
  if (q.includes('sandbox:429')) return new Response('Too Many Requests', { status: 429, headers: HTML })
  if (q.includes('sandbox:500')) return Response.json({ error: 'search error' }, { status: 500 })
  if (q.includes('sandbox:slow')) await beSlow()

  const hasFailed = q.includes('sandbox:engines')
  const found =
    hasFailed || q.includes('sandbox:empty')
      ? []
      : searchWeb({
          query: q,
          ...localeOf(searchParams.get('language')),
          page: Number(searchParams.get('pageno') ?? 1),
          since: agesAgo(searchParams.get('time_range')),
        })
  const results = found.map(({ path, title, summary }, i) => ({
    url: `${origin}${path}`,
    title,
    content: i === 1 ? null : summary.replaceAll("'", '&#x27;'),
    engine: 'gazette',
    engines: ['gazette'],
    positions: [i + 1],
    score: 1 / (i + 1),
    category: 'general',
    publishedDate: null,
  }))
  return Response.json({
    query: q,
    results,
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: hasFailed ? FAILED_ENGINES : [],
  })
}

/** `de-AT`, `de` or `all`. */
function localeOf(given: string | null): { language?: string; country?: string } {
  if (!given || given === 'all') return {}
  const [language = '', country = ''] = given.toLowerCase().split('-')
  return { language, country }
}
