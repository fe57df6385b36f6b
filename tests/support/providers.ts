import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import { startSandboxServer } from '../../server/sandbox/start'
import { setToolSettings } from './tool-settings'

/** Simulates every provider in a sandbox of the test file. */
export function withSandboxProviders(): { url: () => string } {
  let sandbox: Awaited<ReturnType<typeof startSandboxServer>>
  beforeAll(async () => {
    sandbox = await startSandboxServer({ port: 0 })
    vi.stubEnv('SANDBOX_URL', sandbox.url)
  })
  afterAll(() => sandbox.stop())
  return { url: () => sandbox.url }
}

export type ScriptedReply = { status?: number; headers?: Record<string, string>; body?: unknown }
type ReceivedRequest = { method: string; url: URL; headers: IncomingMessage['headers']; body: string }
type Responder = (request: ReceivedRequest) => ScriptedReply | Promise<ScriptedReply>

/**
 * A provider with scripted responses for a test file, whose settings point at it. `requests` are
 * those it received in a test; a body that is not a string is sent as JSON.
 */
export function withProviderAt(
  settings: (url: string) => Record<string, unknown>,
  responder: Responder = () => ({ body: {} }),
) {
  const requests: ReceivedRequest[] = []
  let respond = responder
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    const { method = '', headers } = req
    const request = { method, url: new URL(req.url ?? '', 'http://provider'), headers, body }
    requests.push(request)
    const reply = await respond(request)
    res.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    res.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
  })
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    setToolSettings(settings(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
  beforeEach(() => {
    requests.length = 0
  })
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    requests,
    /** One reply to every request, or one made from the request. */
    respondWith: (next: ScriptedReply | Responder) => {
      respond = typeof next === 'function' ? next : () => next
    },
  }
}
