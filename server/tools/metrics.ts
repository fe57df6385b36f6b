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
