import { memoize } from '../../kit/memoize'
import { ModelStepOutput, type StepKind } from '../shape'
import { type AgentRun, type RunStep, type RunTurn, toolCallIdOf } from './state'

/** A message of a chat, as providers take it. */
export type TranscriptMessage = Record<string, unknown> & { role: 'system' | 'user' | 'assistant' | 'tool' }

/** Messages that stand or fall together: a goal, or a thought with what its calls brought. `upTo`: its last step. */
export type TranscriptBlock = { upTo: number; turn: number; messages: TranscriptMessage[] }

const NOT_MADE = 'This call was not made: the run had ended.'

/** Characters of a tool's result that a model is shown at most, and of a context's worth of them together. */
const MOST_SHOWN = 24_000
const SHARE = 0.6

/** A text cut in its middle, so that its beginning and its end are seen; says how much was left out. */
export function truncateMiddle(text: string, most: number): string {
  if (text.length <= most) return text
  const head = Math.ceil(most * 0.7)
  const tail = most - head
  const left = text.length - head - tail
  return `${text.slice(0, head).toWellFormed()}\n[… ${left} characters left out: the whole result is kept with the run …]\n${text.slice(text.length - tail).toWellFormed()}`
}

/** A step's result as text: made once, though every thought to come reads it again. */
const resultText = memoize((step: RunStep): string => asText(step.output))

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

/** What a model is told a call came to. */
function saidOf(step: RunStep | undefined, most: number): string {
  if (!step) return NOT_MADE
  if (step.error) return truncateMiddle(`Error (${step.error.code}): ${step.error.message}`, most)
  return truncateMiddle(resultText(step), most)
}

/** Arguments go back as they came, unless they are no JSON: some providers refuse to read those again. */
function argumentsAgain(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    return '{}'
  }
}

function thoughtBlock(step: RunStep, byIndex: ReadonlyMap<number, RunStep>, place: { turn: number; window: number }) {
  const { text, calls } = ModelStepOutput.parse(step.output)
  const most = Math.min(MOST_SHOWN, Math.floor((place.window * SHARE) / Math.max(1, calls.length)))
  const indexes = calls.map((_, i) => step.index + 1 + i)
  const made = calls.map((call, i) => ({
    id: toolCallIdOf(indexes[i] ?? 0),
    type: 'function',
    function: { name: call.name, arguments: argumentsAgain(call.arguments) },
  }))
  const messages: TranscriptMessage[] = [
    {
      role: 'assistant',
      content: text === '' && made.length > 0 ? null : text,
      ...(made.length > 0 && { tool_calls: made }),
    },
    ...indexes.map(
      (index): TranscriptMessage => ({
        role: 'tool',
        tool_call_id: toolCallIdOf(index),
        content: saidOf(byIndex.get(index), most),
      }),
    ),
  ]
  return { upTo: indexes.at(-1) ?? step.index, turn: place.turn, messages }
}

const ENDS_WITH_TEXT: ReadonlySet<StepKind> = new Set(['wrap_up'])

/** A turn as blocks: its goal, its thoughts with their results, and how it ended where no thought says so. */
function turnBlocks(turn: RunTurn, steps: readonly RunStep[], window: number): TranscriptBlock[] {
  const byIndex = new Map(steps.map((step) => [step.index, step]))
  const first = steps[0]?.index ?? Number.MAX_SAFE_INTEGER
  const goal: TranscriptBlock = { upTo: first - 1, turn: turn.number, messages: [{ role: 'user', content: turn.goal }] }
  const blocks = steps.flatMap((step): TranscriptBlock[] => {
    if (step.kind === 'model') return [thoughtBlock(step, byIndex, { turn: turn.number, window })]
    if (!ENDS_WITH_TEXT.has(step.kind)) return []
    return [
      {
        upTo: step.index,
        turn: turn.number,
        messages: [{ role: 'assistant', content: asText((step.output as { text?: unknown })?.text) }],
      },
    ]
  })
  const endedOtherwise = turn.status === 'failed' || turn.status === 'cancelled'
  if (!endedOtherwise) return [goal, ...blocks]
  const end = `This turn was ${turn.status === 'failed' ? `given up: ${turn.result ?? ''}` : 'cancelled by the person.'}`
  const upTo = steps.at(-1)?.index ?? goal.upTo
  return [goal, ...blocks, { upTo, turn: turn.number, messages: [{ role: 'assistant', content: end }] }]
}

/** A conversation as blocks, as far back as the run sends its turns. */
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

/** The latest summary of what came before, if there is one. */
export function latestSummary(run: AgentRun): { upTo: number; text: string } | null {
  const step = run.steps.findLast(({ kind, error }) => kind === 'summary' && !error)
  return step ? (step.output as { upTo: number; text: string }) : null
}

/**
 * What the model is sent after its instructions: the turns with their results, shortened; what was summed up stands
 * there as its summary. The goal of this turn is always there in its own words.
 */
export function transcriptMessages(run: AgentRun): TranscriptMessage[] {
  const blocks = transcriptBlocks(run)
  const summary = latestSummary(run)
  if (!summary) return blocks.flatMap(({ messages }) => messages)
  const kept = blocks.filter(({ upTo }) => upTo > summary.upTo)
  const hasGoal = kept.some(({ messages }) => messages[0]?.role === 'user' && messages[0].content === run.goal)
  return [
    { role: 'user', content: `What happened so far, summed up:\n\n${summary.text}` },
    ...(hasGoal ? [] : [{ role: 'user' as const, content: run.goal }]),
    ...kept.flatMap(({ messages }) => messages),
  ]
}
