import { LimitState } from '../../credits/limit-state'
import { holdAndRun } from '../../credits/perform'
import { isOnlyReserved } from '../../credits/reserve'
import { LimitSource } from '../../credits/shape'
import { AppError } from '../../errors'
import { planToolCall } from '../../tools/call'
import type { AnyTool } from '../../tools/define'
import { callerOf } from './approvals/calls'
import { knownBy } from './approvals/origins'
import { REMEMBER } from './builtin-tools'
import { stepHoldId } from './call-model'
import { commitStep, type RunProgress } from './commit'
import { creditsLeft, isBudgetOfModel } from './credits-left'
import { earlierResult } from './earlier-results'
import { beginLiveStep } from './live-steps'
import { TOOLS_CALL, TOOLS_FIND } from './loaded-tools'
import { handleRefusedStep } from './refused-step'
import { keepLine } from './remember'
import { readResult } from './result-read'
import { runPayer } from './run-payer'
import { type AgentRun, canUseTools, type PendingCall } from './state'
import type { StepDraft, StepOutcome } from './step-draft'
import { finalSummaryReserve } from './summary-reserve'
import {
  failedCall,
  findUsableTool,
  inputAsTaken,
  paramsHint,
  parseToolArguments,
  whyNotArguments,
} from './tool-access'
import { RESULT_READ } from './tool-result'
import { findTools } from './tools-find'
import { CONTINUE, type Transition } from './transition'

/**
 * Runs tool calls in parallel, each as a step with its own charge, committed when the call ends.
 * The model gets results and failures alike; only an unavailable database or a revoked key stops
 * the run here.
 */
export async function runToolCalls(run: AgentRun, calls: readonly PendingCall[]): Promise<RunProgress> {
  const minRemaining = await finalSummaryReserve(run, calls.length)
  const results = await Promise.allSettled(calls.map((call) => runToolCall(run, call, minRemaining)))
  const rejected = results.find((result) => result.status === 'rejected')
  if (rejected) return handleRefusedStep(run, rejected.reason)
  return results.some((result) => result.status === 'fulfilled' && result.value === 'stop') ? 'stop' : 'continue'
}

async function runToolCall(run: AgentRun, call: PendingCall, minRemaining: bigint): Promise<RunProgress> {
  const startedAt = new Date()
  const params = run.answers.get(call.index)?.input ?? parseToolArguments(call.arguments)
  const draft = {
    index: call.index,
    kind: 'tool' as const,
    name: call.name,
    input: params === null ? call.arguments : inputAsTaken(run.tools, call.name, params),
    startedAt,
  }
  const commit = (step: Pick<StepDraft, 'settlement' | 'outcome'>, transition: Transition = CONTINUE) =>
    commitStep(run, { ...draft, ...step }, transition)
  const commitFree = (outcome: StepOutcome, transition?: Transition) =>
    commit({ settlement: null, outcome: () => outcome }, transition)

  if (params === null) return commitFree(failedCall('invalid_request', whyNotArguments(call.arguments)))
  if (call.name === TOOLS_CALL) return commitFree(failedCall('invalid_request', NO_TOOL_NAMED))
  if (call.name === TOOLS_FIND) return commitFree(findTools(run, params))
  if (call.name === RESULT_READ) return commitFree(readResult(run, params))
  if (call.name === REMEMBER && canUseTools(run)) return commitFree(await keepLine(run, call.index, params))
  const usable = findUsableTool(run, call.name, params)
  if (!usable.ok) return commitFree(usable.refusal)
  beginLiveStep(run, { ...draft, note: activityOf(usable.tool, draft.input) })
  try {
    const payer = runPayer(run)
    const planOf = (reserve: bigint) =>
      planToolCall({
        tool: usable.tool,
        params,
        payer,
        granted: true,
        id: stepHoldId(run, call.index),
        channel: 'agent',
        minRemaining: reserve,
        approved: call.isPermitted === true || run.answers.get(call.index)?.approved === true,
        run: callerOf(run).run,
        // Covers every result that the call may copy: those of steps before its model step.
        hasReadUntrusted: knownBy(run).foreign.length > 0,
        earlierOutput: (step) => earlierResult(run, step, 'fromStep').output,
      })
    const plan = await planOf(minRemaining)
    const performed = await holdAndRun(payer, plan).catch(async (error: unknown) => {
      // The reserve is of a message, which does not count against a budget of tools alone.
      const needed = Number(plan.terms.maxCredits + minRemaining)
      if (!isOfTools(run, error) || (await creditsLeft(run)).credits < needed) throw error
      return holdAndRun(payer, await planOf(0n))
    })
    const outcome: StepDraft['outcome'] = (settled) =>
      settled
        ? toStepOutcome(usable.tool, draft.input, () => performed.outcome(settled))
        : failedCall('internal_error', 'The call has no charge.')
    return await commit({ settlement: performed.settlement, outcome })
  } catch (error) {
    if (!(error instanceof AppError) || STOPPING_ERRORS.has(error.code) || isOnlyReserved(error)) throw error
    const hint = error.code === 'invalid_request' ? paramsHint(usable.tool, params) : ''
    const refusal = failedCall(error.code, error.message + hint)
    if (error.code !== 'insufficient_credits' || isOfTools(run, error)) return commitFree(refusal)
    return commitFree(refusal, { kind: 'limit', limit: LimitSource.parse(error.detail.limitSource) })
  }
}

const NO_TOOL_NAMED = 'Say which tool to call, as `name`, and its parameters as one JSON object, as `input`.'

/** True for a refusal by a budget that counts some tools and not the run's model: it can go on. */
function isOfTools(run: AgentRun, error: unknown): boolean {
  if (!(error instanceof AppError) || error.detail.limitSource !== 'budget') return false
  const limit = LimitState.safeParse(error.detail.limit)
  return limit.success && !isBudgetOfModel(run, limit.data.id)
}

/** What a call does, in words, where its tool says so. */
function activityOf({ params, activity }: AnyTool, input: unknown): string | undefined {
  const parsed = params.safeParse(input)
  return parsed.success ? activity?.(parsed.data as never) : undefined
}

/** Errors after which no other call can be made either. */
const STOPPING_ERRORS: ReadonlySet<string> = new Set([
  'unavailable',
  'unauthorized',
  'conflict',
  'internal_error',
  'rate_limited',
])

function toStepOutcome({ artifacts }: AnyTool, input: unknown, read: () => unknown): StepOutcome {
  try {
    const { result } = read() as { result?: unknown }
    const made = artifacts?.(result as never, input as never) ?? []
    return { output: result ?? {}, ...(made.length > 0 && { artifacts: made }) }
  } catch (error) {
    if (error instanceof AppError) return failedCall(error.code, error.message)
    throw error
  }
}
