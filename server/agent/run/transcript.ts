import { ModelStepOutput } from '../shape'
import { type AgentRun, type RunStep, type RunTurn, toolCallIdOf } from './state'
import { GOAL_POSITION, isCurrentGoal, isSummarized, latestSummary, sentTurns, summaryMessage } from './summarized'
import { type ResultLimits, resultContent, resultLimits } from './tool-result'

/** A chat message as upstreams take it. */
export type TranscriptMessage = Record<string, unknown> & { role: 'system' | 'user' | 'assistant' | 'tool' }

/**
 * Messages that are kept or dropped together: a goal, or a model step with the results of its
 * calls.
 */
export type TranscriptBlock = {
  /** Index of its last step, by which the blocks of a turn are in order. */
  upTo: number
  turn: number
  messages: TranscriptMessage[]
}

/**
 * Arguments as the model wrote them; an empty object for invalid JSON, which some upstreams refuse.
 */
function validArguments(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    return '{}'
  }
}

/** `limitsFor`: the limits of each result of a model step with so many calls. */
type TurnContext = { turn: number; limitsFor: (calls: number) => ResultLimits }

function modelStepBlock(step: RunStep, byIndex: ReadonlyMap<number, RunStep>, { turn, limitsFor }: TurnContext) {
  const { text, calls } = ModelStepOutput.parse(step.output)
  const limits = limitsFor(calls.length)
  const indexes = calls.map((_, i) => step.index + 1 + i)
  const toolCalls = calls.map((call, i) => ({
    id: toolCallIdOf(indexes[i] ?? 0),
    type: 'function',
    function: { name: call.name, arguments: validArguments(call.arguments) },
  }))
  const messages: TranscriptMessage[] = [
    {
      role: 'assistant',
      content: text === '' && toolCalls.length > 0 ? null : text,
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    },
    ...indexes.map(
      (index): TranscriptMessage => ({
        role: 'tool',
        tool_call_id: toolCallIdOf(index),
        content: resultContent(byIndex.get(index), limits),
      }),
    ),
  ]
  return { upTo: indexes.at(-1) ?? step.index, turn, messages }
}

/**
 * A turn as blocks: its goal, its model steps with their results, and its end where no model step
 * shows it.
 */
function turnBlocks(turn: RunTurn, steps: readonly RunStep[], limitsFor: TurnContext['limitsFor']): TranscriptBlock[] {
  const byIndex = new Map(steps.map((step) => [step.index, step]))
  const goal: TranscriptBlock = {
    upTo: GOAL_POSITION,
    turn: turn.number,
    messages: [{ role: 'user', content: turn.goal }],
  }
  const blocks = steps.flatMap((step): TranscriptBlock[] => {
    return step.kind === 'model' ? [modelStepBlock(step, byIndex, { turn: turn.number, limitsFor })] : []
  })
  const end = turnEnd(turn, steps)
  if (end === null) return [goal, ...blocks]
  const upTo = Number.MAX_SAFE_INTEGER
  return [goal, ...blocks, { upTo, turn: turn.number, messages: [{ role: 'assistant', content: end }] }]
}

/** How a turn ended, where its last model step does not show it; null: it does, or goes on. */
function turnEnd({ status, result }: RunTurn, steps: readonly RunStep[]): string | null {
  if (status === 'cancelled') return 'This turn was cancelled by the person.'
  if (status === 'failed') return `This turn was given up: ${result ?? ''}`
  if (status !== 'completed') return null
  const last = steps.findLast(({ kind }) => kind === 'model')
  const isAnswered = last !== undefined && ModelStepOutput.parse(last.output).calls.length === 0
  return isAnswered ? null : (result ?? '')
}

/** A conversation as blocks, as far back as the run's history limit allows. */
export function transcriptBlocks(run: AgentRun): TranscriptBlock[] {
  const limitsFor = (calls: number) => resultLimits(run, calls)
  return sentTurns(run).flatMap((turn) =>
    turnBlocks(
      turn,
      run.steps.filter(({ runId }) => runId === turn.runId),
      limitsFor,
    ),
  )
}

/**
 * The messages after the system prompt: the turns with their results, truncated; what was
 * summarized is replaced by its summary. The goal of this turn is always there word for word.
 */
export function transcriptMessages(run: AgentRun): TranscriptMessage[] {
  const blocks = transcriptBlocks(run)
  const summary = latestSummary(run)
  if (!summary) return blocks.flatMap(({ messages }) => messages)
  const kept = blocks.filter((block) => isCurrentGoal(run, block) || !isSummarized(summary, block))
  return [{ role: 'user', content: summaryMessage(run, summary) }, ...kept.flatMap(({ messages }) => messages)]
}
