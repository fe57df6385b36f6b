import { boundChildren } from '../kit/metrics/bound-children'
import { counter, gauge, histogram } from '../kit/metrics/registry'
import type { StepKind } from './shape'

const steps = boundChildren(
  counter('tollgate_agent_steps_total', 'Steps of agent runs that this worker committed, by kind and outcome', [
    'kind',
    'outcome',
  ]),
)
const duration = boundChildren(
  histogram('tollgate_agent_step_duration_seconds', 'Time from the start of a step to its commit', {
    labelNames: ['kind'],
  }),
)
const ended = counter('tollgate_agent_runs_ended_total', 'Runs that this worker brought to an end, by status', [
  'status',
])
for (const status of ['completed', 'failed']) ended.labels(status).inc(0)

export const runsInProgress = gauge('tollgate_agent_runs_in_progress', 'Runs that this worker has claimed now')
export const takeovers = counter(
  'tollgate_agent_takeovers_total',
  'Runs that this worker claimed from a process that died or stalled in a step',
)
export const retriedSteps = counter(
  'tollgate_agent_steps_retried_total',
  'Steps tried again because their model failed',
)

/** Counts a step that was committed. `startedAt`: when it was begun. */
export function countStep(kind: StepKind, outcome: 'ok' | 'failed', startedAt: Date): void {
  steps(kind, outcome).inc()
  duration(kind).observe(Math.max(0, Date.now() - startedAt.getTime()) / 1_000)
}

export const countEndedRun = (status: 'completed' | 'failed'): void => ended.labels(status).inc()

const deliveries = counter('tollgate_webhook_attempts_total', 'Attempts to deliver a webhook, by outcome', ['outcome'])
for (const outcome of ['delivered', 'retried', 'failed']) deliveries.labels(outcome).inc(0)

/** Counts an attempt: `pending` is tried again, `failed` was the last one. */
export const countDelivery = (status: 'delivered' | 'pending' | 'failed'): void =>
  deliveries.labels(status === 'pending' ? 'retried' : status).inc()
