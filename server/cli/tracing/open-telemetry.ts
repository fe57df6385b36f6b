import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, SpanContext } from '@opentelemetry/api'
import { makeSampler, type SamplerSettings } from '../../kit/tracing/sampler'
import type { SpanOptions, Tracer } from '../../kit/tracing/tracer'
import { withTimeout } from '../../kit/with-timeout'
import { logOutages } from './exporter'

export type TracingSettings = {
  /** Where spans are sent, as OTLP in JSON over HTTP. */
  url: string
  headers: Record<string, string>
  /** What describes this process, such as `service.name`. */
  resource: Record<string, string>
  sampler: SamplerSettings
}

/** Waits no longer than this for a collector, milliseconds. */
const EXPORT_TIMEOUT_MS = 5_000
const DELAY_MS = 2_000

/** Makes ids; the next span of a caller that chose its own gets those. */
function idGenerator({ RandomIdGenerator }: typeof import('@opentelemetry/sdk-trace')) {
  const random = new RandomIdGenerator()
  let chosen: SpanOptions['ids']
  return {
    choose: (ids: SpanOptions['ids']) => {
      chosen = ids
    },
    generateTraceId: () => chosen?.traceId ?? random.generateTraceId(),
    generateSpanId: () => chosen?.spanId ?? random.generateSpanId(),
  }
}

/**
 * Loads OpenTelemetry and returns a tracer with what flushes and ends it. Nothing is registered
 * globally: packages that would make spans of their own, such as Next, do not.
 */
export async function loadTracer(
  settings: TracingSettings,
): Promise<{ tracer: Tracer; shutdown: (maxMs: number) => Promise<void> }> {
  const [
    api,
    core,
    sdk,
    { OTLPTraceExporter },
    { defaultResource, detectResources, envDetector, resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const { trace, ROOT_CONTEXT, SpanKind, SpanStatusCode } = api
  const { url, headers } = settings
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: EXPORT_TIMEOUT_MS })
  const ids = idGenerator(sdk)
  const sampler = makeSampler(sdk, settings.sampler)
  const provider = new sdk.TracerProvider({
    sampler,
    idGenerator: ids,
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter: logOutages(exporter, url), scheduledDelayMillis: DELAY_MS }),
    ],
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes(settings.resource)),
  })
  const made = provider.getTracer('tollgate')
  const store = new AsyncLocalStorage<Context>()
  const propagator = new core.W3CTraceContextPropagator()
  const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT }
  const active = () => store.getStore() ?? ROOT_CONTEXT
  const below = (parent: SpanContext) => trace.setSpanContext(ROOT_CONTEXT, parent)

  const tracer: Tracer = {
    open: ({ name, kind, attributes, parent, ids: chosen, startedAt }) => {
      const context = parent ? below(parent) : chosen ? ROOT_CONTEXT : active()
      ids.choose(chosen)
      const options = { kind: kind && KINDS[kind], attributes, startTime: startedAt }
      const span = made.startSpan(name, options, context)
      ids.choose(undefined)
      const inside = trace.setSpan(context, span)
      return {
        span,
        run: (work) => store.run(inside, work),
        fail: (error) => {
          const { type, isRefusal } = describe(error)
          span.setAttribute('error.type', type)
          if (!isRefusal) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    active: () => trace.getSpan(active()),
    runBelow: (parent, work) => store.run(below(parent), work),
    parentIn: (incoming) => {
      const context = propagator.extract(ROOT_CONTEXT, incoming, api.defaultTextMapGetter)
      return trace.getSpanContext(context)
    },
    headersFor: (context) => {
      const outgoing: Record<string, string> = {}
      propagator.inject(context ? below(context) : active(), outgoing, api.defaultTextMapSetter)
      return outgoing
    },
    flagsFor: (traceId) => {
      const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.INTERNAL, {}, [])
      return decision === sdk.SamplingDecision.RECORD_AND_SAMPLED ? 1 : 0
    },
  }
  const shutdown = async (maxMs: number) => void (await withTimeout(provider.shutdown(), maxMs).catch(() => {}))
  return { tracer, shutdown }
}

/** The kind of an error, and whether it is a refusal that its caller can do something about. */
function describe(error: unknown): { type: string; isRefusal: boolean } {
  const { code, status, name } = (error ?? {}) as { code?: unknown; status?: unknown; name?: unknown }
  const type = [code, name].find((each) => typeof each === 'string' && each !== '') ?? '_OTHER'
  return { type: String(type), isRefusal: typeof status === 'number' && status < 500 }
}
