import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStreams } from '../../server/kit/sse'
import { waitForCallsToEnd, withSandbox } from '../support/api'
import { CHAT_PATH } from '../support/chat'
import { expectUntouched } from '../support/ledger'
import { startListener, type TestListener } from '../support/listener'
import { makeCaller } from '../support/owners'
import { exchangeBytes, openSocket, parseRawResponse } from '../support/socket'

withSandbox()

let listener: TestListener
/** Hosts that pages were asked for. */
let hosts: (string | undefined)[] = []
beforeAll(async () => {
  listener = await startListener((req, res) => {
    hosts.push(req.headers.host)
    res.writeHead(200).end(`page ${req.url}`)
  })
})
afterAll(() => listener.stop())

const ask = (...lines: string[]) => exchangeBytes(listener.port, `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)

describe('a request without Host', () => {
  it.each(['/healthz', '/readyz', '/api/v1/catalog', '/api/v1/models', '/llms.txt', '/api/v1/openapi.json', '/docs'])(
    'for %s is served, as load balancers send it with HTTP/1.0, and with HTTP/1.1',
    async (path) => {
      for (const version of ['1.0', '1.1']) {
        const answer = await ask(`GET ${path} HTTP/${version}`)
        expect(answer.status, answer.text.slice(0, 300)).toBe(200)
        expect(answer.head).toContain('x-request-id')
        expect(answer.body.length).toBeGreaterThan(5)
      }
      const empty = await ask(`GET ${path} HTTP/1.1`, 'Host:')
      expect(empty.status, empty.text.slice(0, 300)).toBe(200)
    },
  )

  it('is answered without chunks in HTTP/1.0, as HEAD too', async () => {
    const answer = await ask('GET /healthz HTTP/1.0')
    expect(answer.head).not.toContain('transfer-encoding')
    expect(answer.body).toBe('{"status":"ok"}')
    expect((await ask('HEAD /healthz HTTP/1.0')).body).toBe('')
  })

  it('reaches a page as one for the public address', async () => {
    hosts = []
    await ask('GET /signin HTTP/1.0')
    expect(hosts).toEqual(['localhost:3000'])
  })

  it('is billed like any other', async () => {
    const { owner, key } = await makeCaller()
    const body = JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } })
    const answer = await exchangeBytes(
      listener.port,
      `POST /api/v1/query HTTP/1.0\r\nAuthorization: Bearer ${key.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    expect(answer.status, answer.text).toBe(200)
    expect(JSON.parse(answer.body)).toMatchObject({ service: { credits_charged: 3 } })
    expect(owner.id).toBeGreaterThan(0)
  })
})

describe('Host', () => {
  it('twice is 400, also where both agree', async () => {
    for (const second of ['localhost', 'evil.example']) {
      const answer = await ask('GET /healthz HTTP/1.1', 'Host: localhost', `Host: ${second}`)
      expect(answer.status).toBe(400)
      expect(answer.body).toContain('"code":"invalid_request"')
      expect(answer.head).toContain('x-request-id')
    }
  })

  it.each(['a b', 'evil.example/path', 'x@y', '[::1', 'a:99999', '\x7f'])(
    '%j is answered, and not by a 500',
    async (host) => {
      const answer = await ask('GET /api/v1/catalog HTTP/1.1', `Host: ${host}`)
      expect([200, 400], answer.text.slice(0, 200)).toContain(answer.status)
      if (answer.status === 400) expect(answer.body).toContain('"code":"invalid_request"')
    },
  )
})

describe('a request target', () => {
  it('in absolute form is the path in it, for the host in it', async () => {
    for (const host of ['localhost', 'proxied.example:8080']) {
      expect((await ask(`GET http://${host}/healthz HTTP/1.1`, 'Host: localhost')).body).toBe('{"status":"ok"}')
      expect((await ask(`GET HTTP://${host}/api/v1/catalog?x=1 HTTP/1.1`, 'Host: a')).status).toBe(400)
      hosts = []
      expect((await ask(`GET http://${host}/signin?a=b HTTP/1.1`, 'Host: other')).body).toContain(
        'page /signin?a=b\r\n',
      )
      expect(hosts).toEqual([host])
    }
    expect((await ask('GET http://localhost HTTP/1.1', 'Host: localhost')).body).toContain('page /\r\n')
  })

  it.each(['ftp://localhost/healthz', 'http://', 'http://[/healthz', 'localhost/healthz', 'javascript:1', '*'])(
    'such as %s is 400',
    async (target) => {
      const answer = await ask(`GET ${target} HTTP/1.1`, 'Host: localhost')
      expect(answer.status, answer.text.slice(0, 200)).toBe(400)
      expect(answer.body).toContain('"code":"invalid_request"')
    },
  )

  it('of OPTIONS may be the whole server', async () => {
    const answer = await ask('OPTIONS * HTTP/1.1', 'Host: localhost')
    expect(answer.status).toBeLessThan(500)
    expect(answer.head).toContain('allow')
  })

  it('of CONNECT is not dialled', async () => {
    const answer = await ask('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443')
    expect(answer.status).toBe(405)
    expect(answer.body).toContain('"code":"method_not_allowed"')
  })
})

describe('an offer to upgrade', () => {
  it.each(['h2c', 'websocket'])('to %s is not taken: the request is served', async (protocol) => {
    const { socket, text } = openSocket(listener.port)
    socket.write(
      `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\n\r\n`,
    )
    await expect.poll(text).toContain('{"status":"ok"}')
    socket.destroy()
    expect(parseRawResponse(text()).status).toBe(200)
  })
})

describe('Expect: 100-continue', () => {
  const body = JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } })
  const head = (path: string, key: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`

  it('is answered 100 when the handler reads, and then by the result', async () => {
    const { key } = await makeCaller()
    const { socket, text, closed } = openSocket(listener.port)
    socket.write(head('/api/v1/query', key.key, body.length))
    await expect.poll(text).toContain('HTTP/1.1 100 Continue')
    expect(text()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(body)
    await expect.poll(text).toContain('"credits_charged":3')
    socket.destroy()
    await closed
  })

  it.each([
    ['a key that is not valid', '/api/v1/query', 'x', 100, 401],
    ['a body over the limit', '/api/v1/query', null, 2_000_000, 413],
    ['a chat over the limit', CHAT_PATH, null, 30_000_000, 413],
    ['a path that does not exist', '/api/v1/nope', null, 100, 404],
    ['a page’s form over the limit', '/signin', null, 2_000_000, 413],
    ['sign-in over the limit', '/api/auth/callback/credentials', null, 2_000_000, 413],
  ])('with %s is refused before the body is sent', async (_name, path, given, length, status) => {
    const { owner, key } = await makeCaller(1_000, { llm: true })
    const { socket, text, closed } = openSocket(listener.port)
    socket.write(head(path, given ?? key.key, length))
    await closed
    const answer = parseRawResponse(text())
    expect(answer.status, answer.text).toBe(status)
    expect(answer.text).not.toContain('100 Continue')
    expect(answer.head).toContain('connection: close')
    await expectUntouched(owner)
  })

  it('of a client that does not wait is served once', async () => {
    const { key } = await makeCaller()
    const { socket, text } = openSocket(listener.port)
    socket.write(head('/api/v1/query', key.key, body.length) + body)
    await expect.poll(text).toContain('"credits_charged":3')
    socket.destroy()
    expect(text().match(/HTTP\/1\.1 200/g)).toHaveLength(1)
  })

  it('with another expectation is 417', async () => {
    expect((await ask('GET /healthz HTTP/1.1', 'Host: a', 'Expect: miracles')).status).toBe(417)
  })
})

describe('framing that two readers could read two ways', () => {
  const CASES: [string, string][] = [
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked'],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6'],
    ['a length that is a list', 'Content-Length: 5, 6'],
    ['a negative length', 'Content-Length: -1'],
    ['a length in hex', 'Content-Length: 0x5'],
    ['chunks that are not last', 'Transfer-Encoding: chunked, gzip'],
    ['chunks with a space before the colon', 'Transfer-Encoding : chunked'],
    ['a folded header', 'X-A: b\r\n c: d\r\nContent-Length: 5\r\nTransfer-Encoding: chunked'],
  ]
  it.each(CASES)('with %s is 400, and nothing behind it is served', async (_name, framing) => {
    const { owner, key } = await makeCaller()
    const hidden = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
    const answer = await exchangeBytes(
      listener.port,
      `POST /api/v1/query HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key.key}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n0\r\n\r\n${hidden}`,
    )
    expect(answer.status, answer.text).toBe(400)
    expect(answer.text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(answer.body).toContain('"code":"invalid_request"')
    await expectUntouched(owner)
  })
})

it('bytes that are not HTTP behind a stream do not break into it', async () => {
  const { key } = await makeCaller(100_000, { llm: true })
  const { socket, text, closed } = openSocket(listener.port)
  const body = JSON.stringify({
    model: 'northwind/gale-4',
    stream: true,
    messages: [{ role: 'user', content: 'Hello [[sandbox {"text": "one two three four", "chunkDelayMs": 300}]]' }],
  })
  socket.write(
    `POST ${CHAT_PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key.key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  await expect.poll(text).toContain('text/event-stream')
  socket.write('this is not HTTP\r\n\r\n')
  await closed
  expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  await waitForCallsToEnd()
  await expect.poll(() => openStreams.count).toBe(0)
})
