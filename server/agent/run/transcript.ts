import { goalText } from '../jobs/attachments'
import { keptInput } from './kept-input'
import { repetitionNote, repetitionsIn } from './repeated-calls'
import { replyOfStep } from './reply-of-step'
import type { AgentRun, RunStep, RunTurn } from './state'
import { stepMessages } from './step-messages'
import { withNote } from './step-note'
import { GOAL_POSITION, isCurrentGoal, isSummarized, latestSummary, sentTurns, summaryMessage } from './summarized'
import { type ResultLimits, resultContent, resultLimits } from './tool-result'
import { truncateMiddle } from './truncate-middle'
import { hasNoAnswer } from './unfinished-replies'

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
  /** What the prompt that the block answers ended with. */
  note?: string
}

type TurnContext = Pick<Parameters<typeof stepMessages>[1], 'asked' | 'isLastOfTurn'> & {
  turn: number
  /** The limits of each result of a model step. */
  limitsFor: (results: readonly (RunStep | undefined)[]) => ResultLimits[]
  /** How often each call was made with the same result. */
  counts: ReadonlyMap<number, number>
  answers: AgentRun['answers']
}

const MAX_EDIT_CHARS = 2_000

/** That a person changed a call, and to what, after its result. */
const editNote = (input: Record<string, unknown> | null | undefined): string =>
  input
    ? `\n[The person changed this call before approving it. It was made with: ${truncateMiddle(JSON.stringify(input), MAX_EDIT_CHARS)}]`
    : ''

function modelStepBlock(
  step: RunStep,
  byIndex: ReadonlyMap<number, RunStep>,
  { turn, limitsFor, counts, answers, ...context }: TurnContext,
) {
  const { calls } = replyOfStep(step)
  const results = calls.map((_, i) => byIndex.get(step.index + 1 + i))
  const limits = limitsFor(results)
  const resultOf = (index: number) =>
    resultContent(byIndex.get(index), limits[index - step.index - 1]) +
    repetitionNote(counts.get(index) ?? 0) +
    editNote(answers.get(index)?.input)
  const messages = stepMessages(step, { ...context, resultOf })
  return { upTo: step.index + calls.length, turn, messages, note: keptInput(step).note }
}

type TurnModel = Pick<TurnContext, 'limitsFor' | 'asked' | 'answers'>

const isOver = ({ status }: RunTurn) => status !== 'running' && status !== 'awaiting_input'

/**
 * A turn as blocks: its goal, its model steps with their results, and its end where no model step
 * shows it.
 */
function turnBlocks(
  turn: RunTurn,
  steps: readonly RunStep[],
  { limitsFor, asked, answers }: TurnModel,
): TranscriptBlock[] {
  const lastReply = isOver(turn) ? steps.findLast(({ kind }) => kind === 'model') : undefined
  const byIndex = new Map(steps.map((step) => [step.index, step]))
  const { counts } = repetitionsIn(steps)
  const goal: TranscriptBlock = {
    upTo: GOAL_POSITION,
    turn: turn.number,
    messages: [{ role: 'user', content: goalText(turn.goal, turn.attachments) }],
  }
  const blocks = steps.flatMap((step): TranscriptBlock[] => {
    if (step.kind !== 'model') return []
    const isLastOfTurn = step === lastReply
    return [modelStepBlock(step, byIndex, { turn: turn.number, limitsFor, asked, answers, counts, isLastOfTurn })]
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
  const reply = last && replyOfStep(last)
  const isAnswered = reply !== undefined && reply.calls.length === 0 && reply.text !== '' && !hasNoAnswer(reply)
  return isAnswered ? null : (result ?? '')
}

/** A conversation as blocks, as far back as the run's history limit allows. */
export function transcriptBlocks(run: AgentRun): TranscriptBlock[] {
  const limitsFor = (results: readonly (RunStep | undefined)[]) => resultLimits(run, results)
  const model = { limitsFor, answers: run.answers, asked: { modelId: run.model.id, seenIds: new Set<string>() } }
  return sentTurns(run).flatMap((turn) =>
    turnBlocks(
      turn,
      run.steps.filter(({ runId }) => runId === turn.runId),
      model,
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
  if (!summary) return joinBlocks([], blocks)
  const kept = blocks.filter((block) => isCurrentGoal(run, block) || !isSummarized(summary, block))
  return joinBlocks([{ role: 'user', content: summaryMessage(run, summary) }], kept)
}

/** The messages of blocks, each with the note that it answers at the end of what was before it. */
function joinBlocks(before: TranscriptMessage[], blocks: readonly TranscriptBlock[]): TranscriptMessage[] {
  const joined = [...before]
  for (const { note, messages } of blocks) joined.push(...withNote(joined.splice(-1), note), ...messages)
  return joined
}
