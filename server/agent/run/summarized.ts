import { z } from 'zod'
import { inOneOrder } from './result-trim'
import type { AgentRun, RunStep, RunTurn } from './state'
import { RESULT_READ } from './tool-result'
import type { TranscriptBlock } from './transcript'

/** Where a block is: its turn, and the index of its last step within that turn. */
type Position = Pick<TranscriptBlock, 'turn' | 'upTo'>

/** The position of a turn's goal: before its steps. */
export const GOAL_POSITION = -1

/** A history summary: it replaces every block up to its position. */
export const HistorySummary = z.object({
  /** The first turn it covers. */
  fromTurn: z.int(),
  turn: z.int(),
  upTo: z.int(),
  /** Characters of the next block that it covers too. */
  readChars: z.int(),
  text: z.string(),
})
export type HistorySummary = z.infer<typeof HistorySummary>

/** The turns that the model gets: the latest ones, as many as the run's history limit allows. */
export const sentTurns = ({ turns, historyTurnLimit }: AgentRun): RunTurn[] =>
  historyTurnLimit === null ? turns : turns.slice(-historyTurnLimit)

/**
 * The latest summary of what the model gets; null where nothing was summarized yet. One that covers
 * older turns as well, or begins later, is of no use.
 */
export function latestSummary(run: AgentRun): HistorySummary | null {
  const first = sentTurns(run)[0]?.number
  for (const step of run.steps.toReversed()) {
    if (step.kind !== 'summary' || step.error) continue
    const read = HistorySummary.safeParse(step.output)
    if (read.success && read.data.fromTurn === first) return read.data
  }
  return null
}

export const isSummarized = (summary: HistorySummary, { turn, upTo }: Position): boolean =>
  turn < summary.turn || (turn === summary.turn && upTo <= summary.upTo)

/** The goal of the turn in progress: it stays word for word, whatever was summarized. */
export const isCurrentGoal = ({ turns }: AgentRun, { turn, upTo }: Position): boolean =>
  upTo === GOAL_POSITION && turn === turns.at(-1)?.number

/** Steps that a summary names at most, and characters of each line. */
const MAX_STEPS_NAMED = 60
const MAX_LINE_CHARS = 160

/** A summary as the model reads it, with the steps it covers: their results are kept. */
export function summaryMessage(run: AgentRun, summary: HistorySummary): string {
  const isInProgress = summary.turn === run.turns.at(-1)?.number
  const turnOf = new Map(sentTurns(run).map(({ runId, number }) => [runId, number]))
  const covered = run.steps.filter(({ kind, error, runId, index }) => {
    const turn = turnOf.get(runId)
    return kind === 'tool' && !error && turn !== undefined && isSummarized(summary, { turn, upTo: index })
  })
  const lines = covered.slice(-MAX_STEPS_NAMED).map(lineOf)
  return [
    `Summary of what happened so far${isInProgress ? ', also for the goal in progress, from which you go on' : ''}:`,
    summary.text,
    ...(lines.length > 0 ? [`Steps whose complete results ${RESULT_READ} reads:\n${lines.join('\n')}`] : []),
  ].join('\n\n')
}

function lineOf({ index, name, input }: RunStep): string {
  const line = `- step ${index}: ${name} ${JSON.stringify(inOneOrder(input ?? {}))}`
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS - 1).toWellFormed()}…` : line
}
