import { AppError } from '../../errors'
import type { CompletionBody, ModelRequest } from '../completion'
import type { Model } from '../shape'
import { UPSTREAM_WIRES } from '../wires/upstream-wires'
import type { UpstreamWire } from '../wires/wire'

/**
 * A request's body in an upstream's wire: as it is, or translated through chat form. Throws
 * `invalid_request` for what that wire cannot carry.
 */
export const nativeBody = ({ wire, body, toChat }: ModelRequest, to: UpstreamWire): CompletionBody =>
  wire === to.name ? body : to.fromChat(toChat(body))

/** Throws `invalid_request` when no upstream's wire can carry a request, for the first reason. */
export function checkCarried({ id, upstreams }: Model, request: ModelRequest): void {
  const refusals: AppError[] = []
  for (const { api } of upstreams) {
    const wire = UPSTREAM_WIRES[api]
    if (!wire) continue
    const refusal = refusalOf(request, wire)
    if (!refusal) return
    refusals.push(refusal)
  }
  throw refusals[0] ?? new Error(`${id} has no upstream for completions`)
}

function refusalOf(request: ModelRequest, wire: UpstreamWire): AppError | null {
  try {
    nativeBody(request, wire)
    return null
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return error
    throw error
  }
}
