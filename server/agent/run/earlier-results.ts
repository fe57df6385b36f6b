import { invalidRequest } from '../../errors'
import { type AgentRun, lastModelStep, type RunStep } from './state'

/** Steps that a refusal names. */
const MAX_NAMED = 20

/**
 * The results that a call may read: those of the turns that are sent to the model, by steps before
 * the model step that makes the call. What a concurrent call reads is not among them: the check of
 * what a run has read covers everything here.
 */
function readableSteps(run: AgentRun): RunStep[] {
  const turns = run.historyTurnLimit === null ? run.turns : run.turns.slice(-run.historyTurnLimit)
  const runIds = new Set(turns.map(({ runId }) => runId))
  const before = lastModelStep(run)?.step.index ?? 0
  return run.steps.filter(({ kind, index, runId }) => kind === 'tool' && index < before && runIds.has(runId))
}

/** The result of an earlier tool call. Throws `invalid_request` where the step has none. */
export function earlierResult(run: AgentRun, index: number, parameter: string): RunStep {
  const steps = readableSteps(run)
  const step = steps.find((one) => one.index === index)
  const refuse = (message: string) => invalidRequest([{ path: [parameter], message }])
  if (step?.error) throw refuse(`step ${index} failed and has no result: ${step.error.message.slice(0, 200)}`)
  if (step) return step
  const named = steps.filter(({ error }) => !error).map((one) => `${one.index} (${one.name})`)
  const list = named.length > 0 ? named.slice(-MAX_NAMED).join(', ') : 'none'
  throw refuse(`step ${index} is not an earlier tool call of this conversation. Steps with results: ${list}`)
}
