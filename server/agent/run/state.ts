import type { OwnerAgentSettings } from '../../accounts/shape'
import type { LimitSource } from '../../credits/shape'
import { findModel } from '../../models/registry'
import type { Model } from '../../models/shape'
import type { AnyTool } from '../../tools/define'
import { agentOfTool } from '../agents'
import type { StoredCheck } from '../checks/stored'
import type { StoredAttachment } from '../jobs/attachments'
import type { JobStatus, Permissions, RunMode, StepKind } from '../shape'
import { ModelStepOutput } from './model-step-output'

/** A step as a run reads it. */
export type RunStep = {
  index: number
  runId: string
  kind: StepKind
  name: string
  input: unknown
  output: unknown
  error: { code: string; message: string } | null
  /** Credits. */
  charged: number
}

/** A tool call of the latest model step that has no step yet. */
export type PendingCall = {
  index: number
  name: string
  arguments: string
  /** Nobody has to be asked: the run is permitted it, or an earlier answer covers it. */
  isPermitted?: boolean
}

export type RunTurn = {
  runId: string
  number: number
  goal: string
  status: JobStatus
  result: string | null
  attachments: StoredAttachment[]
  checks: StoredCheck[] | null
  startedAt: Date
}

/** What a person answered about a call, by the call's step index. */
type CallAnswers = Map<
  number,
  /** `input`: what a person made of the call's parameters; null: they were left as they were. */
  { approved: boolean; feedback: string | null; scope: string | null; input: Record<string, unknown> | null }
>

/**
 * A run that a worker has claimed: read from the database once, then updated with what the worker
 * commits.
 */
export type AgentRun = {
  /** Also the id of the conversation and of its spend limit. */
  jobId: string
  runId: string
  ownerId: number
  keyId: number
  /** Whom its owner serves with it; null: nobody in particular. */
  customerId: number | null
  /** The member who started it at the dashboard; null: it was started otherwise. */
  personId: number | null
  /** Goes up with every claim; a commit under an older one writes nothing. */
  fencingToken: number
  /** Attempts of the step in progress, this one included. */
  attempts: number
  mode: RunMode
  model: Model
  /** Summarizes its history; null: its own model does. */
  summaryModel: Model | null
  goal: string
  /** Id of the agent that its conversation began with. */
  firstAgent: string
  historyTurnLimit: number | null
  spendLimitCredits: number
  /** What the conversation will have spent when this run has spent what it may, if that is less. */
  stopAtCredits: number | null
  /** The JSON Schema that the result must conform to. */
  outputSchema: Record<string, unknown> | null
  /** What its result must be like, and what came of that so far; null: nothing. */
  checks: StoredCheck[] | null
  /** Every turn up to this one, in order. */
  turns: RunTurn[]
  /** Every step of the conversation, in order. */
  steps: RunStep[]
  answers: CallAnswers
  /**
   * The tools of its capabilities that the owner has not disabled. Nothing the run reads changes
   * them.
   */
  tools: readonly AnyTool[]
  /** What this run may do without asking a person. */
  permissions: Permissions
  /** The schedule that it is a run of. */
  scheduleId: string | null
  /** False: it neither reads nor writes notes. */
  usesNotes: boolean
  /** What its owner chose for agent runs. */
  settings: OwnerAgentSettings
  /** The limit that keeps the run from its next step. */
  limitReached: LimitSource | null
  /** The span that started this turn, if that was traced; and when. */
  traceparent: string | null
  startedAt: Date
  /** How this process has ended the turn. */
  endedAs?: 'completed' | 'failed'
}

/** The steps of this run, without those of earlier turns. */
export const stepsOfRun = (run: AgentRun): RunStep[] => run.steps.filter(({ runId }) => runId === run.runId)

/** The latest model step of this run. */
export function lastModelStep(run: AgentRun): { step: RunStep; output: ModelStepOutput } | null {
  const step = stepsOfRun(run).findLast(({ kind }) => kind === 'model')
  return step ? { step, output: ModelStepOutput.parse(step.output) } : null
}

/**
 * The index of the next new step. The calls of a model step have the indexes right after it
 * reserved.
 */
export function nextStepIndex(run: AgentRun): number {
  const last = run.steps.at(-1)?.index ?? -1
  const latest = run.steps.findLast(({ kind }) => kind === 'model')
  const reserved = latest ? latest.index + ModelStepOutput.parse(latest.output).calls.length : -1
  return Math.max(last, reserved) + 1
}

/**
 * The agent at work: the one whose field the tool belongs to that was called last, else the one
 * that the conversation began with.
 */
export function currentAgent({ steps, firstAgent }: Pick<AgentRun, 'steps' | 'firstAgent'>): string {
  const called = steps.toReversed().filter(({ kind }) => kind === 'tool')
  for (const { name } of called) {
    const agent = agentOfTool(name)
    if (agent !== null) return agent
  }
  return firstAgent
}

const isApprovedPlan = ({ kind, output }: RunStep): boolean =>
  kind === 'plan' && (output as { approved?: unknown }).approved === true

/** False in an interactive run until a plan of this turn was approved. */
export const canUseTools = (run: AgentRun): boolean => run.mode === 'autonomous' || stepsOfRun(run).some(isApprovedPlan)

/** The chat model with this id; null where it cannot be called here. */
export function findChatModel(id: string): Model | null {
  const model = findModel(id)
  return model?.kind === 'chat' ? model : null
}

export const toolCallIdOf = (index: number): string => `call_${index}`
