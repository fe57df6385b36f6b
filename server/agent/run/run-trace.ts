import { createHash } from 'node:crypto'
import type { SpanContext } from '@opentelemetry/api'
import { currentTracer, type Tracer, withSpan } from '../../kit/tracing/tracer'
import type { JobStatus } from '../shape'
import type { AgentRun } from './state'

/** A run, and the span that started it: null where that was not traced. */
export type TracedRun = { runId: string; traceparent: string | null }

type StepSubject = Pick<AgentRun, 'jobId' | 'ownerId' | 'keyId' | 'traceparent' | 'runId' | 'model'>
type TurnSubject = StepSubject & Pick<AgentRun, 'startedAt' | 'firstAgent' | 'endedAs'>

const digest = (what: string, { runId }: TracedRun): string =>
  createHash('sha256').update(`${what} ${runId}`).digest('hex')

/**
 * The span of a turn, which ends when the turn does, perhaps days later in another process. Its id
 * is made from the run's, so every process knows it; so is the trace of a run that nothing traced
 * has started.
 */
function turnContext(run: TracedRun, tracer: Tracer): { parent?: SpanContext; turn: SpanContext } {
  const spanId = digest('span', run).slice(0, 16)
  const stored = run.traceparent === null ? undefined : tracer.parentIn({ traceparent: run.traceparent })
  // It was made here, so its flag counts, unlike a caller's.
  if (stored) return { parent: { ...stored, isRemote: false }, turn: { ...stored, spanId, isRemote: false } }
  const traceId = digest('trace', run).slice(0, 32)
  return { turn: { traceId, spanId, traceFlags: tracer.flagsFor(traceId), isRemote: false } }
}

/** Runs work that belongs to a run, in a span below that of its turn. */
export function withRunSpan<T>(run: TracedRun, name: string, work: Parameters<typeof withSpan<T>>[1]): Promise<T> {
  const tracer = currentTracer()
  return tracer ? withSpan({ name, parent: turnContext(run, tracer).turn }, work) : work()
}

/** Runs a step of a run in a span, which is exported when the step ends. */
export const withStepSpan = <T>(run: StepSubject, kind: string, work: () => Promise<T>): Promise<T> =>
  withRunSpan(run, 'step', (span) => {
    span?.updateName(`step ${kind}`)
    span?.setAttributes({ ...runAttributes(run), 'tollgate.step.kind': kind })
    return work()
  })

const runAttributes = ({ jobId, runId, ownerId, keyId, model }: StepSubject) => ({
  'gen_ai.conversation.id': jobId,
  'gen_ai.request.model': model.id,
  'tollgate.run.id': runId,
  'tollgate.owner.id': ownerId,
  'tollgate.key.id': keyId,
})

/** Exports the span of a turn that this process has ended. */
export function endTurnSpan(run: TurnSubject): void {
  const tracer = currentTracer()
  if (!tracer || !run.endedAs) return
  const { parent, turn } = turnContext(run, tracer)
  const { span, fail } = tracer.open({
    name: `invoke_agent ${run.firstAgent}`,
    parent,
    ids: turn,
    startedAt: run.startedAt,
    attributes: {
      ...runAttributes(run),
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': run.firstAgent,
      'tollgate.run.status': run.endedAs satisfies JobStatus,
    },
  })
  if (run.endedAs === 'failed') fail({ code: 'run_failed' })
  else span.end()
}
