import type { Attributes, Span, SpanContext } from '@opentelemetry/api'

export type SpanOptions = {
  name: string
  /** Of a request that came in, or of one that goes out; default: neither. */
  kind?: 'server' | 'client'
  attributes?: Attributes
  /** Default: the active span. */
  parent?: SpanContext
  /** Its id, where others had to know it before; without a parent also that of its trace. */
  ids?: Pick<SpanContext, 'traceId' | 'spanId'>
  startedAt?: Date
}

/** A span whose end its owner decides. */
export type OpenSpan = {
  span: Span
  /** Runs `work`, in which the span is the active one. */
  run: <T>(work: () => T) => T
  /** Ends it as failed, with the kind of error and nothing of its text. */
  fail: (error: unknown) => void
}

/** Headers by name, as they come in or go out. */
type HeaderRecord = Record<string, string | string[] | undefined>

/** What makes spans: `server/cli/tracing/open-telemetry.ts`, once it is loaded. */
export type Tracer = {
  open: (options: SpanOptions) => OpenSpan
  active: () => Span | undefined
  /** Runs `work`, in which spans are below `parent`. */
  runBelow: <T>(parent: SpanContext, work: () => T) => T
  /** The span of a caller, from its `traceparent` and `tracestate`. */
  parentIn: (headers: HeaderRecord) => SpanContext | undefined
  /** `traceparent` and `tracestate` of a span, or of the active one. */
  headersFor: (context?: SpanContext) => Record<string, string>
  /** The flags of a trace that begins with this id. */
  flagsFor: (traceId: string) => number
}

let tracer: Tracer | undefined

/** Turns tracing on in this process, or off. */
export const setTracer = (made: Tracer | undefined): void => {
  tracer = made
}

/** Undefined while tracing is off. */
export const currentTracer = (): Tracer | undefined => tracer

/** The active span; undefined outside of one, and while tracing is off. */
export const currentSpan = (): Span | undefined => tracer?.active()

/**
 * Runs `work` in a span that ends with it. While tracing is off, `work` is called and nothing else
 * happens: it gets no span, so `span?.setAttributes(…)` does not even make its attributes.
 */
export function withSpan<T>(options: string | SpanOptions, work: (span?: Span) => Promise<T>): Promise<T> {
  if (!tracer) return work()
  return runToEnd(tracer.open(typeof options === 'string' ? { name: options } : options), work)
}

async function runToEnd<T>({ span, run, fail }: OpenSpan, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    const result = await run(() => work(span))
    span.end()
    return result
  } catch (error) {
    fail(error)
    throw error
  }
}

/** The ids of the active span, for a log line; undefined outside of a span. */
export function activeTraceIds(): { trace_id: string; span_id: string } | undefined {
  const context = tracer?.active()?.spanContext()
  return context && { trace_id: context.traceId, span_id: context.spanId }
}

/** The `traceparent` of the active span, to be stored with work that goes on elsewhere. */
export const activeTraceparent = (): string | undefined => tracer?.active() && tracer.headersFor().traceparent
