import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { drainServer } from './drain'

const CLIENTS = 40

/** Connects all clients, which send their requests at once, and says by a file when they have. */
const CLIENT_PROCESS = `
  const [port, clients, file] = process.argv.slice(1)
  let connected = 0
  const seen = { answered: 0, cut: 0 }
  for (let i = 0; i < clients; i++) {
    const socket = require('node:net').connect(port, '127.0.0.1', () => {
      if (++connected == clients) require('node:fs').writeFileSync(file, '')
    })
    socket.write('GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n')
    let text = ''
    socket.on('data', (data) => (text += data)).on('error', () => {})
    socket.on('close', () => {
      seen[text.endsWith('whole') ? 'answered' : 'cut']++
      if (seen.answered + seen.cut == clients) process.stdout.write(JSON.stringify(seen))
    })
  }`

/** Nothing is accepted meanwhile, as on a loop that has much to do. */
function blockUntil(isOver: () => boolean): void {
  const never = new Int32Array(new SharedArrayBuffer(4))
  while (!isOver()) Atomics.wait(never, 0, 0, 20)
}

it('a listener that closes accepts the connections that wait, and answers them', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-drain-'))
  const allConnected = path.join(folder, 'connected')
  const server = createServer((_req, res) => res.end('whole'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const hurry = new AbortController().signal
  const draining = drainServer({ server, inFlight: { count: 0 }, open: new Set(), delayMs: 50, hurry })
  const clients = spawn(process.execPath, ['-e', CLIENT_PROCESS, String(port), String(CLIENTS), allConnected], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const endsAt = Date.now() + 50
  blockUntil(() => existsSync(allConnected) && Date.now() > endsAt)
  expect(JSON.parse(await text(clients.stdout))).toEqual({ answered: CLIENTS, cut: 0 })
  expect(await draining).toBe(true)
  rmSync(folder, { recursive: true })
})
