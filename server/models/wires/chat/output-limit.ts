import type { Abilities } from '../../abilities/shape'
import type { CompletionBody } from '../../completion'
import type { Upstream } from '../../shape'
import type { UpstreamAsk } from '../wire'

/** A name under which chat APIs take the output limit. */
export type LimitField = NonNullable<Upstream['limitField']>

/** The name of a request's limit: the upstream's, else its model's, else what the caller chose. */
export const limitFieldOf = (
  body: CompletionBody,
  { limitField }: Pick<Upstream, 'limitField'>,
  abilities?: Pick<Abilities, 'limitField'>,
): LimitField =>
  limitField ??
  abilities?.limitField ??
  (body.max_completion_tokens == null && body.max_tokens != null ? 'max_tokens' : 'max_completion_tokens')

/** A body's output limit, or ours where it has none, under one name. */
export function outputLimit(body: CompletionBody, { outputTokens, upstream, abilities }: UpstreamAsk): CompletionBody {
  const limit = body.max_completion_tokens ?? body.max_tokens ?? outputTokens
  if (limit == null) return {}
  return { max_tokens: undefined, max_completion_tokens: undefined, [limitFieldOf(body, upstream, abilities)]: limit }
}
