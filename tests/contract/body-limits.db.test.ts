import type { Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { restOperations } from '../../server/api/operations'
import { MOUNTS } from '../../server/http/mounts'
import { send, withSandbox } from '../support/api'
import { CHAT_PATH } from '../support/chat'
import { expectUntouched } from '../support/ledger'
import { startListener, type TestListener } from '../support/listener'
import { makeCaller } from '../support/owners'
import { floodBody, openSocket, parseRawResponse } from '../support/socket'
import { filesBelow } from '../support/source-imports'

withSandbox()

const MIB = 1024 * 1024
const FLOOD = 64 * MIB

let listener: TestListener
/** Connections to the listener, with the bytes it has read from each. */
const sockets = new Map<number | undefined, Socket>()
/** Bytes of bodies that reached Next. */
let reachedNext = 0

beforeAll(async () => {
  listener = await startListener((req, res) => {
    req.on('data', (chunk) => {
      reachedNext += chunk.length
    })
    req.on('end', () => res.writeHead(404).end('no page'))
  })
  listener.server.on('connection', (socket) => sockets.set(socket.remotePort, socket))
})
beforeEach(() => {
  sockets.clear()
  reachedNext = 0
})
afterAll(() => listener.stop())

const routeFiles = filesBelow('app').filter((file) => /\/(route\.ts|page\.tsx)$/.test(file))

/**
 * Every path that is served: the table of handlers, the operations behind it, the route and page
 * files, and none of them.
 */
const PATHS = [
  ...new Set([
    ...MOUNTS.map(([at]) => at.replaceAll('*', 'x')),
    ...restOperations().map(({ openapi }) => `/api/v1${openapi.path}`.replaceAll(/\{\w+\}/g, 'x')),
    ...routeFiles.map((file) =>
      file
        .replace(/^app|\/(route\.ts|page\.tsx)$/g, '')
        .replace(/\/\([^)]+\)/g, '')
        .replace(/\/\[[^\]]+\](?=\/|$)/g, '/x'),
    ),
    '/',
    '/unknown',
    '/api/unknown',
    '/api/v1/unknown',
    '/_next/image',
    '/_next/static/x.js',
    '/.well-known/oauth-authorization-server',
    '/favicon.ico',
  ]),
].map((path) => path || '/')

/** The largest body that a path may take, bytes. */
const limitOf = (path: string) =>
  /^\/api\/(v1\/(chat|responses|messages|embeddings|agent$|agent\/schedules)|playground)/.test(path) ? 20 * MIB : MIB

const headOf = (method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${more}`

type Flood = { method: string; path: string; isChunked: boolean; more?: string }

/**
 * Offers a path 64 MiB of body. Returns its answer, with the bytes that the listener read from the
 * connection.
 */
async function flood({ method, path, isChunked, more }: Flood) {
  const { localPort, answer } = await floodBody(listener.port, headOf(method, path, more), { total: FLOOD, isChunked })
  const bytesRead = sockets.get(localPort)?.bytesRead ?? Number.NaN
  return { ...answer, bytesRead, what: `${method} ${path}: ${answer.text.slice(0, 300)}` }
}

/** Sends these, some at a time, and checks that each is refused early. */
async function expectRefused(floods: readonly Flood[]): Promise<void> {
  const left = [...floods]
  const floodNext = async (): Promise<void> => {
    const given = left.pop()
    if (given === undefined) return
    const { what, status, head, bytesRead } = await flood(given)
    expect(status, what).toBeGreaterThanOrEqual(given.method === 'GET' ? 200 : 400)
    // Whether it is ready is not about the body: a busy database says that it is not.
    if (given.path !== '/readyz') expect(status, what).toBeLessThan(500)
    expect(head, what).toContain('connection: close')
    expect(head, what).toContain('x-request-id')
    expect(bytesRead, what).toBeLessThan(limitOf(given.path) + MIB)
    return floodNext()
  }
  await Promise.all(Array.from({ length: 64 }, floodNext))
}

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'OPTIONS']

describe.each([
  ['chunked', true],
  ['with Content-Length', false],
])('a body of 64 MiB, %s, is refused before it is read', (_name, isChunked) => {
  it('at every path, whatever the method', async () => {
    await expectRefused(METHODS.flatMap((method) => PATHS.map((path) => ({ method, path, isChunked }))))
    expect(reachedNext).toBe(0)
  })

  it('at every path of the API with a valid key', async () => {
    const { key } = await makeCaller(1_000, { llm: true, agent: true })
    const more = `Authorization: Bearer ${key.key}\r\n`
    const paths = PATHS.filter((path) => path.startsWith('/api/'))
    await expectRefused(paths.map((path) => ({ method: 'POST', path, isChunked, more })))
  })
})

describe('413', () => {
  it.each([
    ['/api/auth/callback/credentials', 'sign-in'],
    ['/', 'a page'],
  ])('is the answer at %s, %s, chunked or not', async (path) => {
    for (const isChunked of [true, false]) {
      const answer = await flood({ method: 'POST', path, isChunked })
      expect(answer.status, answer.text.slice(0, 300)).toBe(413)
      expect(answer.text).toMatch(/payload_too_large|PAYLOAD_TOO_LARGE/i)
    }
  })

  it('uses the envelope of chat at its path', async () => {
    const { key } = await makeCaller(1_000, { llm: true })
    for (const isChunked of [true, false]) {
      const more = `Authorization: Bearer ${key.key}\r\n`
      const answer = await flood({ method: 'POST', path: CHAT_PATH, isChunked, more })
      expect(answer.status).toBe(413)
      expect(answer.body).toContain('"type":"invalid_request_error"')
    }
  })
})

describe('a body within the limit', () => {
  it.each(['chunked', 'with Content-Length'])(
    '%s reaches a page as a whole, and the connection stays open',
    async (how) => {
      const size = MIB - 10
      const body = 'x'.repeat(size)
      const framed = how === 'chunked' ? `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body
      const length = how === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${size}`
      const { socket, text } = openSocket(listener.port)
      socket.write(`${headOf('POST', '/signin')}${length}\r\n\r\n${framed}${headOf('GET', '/healthz')}\r\n`)
      await expect.poll(text).toContain('{"status":"ok"}')
      socket.destroy()
      expect(parseRawResponse(text())).toMatchObject({ status: 404 })
      expect(text()).toContain('no page')
      expect(reachedNext).toBe(size)
    },
  )

  it('that a handler refuses unread leaves the connection open', async () => {
    const { socket, text } = openSocket(listener.port)
    const body = JSON.stringify({ tool: 'x' })
    const post = `${headOf('POST', '/api/v1/query')}Content-Length: ${body.length}\r\n\r\n${body}`
    socket.write(`${post}${post}${headOf('GET', '/healthz', 'Connection: close\r\n')}\r\n`)
    await expect.poll(text).toContain('{"status":"ok"}')
    expect(text().match(/HTTP\/1\.1 401/g)).toHaveLength(2)
    socket.destroy()
  })
})

it('what follows a body that was not read is not served', async () => {
  const { key, owner } = await makeCaller()
  const asked = JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } })
  const hidden = `${headOf('POST', '/api/v1/query', `Authorization: Bearer ${key.key}\r\n`)}Content-Length: ${asked.length}\r\n\r\n${asked}`
  const { socket, text, closed } = openSocket(listener.port)
  socket.write(`${headOf('POST', '/api/v1/query')}Content-Length: 1000\r\n\r\n{`)
  await expect.poll(text).toContain('unauthorized')
  socket.write(' '.repeat(999) + hidden)
  await closed
  expect(text().match(/HTTP\/1\.1/g)).toHaveLength(1)
  expect((await send('/api/v1/usage', { key: key.key })).body.rows).toEqual([])
  await expectUntouched(owner)
})

it('forty floods at once are hardly read, so that memory holds none of them', async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      floodBody(listener.port, headOf('POST', PATHS[i % PATHS.length] ?? '/'), {
        total: FLOOD,
        isChunked: i % 2 === 0,
      }),
    ),
  )
  expect(sockets.size).toBe(40)
  const bytesRead = [...sockets.values()].reduce((sum, socket) => sum + socket.bytesRead, 0)
  // 40 × 64 MiB were offered.
  expect(bytesRead).toBeLessThan(40 * 2 * MIB)
})
