import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { readDecodedBody } from '../../kit/decode-body'
import { log } from '../../kit/log'
import { isRecord } from '../../kit/record'
import { parseRetryAfter } from '../../kit/retry-after'
import type { CallModelOptions, Completion, CompletionBody, UpstreamTimeouts } from '../completion'
import type { Model, Upstream } from '../shape'
import { chatUpstream } from '../wires/chat/upstream'
import type { UpstreamWire } from '../wires/wire'
import { allUpstreamsFailed, asUpstreamFailure, callerError, readFailure, UpstreamFailure } from './failure'
import { postCompletion } from './request'
import { openStream } from './stream'
import { type ExchangeTimer, startExchangeTimer } from './timer'

/** The wires that completions can be asked for in. */
const WIRES: { readonly [api in Upstream['api']]?: UpstreamWire } = { chat: chatUpstream }

const TIMEOUTS: UpstreamTimeouts = { connectMs: 10_000, firstByteMs: 120_000, idleMs: 120_000 }

/** Largest answer read, bytes. */
const MAX_BODY = 32 * 1024 * 1024

type Attempt = {
  wire: UpstreamWire
  body: CompletionBody
  timer: ExchangeTimer
  options: CallModelOptions
  timeouts: UpstreamTimeouts
}

/**
 * One completion at a model's upstreams, in order, until one begins to answer. With `body.stream`
 * true the answer is a stream. Throws `invalid_request` for an error of the caller's (400, 413,
 * 422), `upstream_error` when all upstreams failed (with `retryAfter` if one named it), and the
 * signal's reason when it aborts.
 */
export async function callModel(model: Model, body: CompletionBody, options: CallModelOptions): Promise<Completion> {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const failures: UpstreamFailure[] = []
  for (const [index, upstream] of model.upstreams.entries()) {
    const wire = WIRES[upstream.api]
    if (!wire) continue
    options.signal.throwIfAborted()
    if (options.sent) options.sent.accepted = false
    const timer = startExchangeTimer(options.signal)
    try {
      return await callUpstream(upstream, { wire, body, timer, options, timeouts })
    } catch (error) {
      timer.cut()
      options.signal.throwIfAborted()
      const failure = asUpstreamFailure(error)
      const refused = callerError(failure, model.id, upstream)
      if (refused) throw refused
      failures.push(failure)
      log.warn({ model: model.id, upstream: index, status: failure.status, err: failure.message }, 'upstream failed')
    }
  }
  throw allUpstreamsFailed(model.id, failures)
}

async function callUpstream(upstream: Upstream, attempt: Attempt): Promise<Completion> {
  const { wire, timer, timeouts, options, body } = attempt
  timer.restart(timeouts.connectMs + timeouts.firstByteMs, 'answer')
  const { connectMs, idleMs } = timeouts
  const response = await postCompletion(upstream, body, { wire, timer, sent: options.sent, connectMs })
  const type = String(response.headers['content-type'] ?? '')
  if (response.statusCode === 200 && body.stream === true && /^text\/event-stream\b/i.test(type)) {
    const events = await openStream(response, { wire, timer, signal: options.signal, idleMs })
    return { kind: 'stream', events, upstreamModel: upstream.model }
  }
  const json = await readJsonOrText(response, timer, idleMs)
  timer.end()
  if (response.statusCode !== 200 || !isRecord(json) || json.error != null) throw failureIn(response, json)
  if (body.stream === true) throw new UpstreamFailure('the upstream did not stream', 200)
  if (!wire.isAnswer(json)) throw new UpstreamFailure('the upstream answered without choices', 200)
  return { kind: 'json', body: json, facts: wire.readFacts(json), upstreamModel: upstream.model }
}

/**
 * The failure that a response reports: by its HTTP status, or by an error in a body that came with
 * 200.
 */
function failureIn({ statusCode, headers }: Dispatcher.ResponseData, json: unknown): UpstreamFailure {
  const error = isRecord(json) ? (json.error ?? json) : json
  return readFailure(error, statusCode === 200 ? null : statusCode, parseRetryAfter(headers['retry-after']))
}

/** A body as JSON, or as text where it is not JSON. */
async function readJsonOrText(
  { body, headers }: Dispatcher.ResponseData,
  timer: ExchangeTimer,
  idleMs: number,
): Promise<unknown> {
  const pieces = async function* () {
    for await (const piece of body) {
      yield piece
      timer.restart(idleMs, 'further byte')
    }
  }
  const coding = [headers['content-encoding'] ?? ''].flat().join(',')
  const text = (await readDecodedBody(Readable.from(pieces()), coding, MAX_BODY)).toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
