// Tracing in the processes that operators run: what reaches a collector, and what is loaded.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { withSandbox } from '../support/api'
import { type FakeCollector, startFakeCollector } from '../support/fake-collector'
import { killGroup, startNpmCommand } from '../support/npm-process'
import { makeCaller } from '../support/owners'
import { ancestry, spanNamed } from '../support/traced'

withSandbox()

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-modules-'))
const hook = pathToFileURL(path.join(PROJECT_ROOT, 'tests/support/note-modules.mjs')).href
let collector: FakeCollector
beforeAll(async () => {
  collector = await startFakeCollector()
})
afterAll(async () => {
  await collector.close()
  rmSync(folder, { recursive: true })
})

/**
 * The files of dist/ into which the build has put OpenTelemetry, by their source maps. The copy of
 * one of its enumerations inside another package does not count.
 */
function tracingParts(): string[] {
  const dist = path.join(PROJECT_ROOT, 'dist')
  const sourcesOf = (map: string) =>
    (JSON.parse(readFileSync(path.join(dist, map), 'utf8')) as { sources: string[] }).sources
  const maps = readdirSync(dist).filter((file) => file.startsWith('part-') && file.endsWith('.js.map'))
  return maps
    .filter((map) => sourcesOf(map).some((source) => /^[./]*node_modules\/@opentelemetry\//.test(source)))
    .map((map) => pathToFileURL(path.join(dist, map.slice(0, -'.map'.length))).href)
}

/** Starts `npm start`, sends it a call of a trace, ends it, and says what its processes loaded. */
async function callAndStop(name: string, settings: Record<string, string>) {
  const file = path.join(folder, name)
  const { key } = await makeCaller()
  const web = await startNpmCommand('web', { ...settings, NODE_OPTIONS: `--import ${hook}`, NOTE_MODULES: file })
  try {
    const traceId = randomBytes(16).toString('hex')
    const answer = await fetch(`${web.url}/api/v1/query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key.key}`,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      },
      body: JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } }),
    })
    await answer.text()
    web.npm.kill('SIGTERM')
    const code = await web.ended
    const loaded = new Set(readFileSync(file, 'utf8').split('\n'))
    return {
      traceId,
      status: answer.status,
      code,
      log: web.log(),
      loaded: tracingParts().filter((url) => loaded.has(url)),
    }
  } finally {
    killGroup(web)
  }
}

describe('npm start', () => {
  it('has sent every span of a call when it has ended, where a collector is named', async () => {
    const { traceId, status, code, log, loaded } = await callAndStop('on', {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    })
    expect([status, code], log).toEqual([200, 0])
    const spans = collector.spans().filter((span) => span.traceId === traceId)
    expect(spanNamed(spans, 'POST /api/v1/query').parentSpanId).toBe('00f067aa0ba902b7')
    for (const name of ['authenticate', 'reserve', 'execute_tool crypto_get_prices', 'settle'])
      expect(ancestry(spans, spanNamed(spans, name))).toEqual([name, 'POST /api/v1/query'])
    expect(collector.resources()[0]).toMatchObject({ 'service.name': 'tollgate', 'tollgate.process': 'web' })
    expect(loaded).not.toEqual([])
  })

  it('loads nothing of OpenTelemetry where none is', async () => {
    const { status, code, log, loaded } = await callAndStop('off', {})
    expect([status, code], log).toEqual([200, 0])
    expect(loaded).toEqual([])
  })
})
