import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'

/** Where a form may lead without script: here, and to the providers one signs in with. */
const FORMS = "'self' https://github.com https://accounts.google.com"

/**
 * What a page may load and run. Scripts: those that carry this answer's nonce, which Next reads from the request and puts
 * on its own, and what these load; not files of this host as such, among which strangers' files are. Style attributes are data here (bars, chart colours), so they may stand.
 */
function policyOf(nonce: string): string {
  // React's development build makes its stack traces with eval.
  const dev = process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : ''
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${dev}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action ${FORMS}`,
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Before every page: its security policy, and the path asked for, which Next does not tell to pages. */
export function proxy(request: NextRequest): NextResponse {
  const policy = policyOf(randomBytes(16).toString('base64'))
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  headers.set('x-tollgate-path', request.nextUrl.pathname + request.nextUrl.search)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

/** Pages only: doors and files answer for themselves. */
export const config = {
  matcher: '/((?!api/|files/|sites/.|_next/|llms\\.txt$|healthz$|readyz$|metrics$|icon\\.svg$).*)',
}
