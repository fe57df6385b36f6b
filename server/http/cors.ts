import { env } from '../env'

/** What browsers may send: keys, and what SDKs and MCP clients add by themselves. */
const REQUEST_HEADER =
  /^(authorization|content-type|accept|user-agent|x-api-key|idempotency-key|if-match|prefer|last-event-id|x-tollgate-customer|(anthropic|openai|x-stainless|mcp)-[\w-]+)$/

/** What scripts may read besides the few headers that every script may. */
const EXPOSED = [
  'x-request-id',
  'request-id',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'retry-after',
  'idempotent-replayed',
  'idempotency-stored',
  'x-tollgate-adjusted',
  'etag',
  'location',
  'preference-applied',
  'deprecation',
  'sunset',
  'link',
  'www-authenticate',
  'mcp-session-id',
  'mcp-protocol-version',
].join(', ')

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** Seconds for which a browser may remember the answer to a preflight. */
const MAX_AGE_S = 600

/** Paths that take a key. The dashboard's take its cookie, and are for its own pages only. */
const takesKey = (url: string): boolean => /^https?:\/\/[^/]+\/api\/v1\//.test(url)

/** True for an origin whose pages CORS_ORIGINS lets call the API. */
export const isAllowedOrigin = (origin: string): boolean => {
  const { CORS_ORIGINS } = env()
  return CORS_ORIGINS.includes('*') || CORS_ORIGINS.includes(origin)
}

/** The answer to a browser's question whether it may send a request; null for any other request. */
export function preflightResponse({ method, url, headers }: Request, own: Record<string, string>): Response | null {
  const origin = headers.get('origin')
  if (method !== 'OPTIONS' || !headers.has('access-control-request-method')) return null
  if (origin === null || !takesKey(url) || !isAllowedOrigin(origin)) return null
  const wanted = (headers.get('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
  return new Response(null, {
    status: 204,
    headers: {
      ...own,
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': wanted.filter((name) => REQUEST_HEADER.test(name)).join(', '),
      'access-control-max-age': String(MAX_AGE_S),
    },
  })
}

/**
 * Lets the page of an allowed origin read a response. Never with credentials: a browser's cookies
 * mean nothing at these paths.
 */
export function shareResponse({ url, headers }: Request, response: Response): void {
  const { CORS_ORIGINS } = env()
  if (CORS_ORIGINS.length === 0 || !takesKey(url)) return
  response.headers.append('vary', 'Origin')
  const origin = headers.get('origin')
  if (origin === null || !isAllowedOrigin(origin)) return
  response.headers.set('access-control-allow-origin', CORS_ORIGINS.includes('*') ? '*' : origin)
  response.headers.set('access-control-expose-headers', EXPOSED)
}
