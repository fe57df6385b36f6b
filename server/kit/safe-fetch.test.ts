import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { Readable } from 'node:stream'
import zlib, { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ResolveHost } from './resolve'
import { parseTarget, SafeFetchError, type SafeFetchOptions, safeFetch } from './safe-fetch'

let server: Server
let port: number
let seen: { host: string; url: string; method: string; headers: IncomingMessage['headers'] }[] = []
let lookups: string[] = []

const page = 'hello '.repeat(100)

const packed: Record<string, [string, Buffer]> = {
  '/gzip': ['gzip', gzipSync(page)],
  '/deflate': ['deflate', deflateSync(page)],
  '/deflate-raw': ['deflate', deflateRawSync(page)],
  '/br': ['br', brotliCompressSync(page)],
  '/zstd': ['zstd', zstdCompressSync(page)],
  '/twice': ['gzip, br', brotliCompressSync(gzipSync(page))],
  '/thrice': ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(page)))],
  '/gzip-cut': ['gzip', gzipSync(page).subarray(0, -6)],
  '/gzip-junk': ['gzip', Buffer.from('not gzip at all')],
  '/unknown': ['compress', Buffer.from('x')],
  '/bomb-gzip': ['gzip', gzipSync(Buffer.alloc(50_000_000))],
  '/bomb-br': ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
  '/bomb-zstd': ['zstd', zstdCompressSync(Buffer.alloc(50_000_000))],
  '/bomb-twice': ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(50_000_000)))],
}

function answer(req: IncomingMessage, res: ServerResponse): void {
  const url = new URL(req.url ?? '/', 'http://x')
  seen.push({ host: req.headers.host ?? '', url: req.url ?? '', method: req.method ?? '', headers: req.headers })
  const coded = packed[url.pathname]
  if (coded) return void res.writeHead(200, { 'content-encoding': coded[0] }).end(coded[1])
  if (url.pathname === '/to') {
    const status = Number(url.searchParams.get('status') ?? 302)
    return void res.writeHead(status, { location: url.searchParams.get('at') ?? '', 'set-cookie': 'a=b' }).end('moved')
  }
  if (url.pathname.startsWith('/loop')) {
    return void res.writeHead(302, { location: `/loop${Number(url.pathname.slice(5)) + 1}` }).end()
  }
  if (url.pathname === '/hang') return
  if (url.pathname === '/drip') {
    res.writeHead(200)
    const timer = setInterval(() => res.write('x'), 20)
    return void res.on('close', () => clearInterval(timer))
  }
  if (url.pathname === '/big') return void res.writeHead(200).end(Buffer.alloc(1_000_000))
  if (url.pathname === '/reset') return void req.socket.destroy()
  if (url.pathname === '/missing') return void res.writeHead(404).end('no such page')
  res.writeHead(200, { 'content-type': 'text/plain' }).end(page)
}

/** A test DNS: everything under .test is this machine; `public-then-private` changes its mind. */
const resolve: ResolveHost = async (hostname) => {
  lookups.push(hostname)
  if (hostname === 'nowhere.test') throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
  if (hostname === 'mixed.test') return ['8.8.8.8', '127.0.0.1'].map((address) => ({ address, family: 4 }))
  if (hostname === 'mapped.test') return [{ address: '::ffff:127.0.0.1', family: 6 }]
  if (hostname === 'stuck.test') return new Promise(() => {})
  return [{ address: '127.0.0.1', family: 4 }]
}

const options = (more: Partial<SafeFetchOptions> = {}): SafeFetchOptions => ({
  allow: [`ok.test:${port}`, `other.test:${port}`, `nowhere.test:${port}`, 'closed.test:9', `stuck.test:${port}`],
  resolve,
  signal: AbortSignal.timeout(60_000),
  maxBytes: 100_000,
  ...more,
})

const at = (path: string, host = 'ok.test') => `http://${host}:${port}${path}`
const fetchIt = (path: string, more?: Partial<SafeFetchOptions>) => safeFetch(at(path), options(more))

async function failure(promise: Promise<unknown>): Promise<SafeFetchError> {
  const error = await promise.then(
    () => expect.unreachable('it should have failed'),
    (e: unknown) => e,
  )
  if (!(error instanceof SafeFetchError)) throw error
  return error
}

beforeAll(async () => {
  server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('what is asked for', () => {
  it.each([
    'nonsense',
    'file:///etc/passwd',
    'ftp://example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://',
  ])('refuses %s as a URL', async (url) => {
    expect(await failure(safeFetch(url, options()))).toMatchObject({ kind: 'invalid_url', sent: false })
  })

  it('refuses credentials in a URL and does not repeat them', () => {
    expect(() => parseTarget('http://me:secret@ok.test/')).toThrow(/^A URL must not carry a user name or password\.$/)
  })

  it('fetches an allowed private host', async () => {
    const reply = await fetchIt('/page#part')
    expect(reply).toMatchObject({ status: 200, url: at('/page') })
    expect(reply.body.toString()).toBe(page)
  })

  it('answers an error status as it is', async () => {
    expect(await fetchIt('/missing')).toMatchObject({ status: 404 })
  })
})

describe('what is not public', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '127。0。0。1',
    'localhost',
    'private.test',
    'mixed.test',
    'mapped.test',
  ])('blocks %s before a byte goes out', async (host) => {
    seen = []
    const error = await failure(safeFetch(`http://${host}:${port}/`, options()))
    expect(error).toMatchObject({ kind: 'blocked', sent: false })
    expect(seen).toEqual([])
  })

  it('allows a host only on the port that was named', async () => {
    expect(await failure(safeFetch('http://ok.test:1/', options()))).toMatchObject({ kind: 'blocked', sent: false })
  })

  it('looks a name up once for a connection', async () => {
    lookups = []
    await fetchIt('/')
    expect(lookups).toEqual(['ok.test'])
  })

  it('tells an unknown name from a closed port', async () => {
    const nowhere = await failure(safeFetch(at('/', 'nowhere.test'), options()))
    expect(nowhere).toMatchObject({ kind: 'unresolved', sent: false })
    const closed = await failure(safeFetch('http://closed.test:9/', options()))
    expect(closed).toMatchObject({ kind: 'refused', sent: false })
  })
})

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('follows a %i, relative or absolute', async (status) => {
    expect(await fetchIt(`/to?status=${status}&at=/page`)).toMatchObject({ url: at('/page'), status: 200 })
    const absolute = encodeURIComponent(at('/page', 'other.test'))
    expect(await fetchIt(`/to?status=${status}&at=${absolute}`)).toMatchObject({ url: at('/page', 'other.test') })
  })

  it.each([
    'http://127.0.0.1:PORT/',
    'http://private.test:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'file:///etc/passwd',
  ])('stops at a redirect to %s, after something was sent', async (target) => {
    seen = []
    const error = await failure(fetchIt(`/to?at=${encodeURIComponent(target.replace('PORT', String(port)))}`))
    expect(error).toMatchObject({ kind: 'redirect_blocked', sent: true })
    expect(seen).toHaveLength(1)
  })

  it('stops at a redirect to a URL with a password', async () => {
    const target = encodeURIComponent(`http://a:b@ok.test:${port}/`)
    expect(await failure(fetchIt(`/to?at=${target}`))).toMatchObject({ kind: 'redirect_blocked', sent: true })
  })

  it('follows 5 and not 6', async () => {
    seen = []
    expect(await failure(fetchIt('/loop0'))).toMatchObject({ kind: 'too_many_redirects', sent: true })
    expect(seen).toHaveLength(6)
  })

  it('keeps credentials within the origin and off every other', async () => {
    const headers = { authorization: 'Bearer x', cookie: 'a=1', 'x-key': 'k', 'user-agent': 'test' }
    seen = []
    await fetchIt('/to?at=/page', { headers })
    expect(seen[1]?.headers).toMatchObject({ authorization: 'Bearer x', cookie: 'a=1', 'x-key': 'k' })
    seen = []
    await fetchIt(`/to?at=${encodeURIComponent(at('/page', 'other.test'))}`, { headers })
    expect(seen[1]?.headers).toMatchObject({ 'user-agent': 'test' })
    for (const name of ['authorization', 'cookie', 'x-key']) expect(seen[1]?.headers).not.toHaveProperty(name)
  })

  it('calls onSent once when something was sent, and not at all otherwise', async () => {
    let calls = 0
    const onSent = () => calls++
    await fetchIt(`/to?at=${encodeURIComponent(at('/page', 'other.test'))}`, { onSent })
    expect(calls).toBe(1)
    await failure(safeFetch(at('/', 'private.test'), options({ onSent })))
    expect(calls).toBe(1)
  })

  it('counts an unknown name behind a redirect as sent', async () => {
    const error = await failure(fetchIt(`/to?at=${encodeURIComponent(at('/', 'nowhere.test'))}`))
    expect(error).toMatchObject({ kind: 'unresolved', sent: true })
  })
})

const DECODERS = [zlib.Gunzip, zlib.BrotliDecompress, zlib.ZstdDecompress]

/** Counts the bytes that decoders unpack: other tests and the collector move a process's memory. */
function countUnpacked(): () => number {
  let bytes = 0
  const push = Readable.prototype.push
  vi.spyOn(Readable.prototype, 'push').mockImplementation(function (this: Readable, chunk, encoding) {
    if (DECODERS.some((decoder) => this instanceof decoder)) bytes += chunk?.length ?? 0
    return push.call(this, chunk, encoding)
  })
  return () => bytes
}

describe('size', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each(['/gzip', '/deflate', '/deflate-raw', '/br', '/zstd', '/twice', '/gzip-cut'])('unpacks %s', async (path) => {
    expect((await fetchIt(path)).body.toString()).toBe(page)
  })

  it.each(['/bomb-gzip', '/bomb-br', '/bomb-zstd', '/bomb-twice'])(
    'drops %s when it passes the limit',
    async (path) => {
      const unpacked = countUnpacked()
      expect(await failure(fetchIt(path, { maxBytes: 100_000 }))).toMatchObject({ kind: 'too_large', sent: true })
      // Of 50 MB: the limit, and what the decoders read ahead. Zero would mean that nothing counts.
      expect(unpacked()).toBeGreaterThan(100_000)
      expect(unpacked()).toBeLessThan(1_000_000)
    },
  )

  it('drops a plain body that passes the limit, and takes one that just fits', async () => {
    expect(await failure(fetchIt('/big'))).toMatchObject({ kind: 'too_large' })
    expect((await fetchIt('/big', { maxBytes: 1_000_000 })).body).toHaveLength(1_000_000)
  })

  it.each(['/gzip-junk', '/unknown', '/thrice'])('fails on %s', async (path) => {
    expect(await failure(fetchIt(path))).toMatchObject({ kind: 'failed', sent: true })
  })
})

describe('time', () => {
  it.each(['/hang', '/drip'])('gives %s up when the signal fires', async (path) => {
    const error = await failure(fetchIt(path, { signal: AbortSignal.timeout(150) }))
    expect(error).toMatchObject({ kind: 'timeout', sent: true })
  })

  it('gives a lookup up that never ends, with nothing sent', async () => {
    const error = await failure(safeFetch(at('/', 'stuck.test'), options({ signal: AbortSignal.timeout(150) })))
    expect(error).toMatchObject({ kind: 'timeout', sent: false })
  })

  it('tells a broken connection from a silent one', async () => {
    expect(await failure(fetchIt('/reset'))).toMatchObject({ kind: 'failed', sent: true })
  })

  it('counts a failed TLS handshake as sent', async () => {
    const plain = createTcpServer((socket) => socket.on('error', () => {}).end('no TLS here'))
    await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done))
    const { port: tlsPort } = plain.address() as AddressInfo
    const error = await failure(safeFetch(`https://ok.test:${tlsPort}/`, options({ allow: [`ok.test:${tlsPort}`] })))
    expect(error).toMatchObject({ kind: 'failed', sent: true })
    plain.close()
  })
})
