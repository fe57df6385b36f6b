import { afterAll, beforeAll } from 'vitest'
import { startTracing } from '../../server/cli/tracing/tracing'
import { env } from '../../server/env'
import { type ExportedSpan, type FakeCollector, startFakeCollector } from './fake-collector'
import { pollUntil } from './poll-until'

/** Traces what a test file does, to a collector of its own. */
export function withTracing(settings: Partial<ReturnType<typeof env>> = {}): () => FakeCollector {
  let collector: FakeCollector
  let stop = async () => {}
  beforeAll(async () => {
    collector = await startFakeCollector()
    Object.assign(env(), { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...settings })
    stop = await startTracing(env(), 'web')
  })
  afterAll(async () => {
    await stop()
    await collector.close()
  })
  return () => collector
}

/** The spans of a trace once one with such a name is among them. */
export async function spansOf(
  collector: FakeCollector,
  traceId: string,
  last: string | RegExp,
): Promise<ExportedSpan[]> {
  const mine = () => collector.spans().filter((span) => span.traceId === traceId)
  await pollUntil(`the span ${last}`, () =>
    mine().some(({ name }) => (typeof last === 'string' ? name === last : last.test(name))),
  )
  return mine()
}

/** The names from a span up to the first of its process, or to its caller. */
export function ancestry(spans: readonly ExportedSpan[], span: ExportedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [span.name, ...(parent ? ancestry(spans, parent) : [])]
}

/** The one span with a name. */
export function spanNamed(spans: readonly ExportedSpan[], name: string): ExportedSpan {
  const found = spans.filter((span) => span.name === name)
  if (found.length !== 1 || !found[0])
    throw new Error(`${found.length} spans are called ${name}: ${spans.map((span) => span.name).join(', ')}`)
  return found[0]
}
