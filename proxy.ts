import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'

/** Where forms may be sent: here, and to the sign-in providers. */
function formTargets(): string {
  const issuer = globalThis.tollgateServer?.issuerOrigin()
  return ["'self'", 'https://github.com', 'https://accounts.google.com', ...(issuer ? [issuer] : [])].join(' ')
}

/**
 * What a page may load and run. Scripts need the nonce of this response, which Next reads from the
 * request, or are loaded by such a script; the host's files, some of them uploaded, are not allowed
 * as such. Style attributes are allowed, because charts use them.
 */
function policyOf(nonce: string): string {
  // React's development build makes its stack traces with eval.
  const dev = process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : ''
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${dev}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `frame-src ${["'self'", globalThis.tollgateServer?.siteOrigins()].filter(Boolean).join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    `form-action ${formTargets()}`,
    "frame-ancestors 'none'",
  ].join('; ')
}

/** `/docs`, `/docs/<page>` and `/docs/<page>.md`. */
const DOCS_PAGE = /^\/docs(?:\/([a-z0-9-]+(?:\/\w+)?))?(\.md)?$/

/** The Markdown of a page of the documentation where that is what was asked for. */
function markdownOf({ nextUrl, headers }: NextRequest): NextResponse | null {
  const [isDocs, page = 'index', extension] = DOCS_PAGE.exec(nextUrl.pathname) ?? []
  const isPreferred = /^text\/(markdown|x-markdown)\b/.test(headers.get('accept') ?? '')
  if (!isDocs || !(extension || isPreferred)) return null
  const url = nextUrl.clone()
  url.pathname = `/docs-markdown/${page}`
  return NextResponse.rewrite(url)
}

/**
 * Adds the security policy to every page, and what Next does not pass to pages: the path, and the
 * nonce.
 */
export function proxy(request: NextRequest): NextResponse {
  const markdown = markdownOf(request)
  if (markdown) return markdown
  const nonce = randomBytes(16).toString('base64')
  const policy = policyOf(nonce)
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  headers.set('x-tollgate-nonce', nonce)
  headers.set('x-tollgate-path', request.nextUrl.pathname + request.nextUrl.search)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

/** Pages only: handlers and files set their own headers. */
export const config = {
  matcher:
    '/((?!api/|v1/|openai/v1/|files/|sites/.|_next/|llms\\.txt$|docs-search$|healthz$|readyz$|version$|metrics$|\\.well-known/|authorize$|register$|token$|revoke$|icon\\.svg$).*)',
}
