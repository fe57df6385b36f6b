import { replyOfStep } from './reply-of-step'
import type { AgentRun, RunStep, RunTurn } from './state'
import { stepMessages } from './step-messages'
import { type ResultLimits, resultContent, resultLimits } from './tool-result'

/** A chat message as upstreams take it. */
export type TranscriptMessage = Record<string, unknown> & { role: 'system' | 'user' | 'assistant' | 'tool' }

/**
 * Messages that are kept or dropped together: a goal, or a model step with the results of its
 * calls.
 */
export type TranscriptBlock = {
  /** Index of its last step. */
  upTo: number
  turn: number
  messages: TranscriptMessage[]
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

type TurnContext = Pick<Parameters<typeof stepMessages>[1], 'asked' | 'isLastOfTurn'> & {
  turn: number
  /** The limits of each result of a model step with so many calls. */
  limitsFor: (calls: number) => ResultLimits
}

function modelStepBlock(
  step: RunStep,
  byIndex: ReadonlyMap<number, RunStep>,
  { turn, limitsFor, ...context }: TurnContext,
) {
  const { calls } = replyOfStep(step)
  const limits = limitsFor(calls.length)
  const resultOf = (index: number) => resultContent(byIndex.get(index), limits)
  return { upTo: step.index + calls.length, turn, messages: stepMessages(step, { ...context, resultOf }) }
}

type TurnModel = Pick<TurnContext, 'limitsFor' | 'asked'>

const isOver = ({ status }: RunTurn) => status !== 'running' && status !== 'awaiting_input'

/**
 * A turn as blocks: its goal, its model steps with their results, and its end where no model step
 * shows it.
 */
function turnBlocks(turn: RunTurn, steps: readonly RunStep[], { limitsFor, asked }: TurnModel): TranscriptBlock[] {
  const lastReply = isOver(turn) ? steps.findLast(({ kind }) => kind === 'model') : undefined
  const byIndex = new Map(steps.map((step) => [step.index, step]))
  const first = steps[0]?.index ?? Number.MAX_SAFE_INTEGER
  const goal: TranscriptBlock = { upTo: first - 1, turn: turn.number, messages: [{ role: 'user', content: turn.goal }] }
  const blocks = steps.flatMap((step): TranscriptBlock[] => {
    if (step.kind === 'model') {
      const isLastOfTurn = step === lastReply
      return [modelStepBlock(step, byIndex, { turn: turn.number, limitsFor, asked, isLastOfTurn })]
    }
    if (step.kind !== 'wrap_up') return []
    return [
      {
        upTo: step.index,
        turn: turn.number,
        messages: [{ role: 'assistant', content: asText((step.output as { text?: unknown })?.text) }],
      },
    ]
  })
  if (turn.status !== 'failed' && turn.status !== 'cancelled') return [goal, ...blocks]
  const end = `This turn was ${turn.status === 'failed' ? `given up: ${turn.result ?? ''}` : 'cancelled by the person.'}`
  const upTo = steps.at(-1)?.index ?? goal.upTo
  return [goal, ...blocks, { upTo, turn: turn.number, messages: [{ role: 'assistant', content: end }] }]
}

/** A conversation as blocks, as far back as the run's history limit allows. */
export function transcriptBlocks(run: AgentRun): TranscriptBlock[] {
  const sent = run.historyTurnLimit === null ? run.turns : run.turns.slice(-run.historyTurnLimit)
  const limitsFor = (calls: number) => resultLimits(run, calls)
  const model = { limitsFor, asked: { modelId: run.model.id, seenIds: new Set<string>() } }
  return sent.flatMap((turn) =>
    turnBlocks(
      turn,
      run.steps.filter(({ runId }) => runId === turn.runId),
      model,
    ),
  )
}

/** The latest history summary; null: nothing was summarized yet. */
export function latestSummary(run: AgentRun): { upTo: number; text: string } | null {
  const step = run.steps.findLast(({ kind, error }) => kind === 'summary' && !error)
  return step ? (step.output as { upTo: number; text: string }) : null
}

/**
 * The messages after the system prompt: the turns with their results, truncated; what was
 * summarized is replaced by its summary. The goal of this turn is always there word for word.
 */
export function transcriptMessages(run: AgentRun): TranscriptMessage[] {
  const blocks = transcriptBlocks(run)
  const summary = latestSummary(run)
  if (!summary) return blocks.flatMap(({ messages }) => messages)
  const kept = blocks.filter(({ upTo }) => upTo > summary.upTo)
  const hasGoal = kept.some(({ messages }) => messages[0]?.role === 'user' && messages[0].content === run.goal)
  return [
    { role: 'user', content: `Summary of what happened so far:\n\n${summary.text}` },
    ...(hasGoal ? [] : [{ role: 'user' as const, content: run.goal }]),
    ...kept.flatMap(({ messages }) => messages),
  ]
}
