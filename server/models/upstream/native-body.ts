import { AppError } from '../../errors'
import { type Fitted, fitBody } from '../abilities/fit'
import type { Adjustment } from '../abilities/shape'
import type { CompletionBody, ModelRequest } from '../completion'
import type { Model, Upstream } from '../shape'
import { lostBetween } from '../wires/lost-fields'
import { UPSTREAM_WIRES } from '../wires/upstream-wires'
import type { UpstreamWire } from '../wires/wire'

/**
 * A request's body in an upstream's wire: as it is, or translated through chat form. Throws
 * `invalid_request` for what that wire cannot carry.
 */
export const nativeBody = ({ wire, body, toChat }: ModelRequest, to: UpstreamWire): CompletionBody =>
  wire === to.name ? body : to.fromChat(toChat(body))

/** The model of a request, and the upstream that it goes to, with its wire. */
export type Destination = { model: Model; upstream: Upstream; wire: UpstreamWire }

/**
 * A request's body in an upstream's wire, fitted to what the model takes there, and what was
 * changed on the way. Throws `invalid_request` for what neither can carry.
 */
export function fittedBody(asked: ModelRequest, { wire, ...to }: Destination): Fitted {
  const native = to.upstream.cacheMarks ? wire.fromChat(asked.toChat(asked.body)) : nativeBody(asked, wire)
  const fitted = fitBody(native, { wire: wire.name, asked: asked.wire, outputTokens: asked.outputTokens }, to)
  if (asked.wire === wire.name) return fitted
  const lost = lostBetween(asked.body, asked.wire, wire.name)
  return lost.length === 0 ? fitted : { ...fitted, adjusted: [...lost, ...fitted.adjusted] }
}

/**
 * What is changed of a request at the first upstream that can carry it. Throws `invalid_request`
 * when none can, for the first reason.
 */
export function checkCarried(model: Model, request: ModelRequest): Adjustment[] {
  const refusals: AppError[] = []
  for (const upstream of model.upstreams) {
    const wire = UPSTREAM_WIRES[upstream.api]
    if (!wire) continue
    try {
      return fittedBody(request, { model, upstream, wire }).adjusted
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error
      refusals.push(error)
    }
  }
  throw refusals[0] ?? new Error(`${model.id} has no upstream for completions`)
}
