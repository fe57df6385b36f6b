import type { JobAnswer, JobStep } from './shape'
import { stepDurationMs } from './step-line'

/** A line of a turn's timeline: a step, or a person's answer to a call that needed approval. */
export type TimelineEntry = { kind: 'step'; step: JobStep } | { kind: 'approval'; answer: JobAnswer }

/**
 * A turn's steps in order, each call that a person decided about after that decision. An approved
 * call has no step before it has run. Questions and plans are steps themselves.
 */
export function timelineOf(steps: readonly JobStep[], answers: readonly JobAnswer[]): TimelineEntry[] {
  const kinds = new Map(steps.map(({ index, kind }) => [index, kind]))
  const approvals = answers.filter(({ index }) => (kinds.get(index) ?? 'tool') === 'tool')
  const entries: (TimelineEntry & { index: number })[] = [
    ...approvals.map((answer) => ({ kind: 'approval' as const, answer, index: answer.index })),
    ...steps.map((step) => ({ kind: 'step' as const, step, index: step.index })),
  ]
  return entries.sort((a, b) => a.index - b.index)
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

/** What the steps of a turn amount to. `durationMs`: from the first start to the last end. */
export function sumOfSteps(steps: readonly JobStep[]): { count: number; credits: number; durationMs: number } {
  const starts = steps.map((step) => new Date(step.startedAt).getTime())
  const ends = steps.map((step) => new Date(step.startedAt).getTime() + stepDurationMs(step))
  return {
    count: steps.length,
    credits: steps.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0),
    durationMs: steps.length > 0 ? Math.max(...ends) - Math.min(...starts) : 0,
  }
}
