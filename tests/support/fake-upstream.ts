import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { env } from '../../server/env'
import { sandboxModels } from '../../server/models/sandbox-models'

export type UpstreamHandler = (req: IncomingMessage, res: ServerResponse) => void

/** One event of an upstream's stream. */
export const sseEvent = (chunk: unknown): string =>
  `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`

/** Sends these events at once. */
export const streamEvents =
  (...chunks: unknown[]): UpstreamHandler =>
  (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' }).end(chunks.map(sseEvent).join(''))
  }

/** One chunk of a stream: the delta of a choice, and why it ends. */
export const streamChunk = (delta: object, finish_reason: unknown = null, index = 0) => ({
  id: 'v1',
  object: 'chat.completion.chunk',
  model: 'upstream-name',
  choices: [{ index, delta, finish_reason }],
})

/**
 * Two models with an upstream whose responses a test writes, for what no script of the sandbox can
 * express: `fake/one`, and `fake/two`, which has the sandbox as its second upstream. `file` lists
 * them after the sandbox's models, as a MODELS_FILE for other processes too.
 */
export function withFakeUpstream(): {
  respondWith: (next: UpstreamHandler) => void
  requestCount: () => number
  file: string
} {
  let handle: UpstreamHandler = (_req, res) => void res.writeHead(500).end()
  let requestCount = 0
  const server = createServer((req, res) => {
    requestCount++
    handle(req, res)
  })
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-models-'))
  const file = path.join(folder, 'models.json')
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const sandboxed = sandboxModels(`${env().SANDBOX_URL}/llm/v1`)
    const [first] = sandboxed
    if (!first) throw new Error('the sandbox has no models')
    const upstream = { api: 'chat' as const, baseUrl, apiKeyEnv: null, model: 'upstream-name' }
    const added = [
      { ...first, id: 'fake/one', upstreams: [upstream] },
      { ...first, id: 'fake/two', upstreams: [upstream, ...first.upstreams] },
    ]
    writeFileSync(file, JSON.stringify([...sandboxed, ...added]))
    Object.assign(env(), { MODELS_FILE: file })
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
  return {
    respondWith: (next) => {
      handle = next
      requestCount = 0
    },
    requestCount: () => requestCount,
    file,
  }
}
