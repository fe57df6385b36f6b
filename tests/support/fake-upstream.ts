import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as SecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { env } from '../../server/env'
import { sandboxModels } from '../../server/models/sandbox-models'

export type UpstreamHandler = (req: IncomingMessage, res: ServerResponse) => void

/** One server-sent event of the upstream. */
export const sseEvent = (chunk: unknown): string =>
  `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`

/** A stream of these events, at once. */
export const streamEvents =
  (...chunks: unknown[]): UpstreamHandler =>
  (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' }).end(chunks.map(sseEvent).join(''))
  }

/** One piece of a stream: what a choice says, and why it ends. */
export const streamChunk = (delta: object, finish_reason: unknown = null, index = 0) => ({
  id: 'v1',
  object: 'chat.completion.chunk',
  model: 'upstream-name',
  choices: [{ index, delta, finish_reason }],
})

/** Has this process offer the models of an upstream, and the sandbox's; writes them to `file`. */
function useModelsAt(baseUrl: string, file: string): void {
  const ours = sandboxModels(`${env().SANDBOX_URL}/llm/v1`)
  const [first] = ours
  const embedding = ours.find(({ kind }) => kind === 'embedding')
  if (!first || !embedding) throw new Error('the sandbox has no models')
  const upstream = { api: 'chat' as const, baseUrl, apiKeyEnv: null, model: 'upstream-name' }
  const added = [
    { ...first, id: 'upstream/one', upstreams: [upstream] },
    { ...first, id: 'upstream/blind', vision: false, upstreams: [upstream] },
    { ...first, id: 'upstream/two', upstreams: [upstream, ...first.upstreams] },
    { ...embedding, id: 'upstream/embed', upstreams: [{ ...upstream, api: 'embeddings' }] },
    {
      ...embedding,
      id: 'upstream/embed-relay',
      upstreams: [{ ...upstream, api: 'embeddings' }, ...embedding.upstreams],
    },
  ]
  writeFileSync(file, JSON.stringify([...ours, ...added]))
  Object.assign(env(), { MODELS_FILE: file })
}

/**
 * Models of an upstream that the test scripts, for what the sandbox cannot do: `upstream/one`,
 * `upstream/blind`, which takes no images, and `upstream/embed`; and `upstream/two` and
 * `upstream/embed-relay`, which have the sandbox as their second upstream. They are in `file`, a
 * MODELS_FILE for other processes, beside the sandbox's models.
 */
export function withFakeUpstream(server: Server = createServer()): {
  play: (next: UpstreamHandler) => void
  calls: () => number
  file: string
} {
  let handle: UpstreamHandler = (_req, res) => void res.writeHead(500).end()
  let calls = 0
  server.on('request', (req, res) => {
    calls++
    handle(req, res)
  })
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-models-'))
  const file = path.join(folder, 'models.json')
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const protocol = server instanceof SecureServer ? 'https' : 'http'
    useModelsAt(`${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`, file)
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
  return {
    play: (next) => {
      handle = next
      calls = 0
    },
    calls: () => calls,
    file,
  }
}
