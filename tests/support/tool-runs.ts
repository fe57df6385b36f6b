import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { AppError } from '../../server/errors'
import { startSandboxServer } from '../../server/sandbox/start'
import type { AnyTool } from '../../server/tools/define'
import { setToolSettings } from './tool-settings'

export type ToolRun = { result: Record<string, unknown>; accepted: boolean; spentUsd: number[] }

/** Parses and runs a tool without billing; its result must be valid under its own output schema. */
export async function runToolUnbilled(
  tool: AnyTool,
  params: unknown,
  signal = AbortSignal.timeout(10_000),
): Promise<ToolRun> {
  const ran: ToolRun = { result: {}, accepted: false, spentUsd: [] }
  const result = await tool.run(tool.params.parse(params) as never, {
    signal,
    ownerId: 1,
    onSent: () => {
      ran.accepted = true
    },
    spent: (costUsd) => {
      ran.spentUsd.push(costUsd)
    },
  })
  expect(tool.output.parse(result)).toEqual(result)
  ran.result = result as Record<string, unknown>
  return ran
}

/** What a run fails with: one of our errors, which names no secret. */
export async function toolFailureOf(run: Promise<unknown>): Promise<AppError> {
  const error: unknown = await run.then(
    () => expect.unreachable('it should have failed'),
    (e) => e,
  )
  if (!(error instanceof AppError)) throw error
  expect(error.message).not.toMatch(/a-secret|rapidapi|apify|token/i)
  return error
}

/** Points settings at a sandbox for a test file, whose address is handed to `settings`. */
export function withSandboxAt(settings: (url: string) => Record<string, unknown>): { url: () => string } {
  let sandbox: Awaited<ReturnType<typeof startSandboxServer>>
  beforeAll(async () => {
    sandbox = await startSandboxServer({ port: 0 })
    setToolSettings(settings(sandbox.url))
  })
  afterAll(() => sandbox.stop())
  return { url: () => sandbox.url }
}

export type ScriptedReply = { status?: number; headers?: Record<string, string>; body: unknown }

/**
 * A provider with scripted responses for a test file, whose settings point at it; `requests` are
 * those it received.
 */
export function withProviderAt(settings: (url: string) => Record<string, unknown>) {
  const requests: { method: string; url: URL; headers: IncomingMessage['headers']; body: string }[] = []
  let respond: (url: URL, method: string) => ScriptedReply | Promise<ScriptedReply> = () => ({ body: {} })
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    const url = new URL(req.url ?? '', 'http://provider')
    requests.push({ method: req.method ?? '', url, headers: req.headers, body })
    const reply = await respond(url, req.method ?? '')
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
    /** One reply to every request, or one made from its URL and method. */
    respondWith: (next: ScriptedReply | typeof respond) => {
      respond = typeof next === 'function' ? next : () => next
    },
  }
}
