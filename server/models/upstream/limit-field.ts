import { abilitiesAt } from '../abilities/of-upstream'
import type { ModelRequest } from '../completion'
import type { Model, Upstream } from '../shape'
import { type LimitField, limitFieldOf } from '../wires/chat/output-limit'
import { chatUpstream } from '../wires/chat/upstream'
import { UpstreamFailure } from './failure'
import { nativeBody } from './native-body'

/**
 * The names that upstreams without a `limitField` in the registry were found to take, in this
 * process.
 */
const found = new Map<string, LimitField>()

/** A model at one of its upstreams. */
type AskedAt = { model: Model; upstream: Upstream }

const keyOf = ({ baseUrl, model }: Upstream) => `${baseUrl} ${model}`

/** An upstream as it is asked: with the limit's name that it was found to take. */
export function withFoundLimitField(upstream: Upstream): Upstream {
  const limitField = upstream.limitField ?? found.get(keyOf(upstream))
  return limitField === undefined ? upstream : { ...upstream, limitField }
}

export const rememberLimitField = (upstream: Upstream, field: LimitField): void =>
  void found.set(keyOf(upstream), field)

/**
 * The other name of the output limit, where an upstream refused a request and named the one it was
 * sent. Null: nothing to try again with.
 */
export function otherLimitField(
  error: unknown,
  { model, upstream }: AskedAt,
  request: ModelRequest,
): LimitField | null {
  if (upstream.api !== 'chat' || upstream.limitField) return null
  const abilities = abilitiesAt(model, upstream)
  const sent = limitFieldOf(nativeBody(request, chatUpstream), withFoundLimitField(upstream), abilities)
  if (!namesField(error, sent)) return null
  return sent === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
}

const NAMED = { max_tokens: /\bmax_tokens\b/, max_completion_tokens: /\bmax_completion_tokens\b/ }

/** True for a 400 or 422 that names a field. */
export function namesField(error: unknown, field: LimitField): boolean {
  if (!(error instanceof UpstreamFailure) || (error.status !== 400 && error.status !== 422)) return false
  return NAMED[field].test(JSON.stringify(error.details.error) ?? '')
}
