import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { holdResponse } from './hold-response'

/** What a client gets from a listener. */
async function answerOf(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    return { status: response.status, type: response.headers.get('content-type'), body: await response.text() }
  } finally {
    server.close()
  }
}

test('a held response is sent once, as its receiver changed it', async () => {
  const finished = Promise.withResolvers<void>()
  const answer = await answerOf((_req, res) => {
    const held = holdResponse(res, ({ status, headers, body }) => {
      expect(res.headersSent).toBe(false)
      expect({ status, headers }).toEqual({ status: 200, headers: { 'content-type': 'text/html' } })
      res.setHeader('content-type', 'text/plain')
      res.end(body.toString().toUpperCase())
    })
    held.once('finish', finished.resolve)
    held.setHeader('content-type', 'text/html')
    held.flushHeaders()
    held.write('grü')
    // Next's compression does so before each part.
    held.writeHead(200)
    held.write(Buffer.from('ße'), () => held.end(' all'))
  })
  expect(answer).toEqual({ status: 200, type: 'text/plain', body: 'GRÜSSE ALL' })
  await finished.promise
})

test('a refusal that was sent meanwhile stays, whatever is written to the held response', async () => {
  const sent: unknown[] = []
  const answer = await answerOf((_req, res) => {
    const held = holdResponse(res, (kept) => sent.push(kept))
    held.write('<p>half a page')
    res.writeHead(503, { 'content-type': 'application/json' }).end('{}')
    held.end('<p>the rest')
  })
  expect(answer).toEqual({ status: 503, type: 'application/json', body: '{}' })
  expect(sent).toEqual([])
})

test('who writes a held response learns that its client has disconnected', async () => {
  const closed = Promise.withResolvers<boolean>()
  const server = createServer((_req, res) => {
    const held = holdResponse(res, () => {})
    held.once('close', () => closed.resolve(held.writableFinished))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(fetch(address, { signal: AbortSignal.timeout(200) })).rejects.toThrow()
  expect(await closed.promise).toBe(false)
  server.close()
})
