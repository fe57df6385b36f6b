import { boundChildren } from '../kit/metrics/bound-children'
import { counter, histogram } from '../kit/metrics/registry'

const calls = boundChildren(
  counter('tollgate_tool_calls_total', 'Calls of tools that ran: ok, failed, or void where nothing was delivered', [
    'tool',
    'outcome',
  ]),
)
const duration = boundChildren(
  histogram('tollgate_tool_duration_seconds', 'Time that tools ran, without reserving and charging', {
    labelNames: ['tool'],
  }),
)

/** Counts a call that has run. `tool`: its id in the registry. */
export function countToolCall(tool: string, outcome: 'ok' | 'failed' | 'void', durationMs: number): void {
  calls(tool, outcome).inc()
  duration(tool).observe(durationMs / 1_000)
}

/** How one request to a provider went; `refused` is any other 4xx, `failed` a 5xx. */
type ProviderOutcome = 'ok' | 'refused' | 'rate_limited' | 'failed' | 'timeout' | 'unreachable' | 'broken'

const providerCalls = boundChildren(
  counter('tollgate_provider_requests_total', 'Requests of tools to providers, each attempt, by host and outcome', [
    'host',
    'outcome',
  ]),
)
const providerDuration = boundChildren(
  histogram('tollgate_provider_request_duration_seconds', 'Time until a provider had responded', {
    labelNames: ['host'],
  }),
)

/** Operators set the hosts, and a provider may name some of its own. */
const MAX_HOSTS = 100
const hosts = new Set<string>()

/** A host as a label: `other` beyond so many. */
function labelOfHost(host: string): string {
  if (hosts.size < MAX_HOSTS) hosts.add(host)
  return hosts.has(host) ? host : 'other'
}

/** Counts one request to a provider, begun at `startedAt` by `performance.now()`. */
export function countProviderRequest(url: string | URL, outcome: ProviderOutcome, startedAt: number): void {
  const host = labelOfHost(new URL(url).host)
  providerCalls(host, outcome).inc()
  providerDuration(host).observe((performance.now() - startedAt) / 1_000)
}

/** What a response counts as. */
export function providerOutcome(status: number): ProviderOutcome {
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'ok'
}
