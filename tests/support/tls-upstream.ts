import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { makeCertificate, trustCertificate } from './certificate'
import { sseEvent, streamChunk, useModelsAt } from './fake-upstream'
import { pollUntil } from './poll-until'

/** One request, read to its end, and the connection that it came over. */
export type TlsExchange = { asked: { stream?: boolean }; res: ServerResponse; socket: Socket }

type TlsHandler = (exchange: TlsExchange) => void

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

/** A provider with TLS that the test scripts, of the models of `withFakeUpstream`. */
export function withTlsUpstream() {
  let handle: TlsHandler = answerTls
  let calls = 0
  let opened = 0
  let server: Server
  const connections = new Set<Socket>()
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-tls-'))
  beforeAll(async () => {
    const certificate = await makeCertificate()
    trustCertificate(certificate)
    server = createServer({ ...certificate, keepAliveTimeout: 600_000 }, async (req, res) => {
      const read: Buffer[] = []
      for await (const piece of req) read.push(piece as Buffer)
      calls++
      handle({ asked: JSON.parse(Buffer.concat(read).toString()), res, socket: req.socket })
    })
    server.on('secureConnection', (socket) => {
      opened++
      connections.add(socket)
      socket.on('error', () => {}).once('close', () => connections.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    useModelsAt(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, path.join(folder, 'models.json'))
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
  return {
    /** From now on; counts start anew. */
    play: (next: TlsHandler) => {
      handle = next
      calls = 0
      opened = 0
    },
    /** Ends each connection, as a provider does that is idle, and waits until all are closed. */
    closeAll: async () => {
      for (const socket of connections) socket.end()
      await pollUntil('the end of all connections', () => connections.size === 0)
    },
    /** Requests since `play`. */
    calls: () => calls,
    /** Connections that were opened since `play`. */
    opened: () => opened,
  }
}
