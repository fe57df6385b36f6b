import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { beforeAll } from 'vitest'
import { makeCertificate, trustCertificate } from './certificate'
import { sseEvent, streamChunk, withFakeUpstream } from './fake-upstream'
import { pollUntil } from './poll-until'

/** One request, read to its end, and the connection that it came over. */
export type TlsExchange = { asked: Asked; res: ServerResponse; socket: Socket }

type Asked = { stream?: boolean }

const DONE = { id: 'v1', object: 'chat.completion', model: 'upstream-name' }
const USAGE = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 }

/** Answers as it was asked to, whole or as a stream. */
export function answerTls({ asked, res }: TlsExchange): void {
  if (asked.stream) {
    const events = [streamChunk({ content: 'hello' }), streamChunk({}, 'stop'), { ...DONE, choices: [], usage: USAGE }]
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.end([...events.map(sseEvent), sseEvent('[DONE]')].join(''))
    return
  }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
  res.writeHead(200, { 'content-type': 'application/json' })
  res.end(JSON.stringify({ ...DONE, choices, usage: USAGE }))
}

/** `withFakeUpstream` with TLS. */
export function withTlsUpstream() {
  let opened = 0
  const connections = new Set<Socket>()
  const server = createServer({ keepAliveTimeout: 600_000 })
  server.on('secureConnection', (socket) => {
    opened++
    connections.add(socket)
    socket.on('error', () => {}).once('close', () => connections.delete(socket))
  })
  beforeAll(async () => {
    const certificate = await makeCertificate()
    trustCertificate(certificate)
    server.setSecureContext(certificate)
  })
  const upstream = withFakeUpstream(server)
  return {
    /** From now on; counts start anew. */
    play: (next: (exchange: TlsExchange) => void) => {
      opened = 0
      upstream.play(async (req, res) => next({ asked: (await json(req)) as Asked, res, socket: req.socket }))
    },
    /** Ends each connection, as a provider does that is idle, and waits until all are closed. */
    closeAll: async () => {
      for (const socket of connections) socket.end()
      await pollUntil('the end of all connections', () => connections.size === 0)
    },
    /** Requests since `play`. */
    calls: upstream.calls,
    /** Connections that were opened since `play`. */
    opened: () => opened,
  }
}
