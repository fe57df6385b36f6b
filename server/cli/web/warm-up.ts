import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Agent, request } from 'undici'
import { planCompletion } from '../../chat/plan'
import { hotPool } from '../../db'
import { setMessage } from '../../http/arrived-body'
import { chatStreamWriter } from '../../http/chat'
import { readCompletionBody } from '../../http/completion-body'
import { completionStreamResponse } from '../../http/completion-stream'
import { type Exchange, makeHandler } from '../../http/handler'
import { callProcedure } from '../../http/procedure'
import { checkAuthentication } from '../../keys/authenticate'
import { log } from '../../kit/log'
import { billCompletion } from '../../models/bill'
import type { ModelRequest } from '../../models/completion'
import { chatModels } from '../../models/registry'
import type { Model, Upstream } from '../../models/shape'
import { loadTokenizer, makeTokenCounter } from '../../models/tokens'
import { openCompletion } from '../../models/upstream/request'
import { openStream } from '../../models/upstream/stream'
import { openStreamReader } from '../../models/upstream/stream-reader'
import { startExchangeTimer } from '../../models/upstream/timer'
import { chatWireCall } from '../../models/wires/chat/call'
import { ChatRequest } from '../../models/wires/chat/request'
import { chatUpstream } from '../../models/wires/chat/upstream'
import type { StreamPiece, WireCall } from '../../models/wires/wire'

/** Streams at once, the chunks of each, and the longest time of all rounds, milliseconds. */
const STREAMS = 25
const CHUNKS = 40
const ROUNDS = 12
const LIMIT_MS = 1_000

const WAIT_MS = 5_000

const sse = (value: object) =>
  `data: ${JSON.stringify({ id: 'warm-up', object: 'chat.completion.chunk', ...value })}\n\n`
const CHUNK = sse({ choices: [{ index: 0, delta: { content: 'words ' }, finish_reason: null }] })
const LAST = [
  sse({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  sse({ choices: [], usage: { prompt_tokens: 9, completion_tokens: CHUNKS, total_tokens: CHUNKS + 9 } }),
  'data: [DONE]\n\n',
].join('')

/** A stream as a model's provider sends it, a chunk at a time. */
function answerAsUpstream(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  let sent = 0
  const send = () => {
    if (res.destroyed) return
    if (sent++ === CHUNKS) return void res.end(LAST)
    res.write(CHUNK)
    setImmediate(send)
  }
  send()
}

/** What a call does between its hold and its settlement, and neither of them. */
async function* unbilledPieces(
  { model, upstream }: { model: Model; upstream: Upstream },
  { asked, write }: { asked: ModelRequest; write: ReturnType<WireCall['openStream']> },
): AsyncGenerator<StreamPiece> {
  const { signal } = new AbortController()
  const timer = startExchangeTimer(signal)
  timer.restart(WAIT_MS, 'answer')
  const wire = chatUpstream
  const response = await openCompletion({ model, upstream, wire }, asked, { timer, connectMs: WAIT_MS })
  const events = await openStream(response, { wire, timer, signal, idleMs: WAIT_MS })
  const reader = openStreamReader(events, 1)
  const delivered = makeTokenCounter()
  for (let event = await reader.next(); event?.kind === 'chunk'; event = await reader.next()) {
    delivered.addTexts(event.facts.texts)
    for (const piece of write(event)) yield piece
  }
  const { total: countDelivered } = delivered
  const bill = await billCompletion({
    prices: model,
    reported: reader.usage(),
    promptTokens: 9,
    countDelivered,
    held: 0n,
  })
  for (const piece of write({ kind: 'end', bill, charged: 0 })) yield piece
  await reader.close()
}

/** One stream as `/chat/completions` answers it, but for the key, the hold and the settlement. */
const warmHandler = (model: Model, upstreamOf: () => Upstream) =>
  makeHandler(
    'warm-up',
    async (exchange: Exchange) => {
      // Without a key: refused before anything is looked up.
      const readInput = () => readCompletionBody(exchange)
      await callProcedure(exchange, 'public.chat', { type: 'mutation', via: 'key', readInput }).catch(() => {})
      exchange.reply.refused = undefined
      const { value } = await readInput()
      const wire = chatWireCall(ChatRequest.parse(value))
      const plan = await planCompletion(wire.request, { ownerId: 0, grants: null })
      const call = { asked: plan.requestFor(plan.most), write: wire.openStream(exchange.requestId) }
      const pieces = unbilledPieces({ model, upstream: upstreamOf() }, call)
      return completionStreamResponse(pieces, exchange, { writer: chatStreamWriter, onDisconnect: () => {} })
    },
    { isProbe: true },
  )

/**
 * Streams from a provider to a client that are both this process, over sockets of its own. Returns
 * how often 25 of them were rendered at once; 0 where there is no model for chats.
 */
export async function renderStreams(): Promise<number> {
  const [model] = chatModels()
  if (!model) return 0
  await loadTokenizer()
  const at = { url: '' }
  const upstreamOf = (): Upstream => ({ api: 'chat', baseUrl: at.url, apiKeyEnv: null, model: 'warm-up' })
  const handler = warmHandler(model, upstreamOf)
  const listener = getRequestListener(
    (req, { incoming }) => {
      setMessage(req, incoming as Parameters<typeof setMessage>[1])
      return handler(req)
    },
    { overrideGlobalObjects: false, autoCleanupIncoming: false },
  )
  const server = createServer((req, res) => {
    if (req.url !== chatUpstream.path) return void listener(req, res)
    req.resume()
    answerAsUpstream(res)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  at.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const dispatcher = new Agent()
  const body = JSON.stringify({
    model: model.id,
    stream: true,
    max_tokens: 99,
    messages: [{ role: 'user', content: 'Say words.' }],
  })
  const headers = { 'content-type': 'application/json' }
  const stream = async () => {
    const response = await request(`${at.url}/v1`, { method: 'POST', dispatcher, headers, body })
    const text = await response.body.text()
    if (!text.includes('[DONE]')) throw new Error(`a stream ended early: ${text.slice(-200)}`)
  }
  try {
    const until = performance.now() + LIMIT_MS
    let rounds = 0
    for (; rounds < ROUNDS && performance.now() < until; rounds++)
      await Promise.all(Array.from({ length: STREAMS }, stream))
    return rounds
  } finally {
    await dispatcher.destroy()
    server.closeAllConnections()
    server.close()
  }
}

/** Opens the connections that calls need first, and has PostgreSQL parse the ledger's statement. */
async function openConnections(): Promise<void> {
  const pool = hotPool()
  const clients = await Promise.all(Array.from({ length: pool.options.max ?? 1 }, () => pool.connect()))
  for (const client of clients) client.release()
  await checkAuthentication()
}

/**
 * Has this process do what its first calls need: code that has run is compiled, the heap has its
 * size, connections are open. 100 streams at once met a cold process half a second later than a
 * warm one. Nothing is billed, no provider is asked and no row is written; what fails is left to
 * the first calls. To be called before tracing begins, which would have spans of it.
 */
export async function warmUp(): Promise<void> {
  const began = performance.now()
  try {
    await Promise.all([loadTokenizer(), openConnections()])
    const rounds = await renderStreams()
    log.debug({ rounds, ms: Math.round(performance.now() - began) }, 'warmed up')
  } catch (error) {
    log.warn({ err: (error as Error).message }, 'warming up failed: the first calls take longer')
  }
}
