import type { Env } from '../../env'
import { log } from '../../kit/log'
import { setTracer } from '../../kit/tracing/tracer'
import { loadTracer } from './open-telemetry'

/** How long a stop waits for the collector to take the last spans, milliseconds. */
const FLUSH_MS = 3_000

const off = async () => {}

/** Where spans are sent; null: tracing is off. */
export function tracesUrl(env: Env): string | null {
  if (env.OTEL_TRACES_SAMPLER.endsWith('always_off')) return null
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT
  return env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base ? `${base}/v1/traces` : null)
}

/**
 * Turns tracing on where the settings name a collector; loads nothing where they do not. Returns
 * the function that sends what is left, within 3 s, and turns it off.
 */
export async function startTracing(env: Env, processName: 'web' | 'worker'): Promise<() => Promise<void>> {
  const url = tracesUrl(env)
  if (url === null) return off
  const { tracer, shutdown } = await loadTracer({
    url,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS,
    resource: {
      'service.name': env.OTEL_SERVICE_NAME,
      'service.instance.id': `${processName}-${process.pid}`,
      'tollgate.process': processName,
    },
    sampler: {
      name: env.OTEL_TRACES_SAMPLER,
      ratio: env.OTEL_TRACES_SAMPLER_ARG,
      trustsCallers: env.TRUST_TRACEPARENT === 'on',
    },
  })
  setTracer(tracer)
  log.info({ host: new URL(url).host, sampler: env.OTEL_TRACES_SAMPLER }, 'tracing is on')
  return async () => {
    setTracer(undefined)
    await shutdown(FLUSH_MS)
  }
}
