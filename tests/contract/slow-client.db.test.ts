import { setImmediate, setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { env } from '../../server/env'
import { waitForCallsToEnd, withSandbox } from '../support/api'
import { CHAT_MODEL, CHAT_PATH } from '../support/chat'
import { expectUntouched } from '../support/ledger'
import { startListener, type TestListener } from '../support/listener'
import { cookieOf } from '../support/oauth'
import { makeCaller } from '../support/owners'
import { openSocket, parseRawResponse } from '../support/socket'

withSandbox()

// Seconds of production as tenths of one. A call takes longer than any of them but the last.
const LIMITS = { headMs: 400, requestMs: 2_000, bodyIdleMs: 300, idleMs: 60_000, checkMs: 50 }

let listener: TestListener
let pages = 0
beforeAll(async () => {
  listener = await startListener((_req, res) => {
    pages++
    res.writeHead(200).end()
  }, LIMITS)
})
afterAll(() => listener.stop())

/**
 * Sends these parts with a pause before each, and returns what came back until the connection was
 * closed.
 */
async function sendSlowly(parts: readonly string[], pauseMs: number) {
  const { socket, text, closed } = openSocket(listener.port)
  const left = [...parts]
  const timer = setInterval(() => {
    const part = left.shift()
    if (part !== undefined && socket.writable) socket.write(part)
  }, pauseMs)
  await closed
  clearInterval(timer)
  return { ...parseRawResponse(text()), unsent: left.length }
}

const post = (path: string, framing: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${more}${framing}\r\n\r\n`

describe('408 and a closed connection', () => {
  it('is what a head gets that comes a byte at a time', async () => {
    const head = `GET /healthz HTTP/1.1\r\nHost: a\r\n${'X-A: b\r\n'.repeat(20)}`
    const answer = await sendSlowly([...head], 100)
    expect(answer.status).toBe(408)
    expect(answer.body).toContain('"code":"invalid_request"')
    expect(answer.head).toContain('connection: close')
    expect(answer.unsent).toBeGreaterThan(0)
  })

  it.each([
    '/api/v1/query',
    CHAT_PATH,
    '/api/auth/callback/credentials',
    '/signin',
    '/api/v1/mcp',
    '/api/trpc/keys.create',
  ])('is what a body gets that stops, at %s', async (path) => {
    const { owner, key } = await makeCaller(1_000, { llm: true })
    for (const framing of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
      const begun = framing.startsWith('C') ? '{"a":' : '5\r\n{"a":\r\n'
      // A page's call is read for whoever is signed in, and for nobody else.
      const who = `Authorization: Bearer ${key.key}\r\nCookie: ${await cookieOf(owner)}\r\nOrigin: ${env().PUBLIC_URL}\r\n`
      const answer = await sendSlowly([post(path, framing, who) + begun], 10)
      expect(answer.status, answer.text).toBe(408)
    }
    expect(pages).toBe(0)
    await expectUntouched(owner)
  })

  it('is what a body gets that comes a byte at a time, and never ends', async () => {
    const { owner, key } = await makeCaller()
    const body = '{"tool":"crypto_get_prices","params":{"coinIds":["bitcoin"]}}'.padEnd(200)
    const answer = await sendSlowly(
      [post('/api/v1/query', 'Content-Length: 200', `Authorization: Bearer ${key.key}\r\n`), ...body],
      100,
    )
    expect(answer.status).toBe(408)
    expect(answer.unsent).toBeGreaterThan(0)
    await expectUntouched(owner)
  })
})

describe('who is slow within the limits is served', () => {
  it('with a body in pieces', async () => {
    const { key } = await makeCaller()
    const body = JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } })
    const more = `Connection: close\r\nAuthorization: Bearer ${key.key}\r\n`
    const pieces = body.match(/.{1,20}/g) ?? []
    const answer = await sendSlowly([post('/api/v1/query', `Content-Length: ${body.length}`, more), ...pieces], 10)
    expect(answer.status, answer.text).toBe(200)
  })

  it('with the rest of a body that waited while the process was busy', async () => {
    const { key } = await makeCaller()
    const body = JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } })
    const more = `Connection: close\r\nAuthorization: Bearer ${key.key}\r\n`
    const { socket, text, closed } = openSocket(listener.port)
    socket.write(post('/api/v1/query', `Content-Length: ${body.length}`, more) + body.slice(0, 20))
    await setTimeout(LIMITS.bodyIdleMs / 2)
    // Timers run right behind this, and sockets are read after them.
    await setImmediate()
    socket.write(body.slice(20))
    for (const until = performance.now() + LIMITS.bodyIdleMs; performance.now() < until; );
    await closed
    expect(parseRawResponse(text()).status, text()).toBe(200)
  })

  it('with a call that takes longer than its body may', async () => {
    const { key } = await makeCaller(100_000, { llm: true })
    const body = JSON.stringify({
      model: CHAT_MODEL,
      messages: [{ role: 'user', content: `${'x'.repeat(200_000)} [[sandbox {"text": "ok", "delayMs": 2500}]]` }],
    })
    const more = `Connection: close\r\nAuthorization: Bearer ${key.key}\r\n`
    const answer = await sendSlowly([post(CHAT_PATH, `Content-Length: ${body.length}`, more) + body], 10)
    expect(answer.status, answer.text).toBe(200)
    await waitForCallsToEnd()
  })
})

it('two hundred clients that never finish keep nobody else waiting', async () => {
  const slow = Array.from({ length: 200 }, () => sendSlowly([post('/api/v1/query', 'Content-Length: 9'), '{'], 10))
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${listener.url}/healthz`)))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  for (const { status } of await Promise.all(slow)) expect([401, 408]).toContain(status)
  await expect.poll(() => listener.inFlight.count).toBe(0)
})
