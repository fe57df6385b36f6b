import { memoize } from '../../kit/memoize'
import { ModelStepOutput } from '../shape'
import { type AgentRun, type RunStep, type RunTurn, toolCallIdOf } from './state'

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

const NOT_MADE = 'This call was not made: the run had ended.'

/** Characters of one tool result that the model gets at most. */
const MAX_RESULT_CHARS = 24_000
/** Characters of all results of one model step, per token of the model's context. */
const RESULTS_SHARE = 0.6

/** A text without its middle, with a note of how much was left out. */
export function truncateMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const head = Math.ceil(maxChars * 0.7)
  const tail = maxChars - head
  const left = text.length - head - tail
  return `${text.slice(0, head).toWellFormed()}\n[… ${left} characters left out: the whole result is kept with the run …]\n${text.slice(text.length - tail).toWellFormed()}`
}

/** A step's result as text, made once for all later model steps. */
const resultText = memoize((step: RunStep): string => asText(step.output))

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

/** The content of a call's tool message. */
function toolContent(step: RunStep | undefined, maxChars: number): string {
  if (!step) return NOT_MADE
  if (step.error) return truncateMiddle(`Error (${step.error.code}): ${step.error.message}`, maxChars)
  return truncateMiddle(resultText(step), maxChars)
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

type TurnContext = { turn: number; contextSize: number }

function modelStepBlock(step: RunStep, byIndex: ReadonlyMap<number, RunStep>, { turn, contextSize }: TurnContext) {
  const { text, calls } = ModelStepOutput.parse(step.output)
  const share = Math.floor((contextSize * RESULTS_SHARE) / Math.max(1, calls.length))
  const maxChars = Math.min(MAX_RESULT_CHARS, share)
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
        content: toolContent(byIndex.get(index), maxChars),
      }),
    ),
  ]
  return { upTo: indexes.at(-1) ?? step.index, turn, messages }
}

/**
 * A turn as blocks: its goal, its model steps with their results, and its end where no model step
 * shows it.
 */
function turnBlocks(turn: RunTurn, steps: readonly RunStep[], contextSize: number): TranscriptBlock[] {
  const byIndex = new Map(steps.map((step) => [step.index, step]))
  const first = steps[0]?.index ?? Number.MAX_SAFE_INTEGER
  const goal: TranscriptBlock = { upTo: first - 1, turn: turn.number, messages: [{ role: 'user', content: turn.goal }] }
  const blocks = steps.flatMap((step): TranscriptBlock[] => {
    if (step.kind === 'model') return [modelStepBlock(step, byIndex, { turn: turn.number, contextSize })]
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
  return sent.flatMap((turn) =>
    turnBlocks(
      turn,
      run.steps.filter(({ runId }) => runId === turn.runId),
      run.model.contextSize,
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
