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
  const answer = await answerOf((_req, res) => {
    holdResponse(res, (body) => {
      expect(res.headersSent).toBe(false)
      res.setHeader('content-type', 'text/plain')
      res.end(body.toString().toUpperCase())
    })
    res.setHeader('content-type', 'text/html')
    res.flushHeaders()
    res.write('grü')
    // Next's compression does so before each part.
    res.writeHead(200)
    res.write(Buffer.from('ße'), () => res.end(' all'))
  })
  expect(answer).toEqual({ status: 200, type: 'text/plain', body: 'GRÜSSE ALL' })
})

test('a refusal takes the place of what was written before it', async () => {
  const answer = await answerOf((_req, res) => {
    holdResponse(res, (body) => res.end(body))
    res.write('<p>half a page')
    res.writeHead(503, { 'content-type': 'application/json' }).end('{}')
  })
  expect(answer).toEqual({ status: 503, type: 'application/json', body: '{}' })
})
