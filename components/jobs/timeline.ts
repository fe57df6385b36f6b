import type { JobAnswer, JobStep, JobTurn } from './shape'
import { stepDurationMs, tokensOf } from './step-line'

/** A line of a turn's timeline: a step, or what somebody did to the run. */
export type TimelineEntry =
  | { kind: 'step'; step: JobStep }
  | { kind: 'started'; turn: JobTurn }
  | { kind: 'cancelled'; turn: JobTurn }
  | { kind: 'answer'; answer: JobAnswer; asked: 'approval' | 'question' | 'plan' }

/**
 * A turn from its start to its end: its steps, and who answered what. A call comes after the
 * decision about it, and has no step before it has run; a question or plan comes before its answer.
 */
export function timelineOf(turn: JobTurn, steps: readonly JobStep[], answers: readonly JobAnswer[]): TimelineEntry[] {
  const kinds = new Map(steps.map(({ index, kind }) => [index, kind]))
  const placed: { at: number; entry: TimelineEntry }[] = [
    ...steps.map((step) => ({ at: step.index, entry: { kind: 'step' as const, step } })),
    ...answers.map((answer): { at: number; entry: TimelineEntry } => {
      const kind = kinds.get(answer.index)
      const asked = kind === 'question' || kind === 'plan' ? kind : 'approval'
      const at = answer.index + (asked === 'approval' ? -0.5 : 0.5)
      return { at, entry: { kind: 'answer', answer, asked } }
    }),
  ]
  return [
    { kind: 'started', turn },
    ...placed.sort((a, b) => a.at - b.at).map(({ entry }) => entry),
    ...(turn.status === 'cancelled' ? [{ kind: 'cancelled' as const, turn }] : []),
  ]
}

/** The answers of one turn: those about its steps, and of the latest turn those without a step. */
export function answersOfTurn(
  answers: readonly JobAnswer[],
  { steps, turnSteps, isLatest }: { steps: readonly JobStep[]; turnSteps: readonly JobStep[]; isLatest: boolean },
): JobAnswer[] {
  const known = new Set(steps.map(({ index }) => index))
  const own = new Set(turnSteps.map(({ index }) => index))
  return answers.filter(({ index }) => own.has(index) || (isLatest && !known.has(index)))
}

type StepSum = { count: number; credits: number; durationMs: number; tokens: number }

/** What the steps of a turn amount to. `durationMs`: from the first start to the last end. */
export function sumOfSteps(steps: readonly JobStep[]): StepSum {
  const starts = steps.map((step) => new Date(step.startedAt).getTime())
  const ends = steps.map((step) => new Date(step.startedAt).getTime() + stepDurationMs(step))
  return {
    count: steps.length,
    credits: steps.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0),
    tokens: tokensOf(steps),
    durationMs: steps.length > 0 ? Math.max(...ends) - Math.min(...starts) : 0,
  }
}
