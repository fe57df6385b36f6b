import { env } from '../../env'
import { AppError } from '../../errors'
import { isAllowedOrigin } from '../cors'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Throws `forbidden` for a browser's request from another site, unless CORS_ORIGINS names it.
 * Another host name that resolves to this server is another site too: by DNS rebinding a page could
 * otherwise reach a server on its visitor's machine.
 */
export function requireOwnOrigin(headers: Headers): void {
  const origin = headers.get('origin')
  if (origin === null) return
  const from = URL.canParse(origin) ? new URL(origin) : null
  if (from?.origin === new URL(env().PUBLIC_URL).origin || isAllowedOrigin(origin)) return
  if (from && LOOPBACK.has(from.hostname) && from.host === headers.get('host')) return
  throw new AppError('forbidden', 'This request came from another site.')
}
