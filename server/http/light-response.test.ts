import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { expect, test } from 'vitest'
import { LightResponse } from './light-response'

const before = { Request, Response }
const made = () => new LightResponse('{"ü":1}', { status: 418, headers: { 'content-type': 'application/json' } })

test('is a Response, and leaves the global classes alone', async () => {
  const response = made()
  expect(response).toBeInstanceOf(Response)
  expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([
    418,
    'application/json',
    { ü: 1 },
  ])
  expect(LightResponse).not.toBe(Response)
  expect({ Request, Response }).toEqual(before)
  expect(new Request('http://a.test').clone().url).toBe('http://a.test/')
  expect(Object.getOwnPropertyDescriptor(globalThis, 'Response')?.configurable).toBe(true)
})

test('headers that are set later are sent', async () => {
  const response = made()
  response.headers.append('vary', 'Origin')
  expect((await answerOf(() => response)).toLowerCase()).toContain('vary: origin')
})

test.each([
  ['GET', '{"ü":1}'],
  ['HEAD', ''],
])('answers a %s with its length and body', async (method, body) => {
  const answer = await answerOf(made, method)
  expect(answer).toMatch(/^HTTP\/1\.1 418 /)
  expect(answer.toLowerCase()).toContain('content-length: 8\r\n')
  expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(body)
})

/** The bytes that the adapter answers with. */
async function answerOf(respond: () => Response, method = 'GET'): Promise<string> {
  const server = createServer(getRequestListener(async () => respond(), { overrideGlobalObjects: false }))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`${method} / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
    return (await socket.toArray()).join('')
  } finally {
    server.close()
  }
}
