import { getEventListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Agent } from 'undici'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { BodyTooLargeError } from './decode-body'
import { fetchWhole, type WholeRequest } from './whole-response'

let handle: (req: IncomingMessage, res: ServerResponse) => void
const server = createServer((req, res) => handle(req, res))
const dispatcher = new Agent()
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(async () => {
  await dispatcher.destroy()
  server.closeAllConnections()
  server.close()
})

const send = (given: Partial<WholeRequest> = {}) =>
  fetchWhole({
    dispatcher,
    method: 'POST',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a/b?c=d`,
    headers: { 'x-sent': 'yes' },
    signal: new AbortController().signal,
    maxBytes: 1_000,
    ...given,
  })

test('sends what is given and returns the whole response, whatever its status', async () => {
  handle = async (req, res) => {
    const body = (await Array.fromAsync(req)).join('')
    res.writeEarlyHints({ link: '</x>; rel=preload' })
    res.writeHead(418, { 'x-seen': `${req.method} ${req.url} ${req.headers['x-sent']} ${body}` })
    res.write('grü')
    setTimeout(() => res.end('ße'), 5)
  }
  const [onStart, onData] = [vi.fn(), vi.fn()]
  const { statusCode, headers, body } = await send({ body: 'hello', onStart, onData })
  expect([statusCode, headers['x-seen'], String(body)]).toEqual([418, 'POST /a/b?c=d yes hello', 'grüße'])
  expect(onStart).toHaveBeenCalledOnce()
  expect(onData).toHaveBeenCalledTimes(2)
})

test('undoes a content encoding', async () => {
  handle = (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked'))
  expect(String((await send()).body)).toBe('unpacked')
})

test.each([
  ['packed', 'identity', Buffer.alloc(1_001)],
  ['unpacked', 'gzip', gzipSync(Buffer.alloc(1_001))],
])('refuses a body that is too large %s', async (_when, encoding, bytes) => {
  handle = (_req, res) => void res.writeHead(200, { 'content-encoding': encoding }).end(bytes)
  await expect(send()).rejects.toBeInstanceOf(BodyTooLargeError)
})

test('fails where the body ends early, and where nobody listens', async () => {
  handle = (_req, res) => {
    res.writeHead(200, { 'content-length': '10' }).write('half')
    setTimeout(() => res.destroy(), 5)
  }
  await expect(send()).rejects.toThrow()
  const onStart = vi.fn()
  await expect(send({ url: 'http://127.0.0.1:1', onStart })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(onStart).not.toHaveBeenCalled()
})

test('an aborted signal sends nothing', async () => {
  handle = vi.fn()
  const reason = new Error('left')
  await expect(send({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(handle).not.toHaveBeenCalled()
})

test.each(['before the head', 'after it'])(
  'an abort %s rejects with its reason and closes the connection',
  async (when) => {
    const caller = new AbortController()
    const closed = new Promise<void>((resolve) => {
      handle = (_req, res) => {
        res.on('close', resolve)
        if (when === 'after it') res.writeHead(200).write('half')
        setTimeout(() => caller.abort(new Error('left')), 10)
      }
    })
    await expect(send({ signal: caller.signal })).rejects.toThrow('left')
    await closed
  },
)

test('leaves no listener on a signal that lives on', async () => {
  handle = (_req, res) => void res.end('ok')
  const { signal } = new AbortController()
  await send({ signal })
  await expect(send({ signal, maxBytes: 1 })).rejects.toBeInstanceOf(BodyTooLargeError)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
