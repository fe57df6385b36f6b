import { isRecord } from '../../kit/record'
import type { CallModelOptions, Completion, ModelRequest, UpstreamTimeouts } from '../completion'
import type { MeasuredUpstreamCall } from '../metrics'
import type { Model, Upstream } from '../shape'
import { UPSTREAM_WIRES } from '../wires/upstream-wires'
import type { UpstreamWire } from '../wires/wire'
import { UpstreamFailure } from './failure'
import { firstToServe } from './first-to-serve'
import { namesField, otherLimitField, rememberLimitField, withFoundLimitField } from './limit-field'
import { traceCompletion } from './model-span'
import { failureIn, readAnswer, type UpstreamAnswer } from './read-answer'
import { openCompletion, postCompletion } from './request'
import { openStream } from './stream'
import { type ExchangeTimer, startExchangeTimer } from './timer'
import { translateAnswer, translateEvents } from './translate'

/** How patient a call is that does not say otherwise. */
export const UPSTREAM_TIMEOUTS: UpstreamTimeouts = { connectMs: 10_000, firstByteMs: 120_000, idleMs: 120_000 }

type Attempt = {
  model: Model
  wire: UpstreamWire
  request: ModelRequest
  timer: ExchangeTimer
  measured: MeasuredUpstreamCall
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
  const timeouts = { ...UPSTREAM_TIMEOUTS, ...options.timeouts }
  return traceCompletion(model, request, () =>
    firstToServe(model, options, (upstream, timer, measured) => {
      const wire = UPSTREAM_WIRES[upstream.api]
      return wire ? callWithLimit(upstream, { model, wire, request, timer, measured, options, timeouts }) : null
    }),
  )
}

/**
 * One completion at one upstream. One that refuses the name of the output limit is asked once more
 * with the other; what it takes is remembered.
 */
async function callWithLimit(upstream: Upstream, attempt: Attempt): Promise<Completion> {
  try {
    return await callUpstream(withFoundLimitField(upstream), attempt)
  } catch (error) {
    const limitField = otherLimitField(error, { model: attempt.model, upstream }, attempt.request)
    if (limitField === null) throw error
    const { sent, signal } = attempt.options
    signal.throwIfAborted()
    if (sent) sent.accepted = false
    const timer = startExchangeTimer(signal)
    const completion = await callUpstream({ ...upstream, limitField }, { ...attempt, timer }).catch(
      (again: unknown) => {
        timer.cut()
        throw namesField(again, limitField) ? error : again
      },
    )
    rememberLimitField(upstream, limitField)
    return completion
  }
}

async function callUpstream(upstream: Upstream, attempt: Attempt): Promise<Completion> {
  const { model, wire, timer, measured, timeouts, options, request } = attempt
  timer.restart(timeouts.connectMs + timeouts.firstByteMs, 'answer')
  const { connectMs, idleMs } = timeouts
  const to = { model, upstream, wire }
  const exchange = { timer, sent: options.sent, connectMs }
  const upstreamModel = upstream.model
  if (!request.isStream) {
    const answer = await postCompletion(to, request, { ...exchange, idleMs })
    return { ...completionIn(answer, attempt), upstreamModel }
  }
  const response = await openCompletion(to, request, exchange)
  if (response.statusCode === 200 && /^text\/event-stream\b/i.test(String(response.headers['content-type'] ?? ''))) {
    const onEnd = measured.followStream()
    const events = await openStream(response, { wire, timer, signal: options.signal, idleMs, onEnd })
    return { kind: 'stream', events: translateEvents(events, wire, request), upstreamModel }
  }
  return { ...completionIn(await readAnswer(response, { timer, idleMs }), attempt), upstreamModel }
}

/** The completion of an answer that did not stream. Throws the failure that the answer reports. */
function completionIn(answer: UpstreamAnswer, { wire, request, timer }: Attempt) {
  timer.end()
  const { statusCode, json } = answer
  if (statusCode !== 200 || !isRecord(json) || wire.readError(json) != null) throw failureIn(answer)
  if (request.isStream && !request.takesWhole) throw new UpstreamFailure('the upstream did not stream', 200)
  if (!wire.isAnswer(json)) throw new UpstreamFailure('the upstream answered without choices', 200)
  return { kind: 'json' as const, ...translateAnswer(json, wire, request), facts: wire.makeFactsReader()(json) }
}
