import { env } from '../env'
import { AppError } from '../errors'

/** Throws `forbidden` when a browser sends a request that changes something from another site. */
export function sameOrigin(req: Request): void {
  if (req.method === 'GET' || req.method === 'HEAD') return
  const origin = req.headers.get('origin')
  const allowed = [
    new URL(env().PUBLIC_URL).origin,
    `http://${req.headers.get('host')}`,
    `https://${req.headers.get('host')}`,
  ]
  if (origin === null ? req.headers.get('sec-fetch-site') === 'cross-site' : !allowed.includes(origin)) {
    throw new AppError('forbidden', 'This request came from another site.')
  }
}
