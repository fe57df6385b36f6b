import { env } from '../../env'
import { AppError } from '../../errors'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Throws `forbidden` for a browser's request from another site. A host name that merely leads here is another site too,
 * or a page could reach a server on its reader's machine by giving its own name that address.
 */
export function requireOwnOrigin(headers: Headers): void {
  const origin = headers.get('origin')
  if (origin === null) return
  const from = URL.canParse(origin) ? new URL(origin) : null
  if (from?.origin === new URL(env().PUBLIC_URL).origin) return
  if (from && LOOPBACK.has(from.hostname) && from.host === headers.get('host')) return
  throw new AppError('forbidden', 'This request came from another site.')
}
