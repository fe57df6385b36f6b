import type { LimitSource } from '../../credits/shape'
import { findModel } from '../../models/registry'
import type { Model } from '../../models/shape'
import type { AnyTool } from '../../tools/define'
import { findAgent } from '../agents/router'
import type { Agent } from '../agents/shape'
import { type JobStatus, ModelStepOutput, type RunMode, type StepKind } from '../shape'

/** A step as a run reads it. */
export type RunStep = {
  index: number
  runId: string
  kind: StepKind
  name: string
  input: unknown
  output: unknown
  error: { code: string; message: string } | null
  charged: number
}

/** A call of the model's latest step that has no step yet. */
export type PendingCall = { index: number; name: string; arguments: string }

export type RunTurn = { runId: string; number: number; goal: string; status: JobStatus; result: string | null }

/** What a person said to a call, by the call's step index. */
export type CallAnswers = Map<number, { approved: boolean; feedback: string | null }>

/** A run in a worker's hands: read from our rows when its fence was taken, then kept up with what it writes. */
export type AgentRun = {
  jobId: string
  runId: string
  ownerId: number
  keyId: number
  fence: number
  /** Tries of the step under way, this one included. */
  tries: number
  mode: RunMode
  model: Model
  goal: string
  /** The agent the router chose to begin with. */
  firstAgent: string
  historyTurnLimit: number | null
  capCredits: number
  /** Every turn up to this one, in order. */
  turns: RunTurn[]
  /** Every step of the conversation, in order. */
  steps: RunStep[]
  answers: CallAnswers
  /** What this run may use: its capabilities without what the owner has switched off. Nothing it reads changes that. */
  tools: readonly AnyTool[]
  reachedBy: LimitSource | null
}

/** The steps of this run alone. */
export const stepsOfRun = (run: AgentRun): RunStep[] => run.steps.filter(({ runId }) => runId === run.runId)

/** The model's latest step of this run. */
export const lastModelStep = (run: AgentRun): { step: RunStep; thought: ModelStepOutput } | null => {
  const step = stepsOfRun(run).findLast(({ kind }) => kind === 'model')
  return step ? { step, thought: ModelStepOutput.parse(step.output) } : null
}

/** The index of the next new step. Calls of the model's latest step have theirs reserved right behind it. */
export function nextStepIndex(run: AgentRun): number {
  const last = run.steps.at(-1)?.index ?? -1
  const latest = run.steps.findLast(({ kind }) => kind === 'model')
  const reserved = latest ? latest.index + ModelStepOutput.parse(latest.output).calls.length : -1
  return Math.max(last, reserved) + 1
}

export const HAND_OFF = 'hand_off'

/** Who is at work: whoever was handed over to last, else who began. */
export function currentAgent(run: AgentRun): Agent {
  const handed = stepsOfRun(run).findLast(({ kind, name, error }) => kind === 'tool' && name === HAND_OFF && !error)
  const to = (handed?.output as { agent?: unknown } | undefined)?.agent
  return findAgent(typeof to === 'string' ? to : run.firstAgent)
}

/** An interactive run acts only after a plan of this turn was approved. */
export const canUseTools = (run: AgentRun): boolean =>
  run.mode === 'autonomous' ||
  stepsOfRun(run).some(({ kind, output }) => kind === 'plan' && (output as { approved?: unknown }).approved === true)

/** The chat model of this id, if it can be called here. */
export const findChatModel = (id: string): Model | null => {
  const model = findModel(id)
  return model?.kind === 'chat' ? model : null
}

export const toolCallIdOf = (index: number): string => `call_${index}`
