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

/** Opens one where both protocols are free: the system gives a port for one of them only. */
async function openSink(address: string, triesLeft = 20): Promise<Sink> {
  const tcp = createTcpServer((socket) => {
    sink.connections++
    socket.destroy()
  })
  await new Promise<void>((resolve, reject) => tcp.once('error', reject).listen(0, address, resolve))
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp4')
  const sink = { udp, tcp, address, port, packets: 0, connections: 0 }
  try {
    await new Promise<void>((resolve, reject) => udp.once('error', reject).bind(port, address, resolve))
  } catch (error) {
    closeSink(sink)
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || triesLeft === 0) throw error
    return openSink(address, triesLeft - 1)
  }
  udp.on('message', () => sink.packets++)
  return sink
}

function closeSink({ udp, tcp }: Sink): void {
  udp.close()
  tcp.close()
}

let sinks: Sink[] = []
let server: Server | undefined
let pool: ChromiumPool | undefined
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
  const pages = createServer((_req, res) => res.setHeader('content-type', 'text/html').end(page()))
  server = pages
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  const { port } = pages.address() as AddressInfo
  url = `http://page.test:${port}/`
  pool = makeChromiumPool(findChromiumPath(process.env.CHROMIUM_PATH) ?? 'no chromium', {
    allow: [`page.test:${port}`],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
})
afterAll(async () => {
  await pool?.close()
  sinks.forEach(closeSink)
  server?.closeAllConnections()
  server?.close()
})

it('a page sends nothing through WebRTC, neither to loopback nor to an address of this machine', async () => {
  const options = { context: () => ({}), signal: AbortSignal.timeout(60_000), onReached: () => {}, ownerId: 1 }
  const title = await pool?.visit(options, async ({ page }) => {
    await page.goto(url)
    await page.waitForFunction(() => document.title !== 'working')
    return page.title()
  })
  expect(title).toMatch(/^done/)
  expect(sinks.map(({ address, packets, connections }) => ({ address, packets, connections }))).toEqual(
    ADDRESSES.map((address) => ({ address, packets: 0, connections: 0 })),
  )
})
