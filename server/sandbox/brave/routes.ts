import { setTimeout as sleep } from 'node:timers/promises'
import { articlePage, frontPage, type SimulatedPage, simulatedPages } from '../pages/site'
import type { SandboxRoute } from '../route'

/**
 * The wire formats of Brave Search and SearXNG over a made-up site, whose pages can be read and pictured too.
 * Failures, asked for by a word in the query of either provider:
 * `sandbox:429` rate limit · `sandbox:500` server error · `sandbox:slow` the usual answer after 5 s · `sandbox:empty` no
 * results · `sandbox:quota` (Brave) the month is used up · `sandbox:engines` (SearXNG) every engine failed.
 * Pages: /site/ and /site/{article}; /site/status/{code} answers with that status, /site/slow after 5 s,
 * /site/redirect leads to an article, /site/private to an address that the guard must refuse.
 */
export const braveRoutes: SandboxRoute[] = [
  { method: 'GET', path: '/brave/res/v1/web/search', answer: brave },
  { method: 'GET', path: '/searxng/search', answer: searxng },
  { method: 'GET', path: '/site/*', answer: site },
  { method: 'HEAD', path: '/site/*', answer: site },
]

const SLOW_MS = 5_000

/** Every page has something of every query, so that no search comes back empty by accident; better matches come first. */
function search(query: string): SimulatedPage[] {
  const words = query.toLowerCase().split(/\W+/).filter(Boolean)
  const hits = (page: SimulatedPage) => {
    const text = `${page.title} ${page.summary} ${page.paragraphs.join(' ')}`.toLowerCase()
    return words.filter((word) => text.includes(word)).length
  }
  return [...simulatedPages].sort((a, b) => hits(b) - hits(a))
}

const WINDOWS = {
  'x-ratelimit-limit': '1, 15000',
  'x-ratelimit-policy': '1;w=1, 15000;w=2592000',
  'x-ratelimit-remaining': '0, 14000',
  'x-ratelimit-reset': '1, 1000000',
}

function braveError(status: number, code: string, detail: string, meta: object = {}): Response {
  const error = { id: '00000000-0000-4000-8000-000000000000', status, code, detail, meta }
  return Response.json({ type: 'ErrorResponse', error, time: 1_767_225_600 }, { status, headers: WINDOWS })
}

/** https://api-dashboard.search.brave.com/app/documentation/web-search: parameters, answer, errors, rate-limit headers. */
async function brave(req: Request): Promise<Response> {
  const { origin, searchParams } = new URL(req.url)
  const q = searchParams.get('q') ?? ''
  const count = Number(searchParams.get('count') ?? 20)
  const bad = (loc: string[], msg: string) =>
    braveError(422, 'VALIDATION', 'Unable to validate request parameter(s)', {
      errors: [{ type: 'value_error', loc, msg }],
    })
  if (!req.headers.get('x-subscription-token')) return bad(['header', 'x-subscription-token'], 'Field required')
  if (q === '' || q.length > 400) return bad(['query', 'q'], 'String should have 1 to 400 characters')
  if (!(count >= 1 && count <= 20)) return bad(['query', 'count'], 'Input should be less than or equal to 20')
  if (q.includes('sandbox:429')) return braveError(429, 'RATE_LIMITED', 'Request rate limit exceeded for plan')
  if (q.includes('sandbox:quota')) return braveError(429, 'QUOTA_LIMITED', 'Quota limit exceeded for plan')
  if (q.includes('sandbox:500')) return braveError(500, 'INTERNAL', 'Internal server error')
  if (q.includes('sandbox:slow')) await sleep(SLOW_MS)

  const found = q.includes('sandbox:empty') ? [] : search(q).slice(0, count)
  const query = { original: q, spellcheck_off: false, country: 'us', more_results_available: false }
  const results = found.map(({ slug, title, summary, published }) => ({
    title,
    url: `${origin}/site/${slug}`,
    // Highlighting and entities are there unless text_decorations=false, and sometimes all the same.
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
    { headers: WINDOWS },
  )
}

/** https://docs.searxng.org/dev/search_api.html; the answer's keys are those of searx/webutils.py get_json_response. */
async function searxng(req: Request): Promise<Response> {
  const { origin, searchParams } = new URL(req.url)
  const q = searchParams.get('q') ?? ''
  if (searchParams.get('format') !== 'json')
    return new Response('<!doctype html><title>Search</title>', { headers: HTML })
  if (q === '') return Response.json({ error: 'No query' }, { status: 400 })
  // An external bang leaves for another host.
  if (q.startsWith('!!'))
    return new Response(null, { status: 302, headers: { location: 'https://search.invalid/?q=x' } })
  if (q.includes('sandbox:429')) return new Response('Too Many Requests', { status: 429, headers: HTML })
  if (q.includes('sandbox:500')) return Response.json({ error: 'search error' }, { status: 500 })
  if (q.includes('sandbox:slow')) await sleep(SLOW_MS)

  const failed = q.includes('sandbox:engines')
  const found = failed || q.includes('sandbox:empty') ? [] : search(q)
  const results = found.map(({ slug, title, summary }, i) => ({
    url: `${origin}/site/${slug}`,
    title,
    content: i === 1 ? null : summary.replaceAll("'", '&#x27;'),
    engine: 'gazette',
    engines: ['gazette'],
    positions: [i + 1],
    score: 1 / (i + 1),
    category: 'general',
    publishedDate: null,
  }))
  const unresponsive_engines = failed
    ? [
        ['gazette', 'timeout'],
        ['almanac', 'Suspended: CAPTCHA'],
      ]
    : []
  return Response.json({
    query: q,
    results,
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines,
  })
}

const HTML = { 'content-type': 'text/html; charset=utf-8' }

async function site(req: Request): Promise<Response> {
  const { pathname } = new URL(req.url)
  const slug = pathname.slice('/site/'.length)
  const page = simulatedPages.find((known) => known.slug === slug)
  if (slug === 'redirect')
    return new Response(null, { status: 302, headers: { location: `/site/${simulatedPages[0]?.slug}` } })
  if (slug === 'private') return new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:9/' } })
  if (slug === 'slow') await sleep(SLOW_MS)
  const asked = Number(/^status\/([2-5]\d\d)$/.exec(slug)?.[1] ?? Number.NaN)
  const status = Number.isNaN(asked) ? (page || slug === '' || slug === 'slow' ? 200 : 404) : asked
  if (status === 204 || status === 205 || status === 304) return new Response(null, { status })
  if (page) return new Response(articlePage(page), { headers: HTML })
  return new Response(status === 200 ? frontPage() : `<!doctype html><title>${status}</title><h1>${status}</h1>`, {
    status,
    headers: HTML,
  })
}
