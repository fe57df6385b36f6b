import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type FakeCollector, startFakeCollector } from '../../../tests/support/fake-collector'
import { withClientSpan } from '../../kit/tracing/http-spans'
import { activeTraceIds, activeTraceparent, currentTracer, setTracer, withSpan } from '../../kit/tracing/tracer'
import { loadTracer, type TracingSettings } from './open-telemetry'

let collector: FakeCollector
let shutdown = async () => {}

beforeEach(async () => {
  collector = await startFakeCollector()
})

afterEach(async () => {
  setTracer(undefined)
  await collector.close()
})

async function trace(sampler: Partial<TracingSettings['sampler']> = {}) {
  const loaded = await loadTracer({
    url: `${collector.url}/v1/traces`,
    headers: { 'x-token': 'abc' },
    resource: { 'service.name': 'toll' },
    sampler: { name: 'parentbased_always_on', ratio: 1, trustsCallers: false, ...sampler },
  })
  setTracer(loaded.tracer)
  shutdown = () => loaded.shutdown(10_000)
}

const callerWith = (flags: string) =>
  currentTracer()?.parentIn({
    traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-${flags}`,
    tracestate: 'other=1',
  })

const sampled = async (flags: string): Promise<number> => {
  await withSpan({ name: 'request', parent: callerWith(flags) }, async () => {})
  await shutdown()
  return collector.spans().length
}

describe('a span', () => {
  test('is sent with its process, the settings’ headers and the span around it', async () => {
    await trace()
    await withSpan('outer', (outer) =>
      withSpan('inner', async (inner) => {
        inner?.setAttribute('tollgate.credits.held', 7)
        expect(activeTraceIds()).toEqual({
          trace_id: outer?.spanContext().traceId,
          span_id: inner?.spanContext().spanId,
        })
      }),
    )
    await shutdown()
    const [inner, outer] = collector.spans()
    expect(inner).toMatchObject({
      name: 'inner',
      parentSpanId: outer?.spanId,
      attributes: { 'tollgate.credits.held': 7 },
    })
    expect(collector.resources()[0]).toMatchObject({ 'service.name': 'toll' })
    expect(collector.headers()[0]).toMatchObject({ 'x-token': 'abc' })
  })

  test('of what fails has the kind of its error, and nothing of the message', async () => {
    await trace()
    const failing = withSpan('work', async () => {
      throw Object.assign(new Error('secret text'), { code: 'upstream_error', status: 502 })
    })
    await expect(failing).rejects.toThrow('secret text')
    await shutdown()
    expect(collector.spans()[0]).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'upstream_error' } })
    expect(collector.text()).not.toContain('secret')
  })

  test('is continued at the host of a request, unless a stranger chose that', async () => {
    await trace()
    const sent: Record<string, string>[] = []
    const send = async (headers: Record<string, string>) => {
      sent.push(headers)
      return { statusCode: 200 }
    }
    await withSpan({ name: 'request', parent: callerWith('01') }, async () => {
      await withClientSpan({ method: 'GET', url: 'https://provider.example/find?q=secret' }, send)
      await withClientSpan({ method: 'GET', url: 'http://stranger.example', isForeign: true }, send)
    })
    await shutdown()
    const [provider] = collector.spans()
    expect(sent).toEqual([{ traceparent: `00-${provider?.traceId}-${provider?.spanId}-01`, tracestate: 'other=1' }, {}])
    expect(provider?.attributes).toMatchObject({ 'server.address': 'provider.example', 'server.port': 443 })
    expect(collector.text()).not.toContain('secret')
  })
})

describe('the flag of a caller', () => {
  test('does not keep a trace from being exported', async () => {
    await trace()
    expect(await sampled('00')).toBe(1)
  })

  test('does not have a trace exported', async () => {
    await trace({ name: 'parentbased_traceidratio', ratio: 0 })
    expect(await sampled('01')).toBe(0)
  })

  test.each([
    ['00', 0],
    ['01', 1],
  ])('decides where callers are trusted: %s', async (flags, exported) => {
    await trace({ name: 'parentbased_traceidratio', ratio: 0.5, trustsCallers: true })
    expect(await sampled(flags)).toBe(exported)
  })
})

test('while tracing is off, work is only called', async () => {
  const work = vi.fn(async () => 5)
  expect(await withSpan('work', work)).toBe(5)
  expect(work).toHaveBeenCalledWith()
  expect([activeTraceIds(), activeTraceparent(), currentTracer()]).toEqual([undefined, undefined, undefined])
})
