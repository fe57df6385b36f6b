import { mkdtempSync, rmSync } from 'node:fs'
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll } from 'vitest'
import type { TestResponse } from './api'
import { type Certificate, makeCertificate, trustCertificate } from './certificate'
import { sendChat, sendStreamedChat } from './chat'
import { sseEvent, streamChunk, useModelsAt } from './fake-upstream'
import { pollUntil } from './poll-until'

/** One request, read to its end; `stream` is undefined over HTTP/1.1. */
export type TlsExchange = {
  asked: { stream?: boolean } & Record<string, unknown>
  res: Http2ServerResponse
  stream: ServerHttp2Stream | undefined
  /** The connection that it came over. */
  socket: Socket
}

type TlsHandler = (exchange: TlsExchange) => void

const DONE = { id: 'v1', object: 'chat.completion', model: 'upstream-name' }
const USAGE = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 }

/** Answers as it was asked to, whole or as a stream. */
export function answerTls({ asked, res }: Pick<TlsExchange, 'asked' | 'res'>): void {
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

/** Resets a stream as it is: `close` of Node would end the answer properly before. */
export function resetStream(stream: ServerHttp2Stream | undefined, code: number): void {
  const handle = Object.getOwnPropertySymbols(stream).find((symbol) => symbol.description === 'kHandle')
  if (!stream || !handle) throw new Error('the stream has no handle')
  ;(stream as unknown as Record<symbol, { rstStream: (code: number) => void }>)[handle]?.rstStream(code)
}

/** A way to a port on which nothing moves any more after `freeze`; later connections are new. */
function makeFreezer(port: () => number) {
  const pairs = new Set<[Socket, Socket]>()
  const frozen = new Set<[Socket, Socket]>()
  const server = createServer((client) => {
    const pair: [Socket, Socket] = [client, connect(port(), '127.0.0.1')]
    pairs.add(pair)
    client.pipe(pair[1]).pipe(client)
    for (const [i, socket] of pair.entries()) {
      socket.on('error', () => {})
      socket.once('close', () => {
        pairs.delete(pair)
        pair[1 - i]?.destroy()
      })
    }
  })
  const freeze = () => {
    for (const pair of pairs) {
      frozen.add(pair)
      for (const socket of pair) socket.unpipe().pause()
    }
  }
  const dropFrozen = () => {
    for (const pair of frozen) for (const socket of pair) socket.destroy()
    frozen.clear()
  }
  return { server, freeze, dropFrozen }
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/**
 * A provider with TLS that the test scripts, of the models of `withFakeUpstream`; it speaks
 * HTTP/2, and HTTP/1.1 to those who do not.
 */
export function withTlsUpstream() {
  let handle: TlsHandler = answerTls
  let calls = 0
  const connections = new Set<TLSSocket>()
  const sessions = new Set<Http2Session>()
  let opened = 0
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-tls-'))
  const serve = async (req: Http2ServerRequest, res: Http2ServerResponse) => {
    const read: Buffer[] = []
    try {
      for await (const piece of req) read.push(piece as Buffer)
    } catch {
      return
    }
    calls++
    const { stream } = req as Partial<Http2ServerRequest>
    const socket = stream ? socketOf(stream) : req.socket
    handle({ asked: JSON.parse(Buffer.concat(read).toString()), res, stream, socket })
  }
  const sockets = new WeakMap<Http2Session, Socket>()
  const socketOf = ({ session }: ServerHttp2Stream): Socket => {
    const socket = session && sockets.get(session)
    if (!socket) throw new Error('the stream has no connection')
    return socket
  }
  let server: Http2SecureServer
  let port = 0
  const freezer = makeFreezer(() => port)
  beforeAll(async () => {
    const certificate: Certificate = await makeCertificate()
    trustCertificate(certificate)
    server = createSecureServer({ ...certificate, allowHTTP1: true })
    server.prependListener('secureConnection', (socket) => {
      opened++
      connections.add(socket)
      socket.on('error', () => {}).once('close', () => connections.delete(socket))
    })
    server.on('session', (session) => {
      sessions.add(session)
      const last = [...connections].at(-1)
      if (last) sockets.set(session, last)
      session.on('error', () => {}).once('close', () => sessions.delete(session))
    })
    server.on('stream', (stream) => void stream.on('error', () => {}))
    server.on('request', serve)
    port = await listen(server)
    useModelsAt(`https://127.0.0.1:${await listen(freezer.server)}`, path.join(folder, 'models.json'))
  })
  afterAll(() => {
    for (const socket of connections) socket.destroy()
    freezer.server.close()
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
    /** Stops all that moves on the connections that are open. */
    freeze: freezer.freeze,
    /** Requests since `play`. */
    calls: () => calls,
    /** Connections that were opened since `play`. */
    opened: () => opened,
    /** Ends each connection, as a provider does that is idle, and waits until all are closed. */
    closeAll: async () => {
      freezer.dropFrozen()
      for (const session of sessions) session.close()
      for (const socket of connections) if (socket.alpnProtocol !== 'h2') socket.end()
      await pollUntil('the end of all connections', () => connections.size === 0)
    },
  }
}

/** A body for the model of this upstream. */
export const tlsBody = (text = 'hi') => ({
  model: 'upstream/one',
  max_tokens: 50,
  messages: [{ role: 'user', content: text }],
})

type Ask = (key: string) => Promise<TestResponse>

/** Completions whole and streamed, of bodies that are sent in one piece and in several. */
export const TLS_REQUESTS: readonly (readonly [string, Ask])[] = [
  ['whole, short', (key) => sendChat(key, tlsBody())],
  ['whole, long', (key) => sendChat(key, tlsBody('a long text '.repeat(10_000)))],
  ['streamed, short', (key) => sendStreamedChat(key, tlsBody())],
  ['streamed, long', (key) => sendStreamedChat(key, tlsBody('a long text '.repeat(10_000)))],
]
