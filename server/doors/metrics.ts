import { timingSafeEqual } from 'node:crypto'
import { env } from '../env'
import { AppError } from '../errors'
import { metrics } from '../kit/metrics'
import { asDoor, READING } from './exchange'

const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** `/metrics`: Prometheus text, for whoever has METRICS_TOKEN; off without one. */
export const metricsDoor = asDoor(
  'metrics',
  async ({ req, headers }) => {
    const token = env().METRICS_TOKEN
    if (!token) throw new AppError('not_found', 'Metrics are off. Set METRICS_TOKEN to turn them on.')
    if (!same(req.headers.get('authorization') ?? '', `Bearer ${token}`)) {
      throw new AppError('unauthorized', 'Send "Authorization: Bearer <METRICS_TOKEN>".')
    }
    const { registry } = metrics()
    return new Response(await registry.metrics(), { headers: { ...headers(), 'content-type': registry.contentType } })
  },
  READING,
)
