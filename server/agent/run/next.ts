import type { Pause } from '../jobs/pause'
import { mergeApprovals, outgoingApproval } from './approvals/outgoing'
import { ASK_USER, PRESENT_PLAN } from './builtin-tools'
import { type AgentRun, lastModelStep, type PendingCall, stepsOfRun, toolCallIdOf } from './state'
import { findUsableTool, parseToolArguments } from './tool-step'

export type NextStep =
  | { kind: 'think' }
  | { kind: 'act'; calls: PendingCall[] }
  | { kind: 'pause'; awaiting: Pause }
  | { kind: 'wrap_up' }
  | { kind: 'end'; result: string }

/** A run that goes on for ever is ended here, whatever it may still spend. */
export const MAX_STEPS = 1_000

/** What a run does next, read from its rows alone: whoever takes it over goes on where it stood. */
export async function decideNextStep(run: AgentRun): Promise<NextStep> {
  if (run.reachedBy !== null) return { kind: 'wrap_up' }
  const last = lastModelStep(run)
  if (!last) return { kind: 'think' }
  if (last.thought.calls.length === 0) return { kind: 'end', result: last.thought.text }
  const done = new Set(stepsOfRun(run).map(({ index }) => index))
  const pending = last.thought.calls
    .map((call, i): PendingCall => ({ ...call, index: last.step.index + 1 + i }))
    .filter(({ index }) => !done.has(index))
  if (pending.length === 0) return { kind: 'think' }
  const asked = await Promise.all(pending.map(async (call) => ({ call, awaiting: await askOf(run, call) })))
  const free = asked.filter(({ awaiting }) => awaiting === null).map(({ call }) => call)
  if (free.length > 0) return { kind: 'act', calls: free }
  const [first] = asked
  return first?.awaiting ? { kind: 'pause', awaiting: first.awaiting } : { kind: 'think' }
}

/** What a person must be asked before a call is made; null: nothing, or it was answered. */
async function askOf(run: AgentRun, call: PendingCall): Promise<Pause | null> {
  const params = parseToolArguments(call.arguments)
  if (params === null || run.answers.has(call.index)) return null
  const place = { toolCallId: toolCallIdOf(call.index), index: call.index, tool: call.name }
  if (run.mode === 'interactive' && call.name === ASK_USER && isText(params.question))
    return { kind: 'question', question: params.question, ...place }
  if (run.mode === 'interactive' && call.name === PRESENT_PLAN && isText(params.plan))
    return { kind: 'plan', plan: params.plan, ...place }
  const found = findUsableTool(run, call.name)
  if (!found.ok) return null
  const parsed = found.tool.params.safeParse(params)
  if (!parsed.success) return null
  const caller = { ownerId: run.ownerId, jobId: run.jobId }
  const destroys = (await found.tool.asks?.(parsed.data as never, caller)) ?? null
  const approval = mergeApprovals(destroys, await outgoingApproval(run, found.tool, parsed.data))
  if (!approval) return null
  const { summary, reason, command = null, sql = null, deploymentId = null } = approval
  return { kind: 'approval', approval: { summary, command, sql, reason, deploymentId }, ...place }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
