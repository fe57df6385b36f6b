import { timingSafeEqual } from 'node:crypto'
import { env } from '../env'
import { AppError } from '../errors'
import { writeMetrics } from '../kit/metrics/exposition'
import { makeHandler, READ_METHODS } from './handler'

function isEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** `/metrics`: Prometheus text, for clients with METRICS_TOKEN; off without one. */
export const metricsHandler = makeHandler(
  'metrics',
  async ({ req, headers }) => {
    const token = env().METRICS_TOKEN
    if (!token) throw new AppError('not_found', 'Metrics are off. Set METRICS_TOKEN to enable them.')
    if (!isEqual(req.headers.get('authorization') ?? '', `Bearer ${token}`)) {
      throw new AppError('unauthorized', 'Send "Authorization: Bearer <METRICS_TOKEN>".')
    }
    const { text, contentType } = await writeMetrics()
    return new Response(text, { headers: { ...headers(), 'content-type': contentType } })
  },
  { methods: READ_METHODS },
)
