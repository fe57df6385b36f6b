import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const PAGE =
  '<!doctype html><title>Toll roads</title><article><h1>Toll roads</h1><p>Drivers pay at a gate.</p></article>'

/**
 * Serves one page on a free port of 127.0.0.1, so that a billed call needs none of the simulated
 * providers.
 */
export async function startPageServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((_req, res) => void res.writeHead(200, { 'content-type': 'text/html' }).end(PAGE))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop }
}
