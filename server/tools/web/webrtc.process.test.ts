import { createSocket, type Socket } from 'node:dgram'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, isIPv4, type Server as TcpServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChromiumPool, makeChromiumPool } from './chromium'
import { findChromiumPath } from './find-chromium'

/**
 * Loopback, and this machine's own addresses where it has any: both are beyond what a page may
 * reach.
 */
const ADDRESSES = [
  '127.0.0.1',
  ...Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ address, internal }) => !internal && isIPv4(address))
    .map(({ address }) => address),
]

/**
 * Without the policy each sink receives about 60 packets in this time, the first after a few
 * milliseconds.
 */
const PAGE_MS = 3_000

/**
 * One port of an address that counts what it receives: UDP packets, and TCP connections that did
 * not use the proxy.
 */
type Sink = { udp: Socket; tcp: TcpServer; address: string; port: number; packets: number; connections: number }

async function openSink(address: string): Promise<Sink> {
  const udp = createSocket('udp4')
  await new Promise<void>((resolve) => udp.bind(0, address, resolve))
  const { port } = udp.address()
  const tcp = createTcpServer((socket) => {
    sink.connections++
    socket.destroy()
  })
  const sink = { udp, tcp, address, port, packets: 0, connections: 0 }
  udp.on('message', () => sink.packets++)
  await new Promise<void>((resolve, reject) => tcp.once('error', reject).listen(port, address, resolve))
  return sink
}

let sinks: Sink[]
let server: Server
let pool: ChromiumPool
let url: string

/**
 * Speaks to each sink in both ways a page can: as a STUN server, and as a remote candidate that two
 * connections of the page check with each other's credentials.
 */
const page = () => `<!doctype html><title>working</title><script>
const sinks = ${JSON.stringify(sinks.map(({ address, port }) => ({ address, port })))}
const configuration = { iceServers: sinks.flatMap(({ address, port }) => [
  { urls: 'stun:' + address + ':' + port },
  ...['udp', 'tcp'].map((transport) => (
    { urls: 'turn:' + address + ':' + port + '?transport=' + transport, username: 'u', credential: 'p' })),
]) }
const here = new RTCPeerConnection(configuration), there = new RTCPeerConnection(configuration)
const candidates = []
here.onicecandidate = ({ candidate }) => { if (candidate) candidates.push(candidate.candidate) }
here.createDataChannel('x')
;(async () => {
  await here.setLocalDescription(await here.createOffer())
  await there.setRemoteDescription(here.localDescription)
  await there.setLocalDescription(await there.createAnswer())
  await here.setRemoteDescription(there.localDescription)
  for (const { address, port } of sinks)
    for (const peer of [here, there])
      for (const [protocol, type] of [['udp', 'host'], ['tcp', 'host tcptype passive']])
        await peer.addIceCandidate({ sdpMid: '0', sdpMLineIndex: 0,
          candidate: 'candidate:1 1 ' + protocol + ' 2113937151 ' + address + ' ' + port + ' typ ' + type })
  setTimeout(() => { document.title = 'done: ' + candidates.length }, ${PAGE_MS})
})().catch((error) => { document.title = 'failed: ' + error })
</script>`

beforeAll(async () => {
  sinks = await Promise.all(ADDRESSES.map(openSink))
  server = createServer((_req, res) => res.setHeader('content-type', 'text/html').end(page()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  url = `http://page.test:${port}/`
  pool = makeChromiumPool(findChromiumPath(undefined) ?? 'no chromium', {
    allow: [`page.test:${port}`],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
})
afterAll(async () => {
  await pool.close()
  for (const { udp, tcp } of sinks) {
    udp.close()
    tcp.close()
  }
  server.closeAllConnections()
  server.close()
})

it('a page sends nothing through WebRTC, neither to loopback nor to an address of this machine', async () => {
  const options = { context: () => ({}), signal: AbortSignal.timeout(60_000), onReached: () => {}, ownerId: 1 }
  const title = await pool.visit(options, async ({ page }) => {
    await page.goto(url)
    await page.waitForFunction(() => document.title !== 'working')
    return page.title()
  })
  expect(title).toMatch(/^done/)
  expect(sinks.map(({ address, packets, connections }) => ({ address, packets, connections }))).toEqual(
    ADDRESSES.map((address) => ({ address, packets: 0, connections: 0 })),
  )
}, 90_000)
