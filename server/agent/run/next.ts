import { log } from '../../kit/log'
import type { Approval, Capability } from '../../tools/define'
import type { Pause } from '../jobs/pause'
import { callerOf, callsOf } from './approvals/calls'
import { mergeApprovals } from './approvals/merge'
import { isApprovedForRun, isPermitted } from './approvals/permitted'
import { sendingApproval } from './approvals/sending'
import { ASK_USER, PRESENT_PLAN, REMEMBER } from './builtin-tools'
import { creditsLeft } from './credits-left'
import { readPlan } from './plan'
import { planPrice, planPriceText } from './plan-price'
import { whyAskToRemember } from './remember'
import { type AgentRun, canUseTools, lastModelStep, type PendingCall, stepsOfRun, toolCallIdOf } from './state'
import { findUsableTool, parseToolArguments } from './tool-access'
import { finishedAnswers, isUnfinished } from './unfinished-replies'

export type NextStep =
  | { kind: 'model_step' }
  | { kind: 'tool_calls'; calls: PendingCall[] }
  | { kind: 'pause'; awaiting: Pause }
  | { kind: 'final_summary' }
  | { kind: 'end'; result: string }
  /** The answer is there, and must conform to this schema. */
  | { kind: 'conclude'; schema: Record<string, unknown> }

/** A run with so many steps is ended, whatever it may still spend. */
export const MAX_STEPS = 1_000

/**
 * What a run does next. It depends on the run's rows alone, so any worker can continue the run at
 * any time.
 */
export async function decideNextStep(run: AgentRun): Promise<NextStep> {
  if (run.limitReached !== null) return { kind: 'final_summary' }
  const last = lastModelStep(run)
  if (!last) return { kind: 'model_step' }
  if (isUnfinished(last.output)) return { kind: 'model_step' }
  if (last.output.calls.length === 0) {
    const schema = run.outputSchema
    if (schema) return { kind: 'conclude', schema }
    return { kind: 'end', result: finishedAnswers(stepsOfRun(run)).at(-1) ?? '' }
  }
  const done = new Set(stepsOfRun(run).map(({ index }) => index))
  const pending = last.output.calls
    .map((call, i): PendingCall => ({ ...call, index: last.step.index + 1 + i }))
    .filter(({ index }) => !done.has(index))
  if (pending.length === 0) return { kind: 'model_step' }
  const checked = await Promise.all(
    withoutLaterChanges(run, pending).map(async (call) => ({ call, pause: await pauseFor(run, call) })),
  )
  const ready = checked.flatMap(({ call, pause }) =>
    pause === null ? [call] : pause === 'permitted' ? [{ ...call, isPermitted: true }] : [],
  )
  if (ready.length > 0) return { kind: 'tool_calls', calls: ready }
  const asked = checked[0]?.pause
  return asked && asked !== 'permitted' ? { kind: 'pause', awaiting: await withEffect(asked) } : { kind: 'model_step' }
}

/** Capabilities whose tools change what others of them read: datasets, sites, files. */
const IN_ORDER: ReadonlySet<Capability> = new Set(['data', 'site', 'pod'])

/**
 * The calls that may be made now: of those that read and change the same things only the first, so
 * that one finds what the one before has made.
 */
function withoutLaterChanges({ tools }: AgentRun, pending: readonly PendingCall[]): PendingCall[] {
  const inOrder = new Set(tools.filter(({ capability }) => IN_ORDER.has(capability)).map(({ id }) => id))
  const first = pending.find(({ name }) => inOrder.has(name))
  return pending.filter((call) => call === first || !inOrder.has(call.name))
}

/**
 * What a person must be asked before a call is made; null: nothing, or it was answered.
 * `permitted`: it destroys something, and the run may do that without asking.
 */
async function pauseFor(run: AgentRun, call: PendingCall): Promise<Asked | 'permitted' | null> {
  const params = parseToolArguments(call.arguments)
  if (params === null || run.answers.has(call.index)) return null
  const reference = { toolCallId: toolCallIdOf(call.index), index: call.index, tool: call.name }
  if (run.mode === 'interactive' && call.name === ASK_USER && isText(params.question))
    return { kind: 'question', question: params.question, ...reference }
  if (run.mode === 'interactive' && call.name === PRESENT_PLAN) return planPause(run, params, reference)
  if (call.name === REMEMBER && canUseTools(run)) {
    const asked = whyAskToRemember(run, params)
    const none = { command: null, sql: null, deploymentId: null }
    return asked && { kind: 'approval', approval: { ...asked, ...none }, ...reference }
  }
  const usable = findUsableTool(run, call.name, params)
  if (!usable.ok) return null
  const { tool } = usable
  const parsed = tool.params.safeParse(params)
  if (!parsed.success) return null
  const destructive = (await tool.asks?.(parsed.data as never, callerOf(run))) ?? null
  const isAllowed = destructive !== null && mayDestroy(run, call, destructive)
  const approval = mergeApprovals(isAllowed ? null : destructive, await sendingApproval(run, call.index))
  if (!approval) return isAllowed ? 'permitted' : null
  const { summary, reason, command = null, sql = null, deploymentId = null, needs, effect } = approval
  const permissions = needs && [...needs]
  const shown = { summary, command, sql, reason, deploymentId, permissions }
  return { kind: 'approval', approval: shown, ...reference, effectOf: effect }
}

/** What a person is asked, and what would change, which takes time and is worked out once. */
type Asked = Pause & { effectOf?: Approval['effect'] }

async function withEffect({ effectOf, ...asked }: Asked): Promise<Pause> {
  const effect = await effectOf?.().catch((error: unknown) => {
    log.info({ err: (error as Error).message }, 'an approval does not say what would change')
    return null
  })
  return asked.approval && effect ? { ...asked, approval: { ...asked.approval, effect } } : asked
}

/** Whether a call may destroy what its tool says without asking. */
function mayDestroy(run: AgentRun, { index }: PendingCall, { needs = [] }: Approval): boolean {
  if (needs.length > 0 && needs.every((need) => isPermitted(run, need))) return true
  const calls = callsOf(run)
  const call = calls.find((one) => one.index === index)
  return call !== undefined && isApprovedForRun(run, call, calls)
}

async function planPause(
  run: AgentRun,
  params: Record<string, unknown>,
  reference: Pick<Pause, 'toolCallId' | 'index' | 'tool'>,
): Promise<Pause | null> {
  const read = readPlan(run, params)
  if (!read.ok) return null
  const { markdown, details } = read.plan
  const planDetails = details && { ...details, creditsLeft: (await creditsLeft(run)).credits }
  const price = await planPrice(run, { markdown, details })
  const plan = `${markdown}\n\n${planPriceText(price)}`
  return { kind: 'plan', plan, ...(planDetails && { planDetails }), price, ...reference }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
