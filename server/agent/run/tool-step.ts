import { LimitSource } from '../../credits/shape'
import { AppError, isAppError } from '../../errors'
import { callToolUnsettled } from '../../tools/call'
import type { AnyTool } from '../../tools/define'
import { agentsFor, findAgent } from '../agents/router'
import { taintOf } from './approvals/taint'
import { ASK_USER, PRESENT_PLAN } from './builtin-tools'
import { stepHoldId } from './call-model'
import { commitStep, type RunProgress } from './commit'
import { finalSummaryReserve } from './final-summary'
import { handleRefusedStep } from './refused-step'
import { type AgentRun, canUseTools, currentAgent, HAND_OFF, type PendingCall } from './state'
import type { StepDraft, StepOutcome } from './step-draft'
import { CONTINUE, type Transition } from './transition'

/**
 * Makes calls side by side, each a step of its own with its own charge, written when it ends. What a call brings back
 * or how it fails goes to the model; only a lost database or a key that is gone stops the run here.
 */
export async function runToolCalls(run: AgentRun, calls: readonly PendingCall[]): Promise<RunProgress> {
  const spare = await finalSummaryReserve(run, calls.length)
  const made = await Promise.allSettled(calls.map((call) => makeCall(run, call, spare)))
  const broken = made.find((one) => one.status === 'rejected')
  if (broken) return handleRefusedStep(run, broken.reason)
  return made.some((one) => one.status === 'fulfilled' && one.value === 'over') ? 'over' : 'on'
}

async function makeCall(run: AgentRun, call: PendingCall, spare: bigint): Promise<RunProgress> {
  const startedAt = new Date()
  const params = parseToolArguments(call.arguments)
  const draft = {
    index: call.index,
    kind: 'tool' as const,
    name: call.name,
    input: params ?? call.arguments,
    startedAt,
  }
  const write = async (step: Pick<StepDraft, 'settlement' | 'outcome'>, transition: Transition = CONTINUE) =>
    (await commitStep(run, { ...draft, ...step }, transition)).going
  const say = (outcome: StepOutcome, transition?: Transition) =>
    write({ settlement: null, outcome: () => outcome }, transition)

  if (params === null) return say(failed('invalid_request', 'The arguments are not a JSON object.'))
  if (call.name === HAND_OFF) return say(handOver(run, params))
  const tool = findUsableTool(run, call.name)
  if (!tool.ok) return say(tool.failed)
  try {
    const id = stepHoldId(run, call.index)
    const payer = { ownerId: run.ownerId, keyId: run.keyId, jobId: run.jobId }
    const approved = run.answers.get(call.index)?.approved === true
    const done = await callToolUnsettled({
      tool: tool.tool,
      params,
      payer,
      granted: true,
      id,
      door: 'agent',
      spare,
      approved,
      hasReadForeign: taintOf(run.steps).foreign.length > 0,
    })
    if (done.kind === 'replay') throw new AppError('internal_error', 'A step was answered from elsewhere.')
    const outcome: StepDraft['outcome'] = (settled) =>
      settled ? outcomeOf(() => done.outcome(settled)) : failed('internal_error', 'The call was not settled.')
    return await write({ settlement: done.settlement, outcome })
  } catch (error) {
    if (!isAppError(error) || STOPS.has(error.code)) throw error
    const refused = failed(error.code, error.message)
    if (error.code !== 'insufficient_credits') return say(refused)
    return say(refused, { kind: 'limit', limit: LimitSource.parse(error.detail.limitSource) })
  }
}

/** What no call can be made after. */
const STOPS: ReadonlySet<string> = new Set([
  'unavailable',
  'unauthorized',
  'conflict',
  'internal_error',
  'rate_limited',
])

const failed = (code: string, message: string): StepOutcome => ({ error: { code, message } })

function outcomeOf(read: () => unknown): StepOutcome {
  try {
    const done = read() as { result?: unknown }
    return { output: done.result ?? {} }
  } catch (error) {
    if (isAppError(error)) return failed(error.code, error.message)
    throw error
  }
}

/** A call's arguments, or null where they are no object; none at all are an empty one. */
export function parseToolArguments(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null
  } catch {
    return null
  }
}

type Usable = { ok: true; tool: AnyTool } | { ok: false; failed: StepOutcome }

/** The tool of a name, if this run may use it now: the model is told no more than what it was offered. */
export function findUsableTool(run: AgentRun, name: string): Usable {
  const refuse = (code: string, message: string): Usable => ({ ok: false, failed: failed(code, message) })
  if (!canUseTools(run))
    return refuse('forbidden', 'Show your plan with present_plan first: nothing is done before it is approved.')
  if (name === ASK_USER || name === PRESENT_PLAN)
    return refuse('forbidden', 'Nobody is there to answer: decide yourself.')
  const tool = run.tools.find(({ id }) => id === name)
  if (!tool) return refuse('unknown_tool', `There is no tool "${name}" in this run.`)
  return { ok: true, tool }
}

function handOver(run: AgentRun, { agent }: Record<string, unknown>): StepOutcome {
  if (!canUseTools(run)) return failed('forbidden', 'Show your plan with present_plan first.')
  const others = agentsFor(run.tools).filter(({ id }) => id !== currentAgent(run).id)
  const to = others.find(({ id }) => id === agent)
  if (!to) return failed('invalid_request', `Hand over to one of: ${others.map(({ id }) => id).join(', ')}.`)
  return { output: { agent: findAgent(to.id).id, label: to.label } }
}
