import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { AppError } from '../../errors'
import { readDecodedBody } from '../../kit/decode-body'
import { log } from '../../kit/log'
import { isRecord } from '../../kit/record'
import { parseRetryAfter } from '../../kit/retry-after'
import type { CallModelOptions, Completion, ModelRequest, UpstreamTimeouts } from '../completion'
import type { Model, Upstream } from '../shape'
import { UPSTREAM_WIRES } from '../wires/upstream-wires'
import type { UpstreamWire } from '../wires/wire'
import { allUpstreamsFailed, asUpstreamFailure, callerError, readFailure, UpstreamFailure } from './failure'
import { postCompletion } from './request'
import { openStream } from './stream'
import { type ExchangeTimer, startExchangeTimer } from './timer'
import { translateAnswer, translateEvents } from './translate'

const TIMEOUTS: UpstreamTimeouts = { connectMs: 10_000, firstByteMs: 120_000, idleMs: 120_000 }

/** Largest answer read, bytes. */
const MAX_BODY = 32 * 1024 * 1024

type Attempt = {
  wire: UpstreamWire
  request: ModelRequest
  timer: ExchangeTimer
  options: CallModelOptions
  timeouts: UpstreamTimeouts
}

/**
 * One completion at a model's upstreams, in order, until one begins to answer. The answer is in the
 * request's wire where that upstream speaks it, else in chat form. Throws `invalid_request` for an
 * error of the caller's (400, 413, 422) and for what an upstream's wire cannot carry,
 * `upstream_error` when all upstreams failed (with `retryAfter` if one named it), and the signal's
 * reason when it aborts.
 */
export async function callModel(model: Model, request: ModelRequest, options: CallModelOptions): Promise<Completion> {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const failures: UpstreamFailure[] = []
  let refusal: AppError | undefined
  for (const [index, upstream] of model.upstreams.entries()) {
    const wire = UPSTREAM_WIRES[upstream.api]
    if (!wire) continue
    options.signal.throwIfAborted()
    if (options.sent) options.sent.accepted = false
    const timer = startExchangeTimer(options.signal)
    try {
      return await callUpstream(upstream, { wire, request, timer, options, timeouts })
    } catch (error) {
      timer.cut()
      options.signal.throwIfAborted()
      // Another upstream may speak a wire that carries it.
      if (error instanceof AppError && error.code === 'invalid_request') {
        refusal ??= error
        continue
      }
      const failure = asUpstreamFailure(error)
      const refused = callerError(failure, model.id, upstream)
      if (refused) throw refused
      failures.push(failure)
      log.warn({ model: model.id, upstream: index, status: failure.status, err: failure.message }, 'upstream failed')
    }
  }
  if (refusal && failures.length === 0) throw refusal
  throw allUpstreamsFailed(model.id, failures)
}

async function callUpstream(upstream: Upstream, attempt: Attempt): Promise<Completion> {
  const { wire, timer, timeouts, options, request } = attempt
  timer.restart(timeouts.connectMs + timeouts.firstByteMs, 'answer')
  const { connectMs, idleMs } = timeouts
  const response = await postCompletion(upstream, request, { wire, timer, sent: options.sent, connectMs })
  const type = String(response.headers['content-type'] ?? '')
  const upstreamModel = upstream.model
  if (response.statusCode === 200 && request.isStream && /^text\/event-stream\b/i.test(type)) {
    const events = await openStream(response, { wire, timer, signal: options.signal, idleMs })
    return { kind: 'stream', events: translateEvents(events, wire, request), upstreamModel }
  }
  const json = await readJsonOrText(response, timer, idleMs)
  timer.end()
  if (response.statusCode !== 200 || !isRecord(json) || wire.readError(json) != null) throw failureIn(response, json)
  if (request.isStream) throw new UpstreamFailure('the upstream did not stream', 200)
  if (!wire.isAnswer(json)) throw new UpstreamFailure('the upstream answered without choices', 200)
  return { kind: 'json', ...translateAnswer(json, wire, request), facts: wire.makeFactsReader()(json), upstreamModel }
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
