import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { readDecodedBody } from '../../kit/decode-body'
import { log } from '../../kit/log'
import { isRecord } from '../../kit/record'
import type { CallModelOptions, Completion, CompletionBody, CompletionEvent, UpstreamTimeouts } from '../completion'
import type { Model, Upstream } from '../shape'
import { hasOutput } from '../wires/chat/has-output'
import { readEvents } from './events'
import { allUpstreamsFailed, callerError, parseRetryAfter, readFailure, UpstreamFailure } from './failure'
import { postCompletion } from './request'
import { type ExchangeTimer, startExchangeTimer, UpstreamTimeout } from './timer'

const TIMEOUTS: UpstreamTimeouts = { connectMs: 10_000, firstByteMs: 120_000, idleMs: 120_000 }

/** Largest whole answer read, bytes. */
const MAX_BODY = 32 * 1024 * 1024

type Attempt = { body: CompletionBody; watch: ExchangeTimer; options: CallModelOptions; timeouts: UpstreamTimeouts }

/**
 * One chat completion at a model's upstreams, in order, until one begins to answer. `body.stream === true` answers
 * `stream`; usage is then always asked for. The body goes out as it is, only `model` is the upstream's own.
 * Throws `invalid_request` for what is the caller's fault (400, 413, 422), `upstream_error` when all upstreams failed
 * (with `retryAfter` if one named it), and the signal's reason when it aborts.
 */
export async function callModel(model: Model, body: CompletionBody, options: CallModelOptions): Promise<Completion> {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const failures: UpstreamFailure[] = []
  for (const [index, upstream] of model.upstreams.filter(({ api }) => api === 'chat').entries()) {
    options.signal.throwIfAborted()
    if (options.sent) options.sent.accepted = false
    const clock = startExchangeTimer(options.signal)
    try {
      return await ask(upstream, { body, watch: clock, options, timeouts })
    } catch (error) {
      clock.cut()
      options.signal.throwIfAborted()
      const failure = asFailure(error)
      const refused = callerError(failure, model.id, upstream)
      if (refused) throw refused
      failures.push(failure)
      log.warn({ model: model.id, upstream: index, status: failure.status, err: failure.message }, 'upstream failed')
    }
  }
  throw allUpstreamsFailed(model.id, failures)
}

/** Whatever broke an exchange, as a failure that lets the next upstream be asked. */
function asFailure(error: unknown): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error
  const { code, message } = error as { code?: string; message?: string }
  const why = error instanceof UpstreamTimeout ? error.message : `${code ?? 'failed'}: ${message ?? ''}`
  return new UpstreamFailure(why, null, { cause: error })
}

async function ask(upstream: Upstream, attempt: Attempt): Promise<Completion> {
  const { watch, timeouts, options, body } = attempt
  watch.arm(timeouts.connectMs + timeouts.firstByteMs, 'answer')
  const response = await postCompletion(upstream, body, { watch, sent: options.sent, connectMs: timeouts.connectMs })
  const type = String(response.headers['content-type'] ?? '')
  if (response.statusCode === 200 && body.stream === true && /^text\/event-stream\b/i.test(type)) {
    return { kind: 'stream', events: await begun(response, attempt), upstreamModel: upstream.model }
  }
  const json = await readJson(response, attempt)
  watch.end()
  if (response.statusCode !== 200 || !isRecord(json) || json.error != null) throw refusal(response, json)
  if (body.stream === true) throw new UpstreamFailure('the upstream did not stream', 200)
  if (!Array.isArray(json.choices)) throw new UpstreamFailure('the upstream answered without choices', 200)
  return { kind: 'json', body: json, upstreamModel: upstream.model }
}

/** The failure in an answer that is none: an HTTP status, or an error in a body that came with 200. */
function refusal({ statusCode, headers }: Dispatcher.ResponseData, json: unknown): UpstreamFailure {
  const error = isRecord(json) ? (json.error ?? json) : json
  return readFailure(error, statusCode === 200 ? null : statusCode, parseRetryAfter(headers['retry-after']))
}

/** Chunks without a token that are held back; more than that count as an answer. */
const MAX_HELD = 100

/** The events of a stream once its first token is there: up to then another upstream can still serve. */
async function begun(
  response: Dispatcher.ResponseData,
  { watch, options, timeouts }: Attempt,
): Promise<AsyncGenerator<CompletionEvent>> {
  const bytes = response.body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const events = readEvents(bytes, watch, options.signal, timeouts.idleMs)
  const held: CompletionEvent[] = []
  while (held.length < MAX_HELD) {
    const { done, value: event } = await events.next()
    if (done) break
    if (event.kind === 'error') {
      await events.return(undefined)
      throw event.error.cause instanceof UpstreamFailure ? event.error.cause : asFailure(event.error.cause)
    }
    held.push(event)
    if (hasOutput(event.chunk)) break
  }
  if (held.length === 0) throw new UpstreamFailure('the upstream streamed nothing', 200)
  return startingWith(held, events)
}

/** A stream with its first events put back. Leaving it leaves the stream, also before those are taken. */
function startingWith(
  first: readonly CompletionEvent[],
  rest: AsyncGenerator<CompletionEvent>,
): AsyncGenerator<CompletionEvent> {
  const pending = [...first]
  const stream: AsyncGenerator<CompletionEvent> = {
    next: async () => {
      const value = pending.shift()
      return value ? { done: false, value } : rest.next()
    },
    return: (value) => {
      pending.length = 0
      return rest.return(value)
    },
    throw: (error) => rest.throw(error),
    [Symbol.asyncIterator]: () => stream,
    [Symbol.asyncDispose]: () => rest[Symbol.asyncDispose](),
  }
  return stream
}

/** A body as JSON, or as text where it is none. */
async function readJson({ body, headers }: Dispatcher.ResponseData, { watch, timeouts }: Attempt): Promise<unknown> {
  const pieces = async function* () {
    for await (const piece of body) {
      yield piece
      watch.arm(timeouts.idleMs, 'further byte')
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
