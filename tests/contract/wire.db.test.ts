import type { Server } from 'node:http'
import { request } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpServer, type InFlight } from '../../server/cli/web/http-server'
import { withSandbox } from '../support/api'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { makeCaller } from '../support/owners'

const sandbox = withSandbox()
const inFlight: InFlight = { count: 0 }
let server: Server
let port: number

beforeAll(async () => {
  server = createHttpServer((_req, res) => void res.writeHead(200).end('next'), inFlight)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/**
 * Sends bytes as they are and answers everything that came back until the server hung up, or this
 * side did after `ms`.
 */
const raw = (bytes: string, ms = 60_000) =>
  new Promise<string>((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(text)
    }
    const timer = setTimeout(end, ms)
    socket.on('data', (data) => {
      text += data
    })
    socket.on('close', end)
    socket.on('error', end)
  })

const statusOf = (answer: string) => Number(answer.match(/^HTTP\/1\.1 (\d+)/)?.[1])
const get = (path: string, headers = '') =>
  raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`)
const post = (key: string, body: string, headers = `Content-Length: ${Buffer.byteLength(body)}\r\n`, ms?: number) =>
  raw(
    `POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${headers}\r\n${body}`,
    ms,
  )
const asked = JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } })

describe('paths', () => {
  it('lead to handlers, and to Next where there is no handler', async () => {
    expect(statusOf(await get('/api/v1/catalog'))).toBe(200)
    expect(await get('/healthz')).toContain('"ok"')
    expect(await get('/healthz?x=1')).toContain('"ok"')
    expect(await get('/')).toContain('next')
    expect(await get('/healthzz', 'Accept: text/html\r\n')).toContain('next')
  })

  it.each([
    '/files/../keys',
    '/api/v1/../../',
    '/api/v1/..',
    '/files/%2e%2e/keys',
    '/api/v1/%2e%2e/%2e%2e/',
    '/files/./../x',
  ])('that climb out of a mount, as in %s, are served all the same', async (path) => {
    const answer = await get(path)
    expect([200, 400, 404], answer.slice(0, 300)).toContain(statusOf(answer))
    expect(answer).not.toMatch(/at .*\.ts|TypeError/)
  })

  it.each(['//evil.example/api/v1/catalog', '/api/v1//catalog', '/api/v1/%', '/api/v1/\\..\\x', '*'])(
    'as odd as %s are answered',
    async (path) => {
      const answer = await get(path)
      expect(statusOf(answer), answer.slice(0, 200)).toBeLessThan(500)
    },
  )
})

describe('bodies', () => {
  it('over the limit by their Content-Length are 413 before they were sent', async () => {
    const { owner, key } = await makeCaller()
    const answer = await post(key.key, '{', 'Content-Length: 99000000\r\n')
    expect(statusOf(answer)).toBe(413)
    expect(answer).toContain('"payload_too_large"')
    await expectUntouched(owner)
  })

  it('in chunks that pass the limit are 413', async () => {
    const { key } = await makeCaller()
    const chunk = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`
    const answer = await post(key.key, `${chunk.repeat(20)}0\r\n\r\n`, 'Transfer-Encoding: chunked\r\n')
    expect(statusOf(answer)).toBe(413)
  })

  it('in chunks are read like any other', async () => {
    const { key } = await makeCaller()
    const chunks = [...asked].map((c) => `1\r\n${c}\r\n`).join('')
    expect(statusOf(await post(key.key, `${chunks}0\r\n\r\n`, 'Transfer-Encoding: chunked\r\n'))).toBe(200)
  })

  it('with two lengths, or a length and chunks, are refused', async () => {
    const { owner, key } = await makeCaller()
    const length = `Content-Length: ${asked.length}\r\n`
    expect(statusOf(await post(key.key, asked, `${length}Content-Length: 5\r\n`))).toBe(400)
    expect(statusOf(await post(key.key, asked, `${length}Transfer-Encoding: chunked\r\n`))).toBe(400)
    await expectUntouched(owner)
  })
})

describe('bytes that are no HTTP', () => {
  it('are refused in our envelope', async () => {
    const answer = await raw('hello\r\n\r\n')
    expect(statusOf(answer)).toBe(400)
    expect(answer).toContain('"code":"invalid_request"')
  })

  it('and headers that are too large', async () => {
    const answer = await get('/healthz', `X-Large: ${'x'.repeat(40_000)}\r\n`)
    expect(statusOf(answer)).toBe(431)
    expect(answer).toContain('"payload_too_large"')
  })
})

describe('a caller who hangs up', () => {
  it('while the provider works is charged: the call goes on to its end, and a shutdown would wait for it', async () => {
    const { owner, key } = await makeCaller()
    const body = JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin', 'sandbox-slow'] } })
    const call = request({
      port,
      host: '127.0.0.1',
      path: '/api/v1/query',
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
    })
    call.on('error', () => {})
    call.end(body)
    await expect.poll(sandbox.calls).toBe(1)
    call.destroy()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(inFlight.count).toBe(1)
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 3, charged: 0 })
    await sandbox.hurry()
    await expect.poll(() => inFlight.count).toBe(0)
    expect(await readOwnerMoney(owner)).toEqual({ available: 997, held: 0, charged: 3, receipts: 1, holds: 0 })
  })

  it('in the middle of the body pays nothing', async () => {
    const { owner, key } = await makeCaller()
    await post(key.key, asked.slice(0, 10), `Content-Length: ${asked.length}\r\n`, 1_000)
    await expect.poll(() => inFlight.count).toBe(0)
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner)
  })
})
