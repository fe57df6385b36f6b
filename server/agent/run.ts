import type { LimitSource } from '../credits/shape'
import { findModel } from '../models/registry'
import type { Model } from '../models/shape'
import type { AnyTool } from '../tools/define'
import type { Agent } from './agents/shape'
import { findAgent } from './router'
import { type JobStatus, type Mode, type StepKind, Thought } from './shape'

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
export type Answers = Map<number, { approved: boolean; feedback: string | null }>

/** A run in a worker's hands: read from our rows when its fence was taken, then kept up with what it writes. */
export type Run = {
  jobId: string
  runId: string
  ownerId: number
  keyId: number
  fence: number
  /** Tries of the step under way, this one included. */
  tries: number
  mode: Mode
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
  answers: Answers
  /** What this run may use: its capabilities without what the owner has switched off. Nothing it reads changes that. */
  tools: readonly AnyTool[]
  reachedBy: LimitSource | null
}

/** The steps of this run alone. */
export const ownSteps = (run: Run): RunStep[] => run.steps.filter(({ runId }) => runId === run.runId)

/** The model's latest step of this run. */
export const lastThought = (run: Run): { step: RunStep; thought: Thought } | null => {
  const step = ownSteps(run).findLast(({ kind }) => kind === 'model')
  return step ? { step, thought: Thought.parse(step.output) } : null
}

/** The index of the next new step. Calls of the model's latest step have theirs reserved right behind it. */
export function nextIndex(run: Run): number {
  const last = run.steps.at(-1)?.index ?? -1
  const latest = run.steps.findLast(({ kind }) => kind === 'model')
  const reserved = latest ? latest.index + Thought.parse(latest.output).calls.length : -1
  return Math.max(last, reserved) + 1
}

export const HAND_OFF = 'hand_off'

/** Who is at work: whoever was handed over to last, else who began. */
export function currentAgent(run: Run): Agent {
  const handed = ownSteps(run).findLast(({ kind, name, error }) => kind === 'tool' && name === HAND_OFF && !error)
  const to = (handed?.output as { agent?: unknown } | undefined)?.agent
  return findAgent(typeof to === 'string' ? to : run.firstAgent)
}

/** An interactive run acts only after a plan of this turn was approved. */
export const mayAct = (run: Run): boolean =>
  run.mode === 'autonomous' ||
  ownSteps(run).some(({ kind, output }) => kind === 'plan' && (output as { approved?: unknown }).approved === true)

/** The chat model of this id, if it can be called here. */
export const chatModelOf = (id: string): Model | null => {
  const model = findModel(id)
  return model?.kind === 'chat' ? model : null
}

export const callIdOf = (index: number): string => `call_${index}`
