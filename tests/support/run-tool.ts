import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { startSandboxServer } from '../../server/sandbox/start'
import type { AnyTool } from '../../server/tools/define'

/**
 * Settings of a process without a database, whose providers are simulated by a sandbox of the test
 * file.
 */
export function withSandboxProviders(): void {
  let sandbox: Awaited<ReturnType<typeof startSandboxServer>>
  beforeAll(async () => {
    sandbox = await startSandboxServer({ port: 0 })
    vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/none')
    vi.stubEnv('AUTH_SECRET', 'a'.repeat(32))
    vi.stubEnv('UPSTREAMS', 'sandbox')
    vi.stubEnv('SANDBOX_URL', sandbox.url)
  })
  afterAll(() => sandbox.stop())
}

export type FakeResponse = { status?: number; headers?: Record<string, string>; body?: string }
type ReceivedRequest = { req: IncomingMessage; url: URL; body: string }

/**
 * A provider with scripted responses, in live mode: `settings` makes its variables from its
 * address. `requests` are those it received.
 */
export function withFakeProvider(
  settings: (url: string) => Record<string, string>,
  respond: (request: ReceivedRequest, nth: number) => FakeResponse,
): { requests: ReceivedRequest[] } {
  const requests: ReceivedRequest[] = []
  const server = createServer((req, res) => {
    let body = ''
    req.on('data', (chunk) => {
      body += chunk
    })
    req.on('end', () => {
      const one = { req, url: new URL(req.url ?? '', 'http://provider'), body }
      const { status = 200, headers = {}, body: text = '' } = respond(one, requests.push(one))
      res.writeHead(status, { 'content-type': 'application/json', ...headers })
      res.end(text)
    })
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/none')
    vi.stubEnv('AUTH_SECRET', 'a'.repeat(32))
    vi.stubEnv('UPSTREAMS', 'live')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const [name, value] of Object.entries(settings(url))) vi.stubEnv(name, value)
  })
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return { requests }
}

/**
 * One call of a tool without handlers and ledger. The result must be all that its output schema
 * declares, and no more.
 */
export async function toolResult(tool: AnyTool, params: unknown, signal = AbortSignal.timeout(15_000)) {
  const input = tool.params.parse(params) as never
  const result = await tool.run(input, { signal, onSent: () => {}, spent: () => {}, ownerId: 1 })
  expect(tool.output.parse(result)).toEqual(result)
  return result
}

/** Every page of a paged tool, first to last, by its cursor parameter. */
export async function allPages<T>(
  fetchPage: (cursor: string | undefined) => Promise<{ rows: T[]; nextCursor: string | null }>,
): Promise<T[][]> {
  const pages: T[][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    expect(pages.length, 'pages without end').toBeLessThan(100)
    const page: { rows: T[]; nextCursor: string | null } = await fetchPage(cursor)
    pages.push(page.rows)
    cursor = page.nextCursor
  }
  return pages
}
