import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { type ClientTimeouts, createHttpServer, type InFlight } from '../../server/cli/web/http-server'

/**
 * The production listener inside the test process: every path of a handler is served, pages are
 * not.
 */
export type TestListener = {
  server: Server
  /** Where it listens, without a slash at the end. */
  url: string
  port: number
  inFlight: InFlight
  stop: () => Promise<void>
}

/** Starts one on a free port. What would go to Next gets `toNext`, by default an empty 404. */
export async function startListener(
  toNext: Parameters<typeof createHttpServer>[0] = noPages,
  timeouts: Partial<ClientTimeouts> = {},
): Promise<TestListener> {
  const inFlight: InFlight = { count: 0 }
  const server = createHttpServer(toNext, inFlight, timeouts)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { server, url: `http://127.0.0.1:${port}`, port, inFlight, stop }
}

const noPages: Parameters<typeof createHttpServer>[0] = (_req, res) => void res.writeHead(404).end()

let shared: Promise<TestListener> | undefined

/**
 * The listener of this test file, started at the first request and stopped by `stopSharedListener`.
 */
export const sharedListener = (): Promise<TestListener> => {
  shared ??= startListener()
  return shared
}

/** Lets a client of the test file's listener disconnect, and waits until the listener knows. */
export async function untilLeft(client: AbortController): Promise<void> {
  const { server } = await sharedListener()
  const connections = () =>
    new Promise<number>((resolve, reject) => {
      server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
    })
  const before = await connections()
  client.abort()
  await expect.poll(connections).toBeLessThan(before)
}

/** Stops the test file's listener where one was started. */
export async function stopSharedListener(): Promise<void> {
  const listener = await shared
  shared = undefined
  await listener?.stop()
}

/**
 * Sends a request for any host to the test file's listener instead, for clients that take a
 * `fetch`.
 */
export async function fetchFromListener(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const { method, headers, signal } = request
  const { pathname, search } = new URL(request.url)
  const { url } = await sharedListener()
  const hasBody = request.body !== null
  return fetch(url + pathname + search, {
    method,
    headers,
    signal,
    ...(hasBody && { body: await request.arrayBuffer() }),
  })
}
