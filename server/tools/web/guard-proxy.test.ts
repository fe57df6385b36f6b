import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ResolveHost } from '../../kit/resolve'
import { FAILURE_HEADER, GREETING_URL, type GuardProxy, type ProxySession, startGuardProxy } from './guard-proxy'

let target: Server
let port: number
let proxy: GuardProxy
let session: ProxySession
let seen: IncomingMessage[] = []

let answers: string[] = []
const resolve: ResolveHost = async (hostname) => {
  if (hostname === 'nowhere.test') throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
  if (hostname === 'rebind.test') return [{ address: answers.shift() ?? '127.0.0.1', family: 4 }]
  return [{ address: '127.0.0.1', family: 4 }]
}

const basic = (user: { username: string; password: string }) =>
  `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`

type Answer = { status: number; headers: IncomingMessage['headers']; body: string }

const ask = (
  path: string,
  headers: Record<string, string> = { 'proxy-authorization': basic(session) },
  body?: string,
) =>
  new Promise<Answer>((done, fail) => {
    const { port: via } = new URL(proxy.url)
    const out = request({ host: '127.0.0.1', port: via, path, headers, method: body ? 'POST' : 'GET' }, (res) => {
      let text = ''
      res.on('data', (chunk) => {
        text += chunk
      })
      res.on('end', () => done({ status: res.statusCode ?? 0, headers: res.headers, body: text }))
    })
    out.on('error', fail).end(body)
  })

/** Sends a CONNECT, then `then` through the tunnel; everything that came back. */
const tunnel = (authority: string, auth: string | null, then = '') =>
  new Promise<string>((done, fail) => {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      const opened = text === '' && /^HTTP\/1.1 200/.test(String(chunk))
      text += chunk
      if (opened) socket.write(then)
    })
    socket.on('close', () => done(text)).on('error', fail)
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n`)
    socket.write(`${auth ? `proxy-authorization: ${auth}\r\n` : ''}\r\n`)
  })

beforeAll(async () => {
  target = createServer((req, res) => {
    seen.push(req)
    req.pipe(res.setHeader('set-cookie', ['a=1', 'b=2']).setHeader('x-path', req.url ?? ''))
  })
  await new Promise<void>((done) => target.listen(0, '127.0.0.1', done))
  port = (target.address() as AddressInfo).port
  proxy = await startGuardProxy({ allow: [`ok.test:${port}`, `nowhere.test:${port}`, 'ok.test:9'], resolve })
})
beforeEach(() => {
  seen = []
  session = proxy.open()
})
afterAll(async () => {
  await proxy.close()
  target.closeAllConnections()
  target.close()
})

describe('who may use it', () => {
  it('nobody without the credentials of an open session', async () => {
    const url = `http://ok.test:${port}/`
    const wrong = { ...session, password: 'x'.repeat(session.password.length) }
    for (const headers of [{}, { 'proxy-authorization': basic(wrong) }, { 'proxy-authorization': 'Basic Og==' }]) {
      const reply = await ask(url, headers as Record<string, string>)
      expect(reply).toMatchObject({ status: 407, headers: { 'proxy-authenticate': 'Basic realm="guard"' } })
    }
    expect(await tunnel(`ok.test:${port}`, null)).toMatch(/^HTTP\/1.1 407 /)
    session.close()
    expect((await ask(url)).status).toBe(407)
    expect(seen).toEqual([])
  })

  it('greets a session without going anywhere', async () => {
    expect((await ask(GREETING_URL)).status).toBe(200)
    expect(session.reached).toBe(0)
  })
})

describe('a plain request', () => {
  it('passes body, status and repeated headers, but not what is meant for the proxy', async () => {
    const headers = { 'proxy-authorization': basic(session), 'proxy-connection': 'keep-alive', 'x-mine': 'yes' }
    const reply = await ask(`http://ok.test:${port}/a%20b?c=d`, headers, 'echo')
    expect(reply).toMatchObject({
      status: 200,
      body: 'echo',
      headers: { 'x-path': '/a%20b?c=d', 'set-cookie': ['a=1', 'b=2'] },
    })
    expect(seen[0]?.headers).toMatchObject({ host: `ok.test:${port}`, 'x-mine': 'yes' })
    expect(seen[0]?.headers).not.toHaveProperty('proxy-authorization')
    expect(session.reached).toBe(1)
  })

  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'private.test', '0x7f.1'])(
    'to %s is 403 and noted',
    async (host) => {
      expect(await ask(`http://${host}:${port}/`)).toMatchObject({
        status: 403,
        headers: { [FAILURE_HEADER]: 'blocked' },
      })
      expect([...session.failures.values()]).toEqual(['blocked'])
      expect({ reached: session.reached, seen }).toEqual({ reached: 0, seen: [] })
    },
  )

  it('to a name that changes its mind is blocked at the connection that would have gone inside', async () => {
    answers = ['127.0.0.1', '10.0.0.1']
    expect((await ask(`http://rebind.test:${port}/`)).status).toBe(403)
    expect((await ask(`http://rebind.test:${port}/`)).status).toBe(403)
    expect(answers).toEqual([])
  })

  it('tells an unknown name from a closed port', async () => {
    expect((await ask(`http://nowhere.test:${port}/`)).status).toBe(502)
    expect((await ask('http://ok.test:9/')).status).toBe(502)
    expect([...session.failures]).toEqual([
      [`nowhere.test:${port}`, 'unresolved'],
      ['ok.test:9', 'refused'],
    ])
  })

  it.each(['/relative', 'ftp://ok.test/', 'https://ok.test/'])('to %s is 400', async (url) => {
    expect((await ask(url)).status).toBe(400)
  })
})

describe('a tunnel', () => {
  it('carries what is sent through it', async () => {
    const inner = `GET /in HTTP/1.1\r\nhost: ok.test\r\nconnection: close\r\n\r\n`
    const text = await tunnel(`ok.test:${port}`, basic(session), inner)
    expect(text).toMatch(/^HTTP\/1.1 200 Connection Established\r\n\r\nHTTP\/1.1 200 OK/)
    expect(seen[0]?.url).toBe('/in')
  })

  it.each(['127.0.0.1', '[::1]', '2130706433', 'private.test'])('to %s is 403', async (host) => {
    expect(await tunnel(`${host}:${port}`, basic(session))).toMatch(/^HTTP\/1.1 403 /)
    expect({ reached: session.reached, seen }).toEqual({ reached: 0, seen: [] })
  })

  it.each(['ok.test/x', 'a@ok.test:80', ':', 'ok.test:99999'])('to %s is 400', async (authority) => {
    expect(await tunnel(authority, basic(session))).toMatch(/^HTTP\/1.1 400 /)
  })

  it('is cut when its session ends', async () => {
    const open = tunnel(`ok.test:${port}`, basic(session))
    await expect.poll(() => session.reached).toBe(1)
    session.close()
    expect(await open).toMatch(/^HTTP\/1.1 200 /)
  })
})
