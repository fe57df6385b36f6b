import { boundChildren } from '../kit/metrics/bound-children'
import { counter, histogram } from '../kit/metrics/registry'
import type { TokenUsage } from './completion'
import type { Model, Upstream } from './shape'

/**
 * How a call of an upstream went. `refused`: an error of the caller's. `broken`: it failed while it
 * answered. `cancelled`: its client disconnected.
 */
export type UpstreamOutcome =
  | 'ok'
  | 'refused'
  | 'cancelled'
  | 'timeout'
  | 'unreachable'
  | 'rate_limited'
  | 'credentials'
  | 'server_error'
  | 'invalid'
  | 'broken'

const calls = boundChildren(
  counter('tollgate_upstream_calls_total', 'Calls of models at their upstreams, by how they went', [
    'model',
    'upstream',
    'outcome',
  ]),
)
const firstToken = boundChildren(
  histogram('tollgate_upstream_first_token_seconds', 'Time until an upstream began to answer', {
    labelNames: ['model', 'upstream'],
  }),
)
const duration = boundChildren(
  histogram('tollgate_upstream_duration_seconds', 'Time until an upstream had answered or failed', {
    labelNames: ['model', 'upstream'],
  }),
)
const tokens = boundChildren(
  counter('tollgate_tokens_total', 'Tokens billed, by model: input without what the cache held, cached input, output', [
    'model',
    'kind',
  ]),
)

const hosts = new WeakMap<Upstream, string>()

/** An upstream's host and port: what an operator knows it by. */
function hostOf(upstream: Upstream): string {
  const known = hosts.get(upstream)
  if (known !== undefined) return known
  const { host } = new URL(upstream.baseUrl)
  hosts.set(upstream, host)
  return host
}

/** One call of one upstream, which is counted once. */
export type MeasuredUpstreamCall = {
  /** Says that the answer goes on after it has begun. Returns what is called at its end. */
  followStream: () => (outcome: UpstreamOutcome) => void
  /** The answer has begun; it is there as a whole unless a stream is followed. */
  served: () => void
  failed: (outcome: UpstreamOutcome) => void
}

/** Begins to measure a call of one upstream of a model. */
export function measureUpstreamCall({ id }: Pick<Model, 'id'>, upstream: Upstream): MeasuredUpstreamCall {
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1_000
  const host = hostOf(upstream)
  let isServed = false
  // Null: what is served is whole. A stream may end before its first output was passed on.
  let stream: { outcome: UpstreamOutcome | null } | null = null
  const count = (outcome: UpstreamOutcome) => {
    calls(id, host, outcome).inc()
    if (outcome !== 'cancelled') duration(id, host).observe(seconds())
  }
  return {
    followStream: () => {
      const followed: { outcome: UpstreamOutcome | null } = { outcome: null }
      stream = followed
      return (outcome) => {
        if (followed.outcome !== null) return
        followed.outcome = outcome
        if (isServed) count(outcome)
      }
    },
    served: () => {
      isServed = true
      firstToken(id, host).observe(seconds())
      const outcome = stream ? stream.outcome : 'ok'
      if (outcome !== null) count(outcome)
    },
    failed: count,
  }
}

/** Counts the tokens that a call is billed for. */
export function countBilledTokens({ id }: Pick<Model, 'id'>, usage: TokenUsage): void {
  const { inputTokens, outputTokens, cachedInputTokens = 0 } = usage
  tokens(id, 'input').inc(Math.max(0, inputTokens - cachedInputTokens))
  tokens(id, 'cached_input').inc(cachedInputTokens)
  tokens(id, 'output').inc(outputTokens)
}
