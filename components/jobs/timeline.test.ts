import { expect, test } from 'vitest'
import type { JobAnswer, JobStep, JobTurn } from './shape'
import { answersOfTurn, sumOfSteps, timelineOf } from './timeline'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const step = (index: number, kind: JobStep['kind'] = 'tool') =>
  ({ index, kind, creditsCharged: 2, startedAt: at(index), endedAt: at(index + 2) }) as JobStep
const answer = (index: number): JobAnswer => ({
  index,
  approved: true,
  feedback: null,
  keyId: null,
  answeredBy: 'ana@example.com',
  answeredAt: at(index),
})
const turn = { status: 'completed' } as JobTurn
const lines = (steps: JobStep[], answers: JobAnswer[], of = turn) =>
  timelineOf(of, steps, answers).map((entry) => {
    if (entry.kind === 'step') return entry.step.index
    return entry.kind === 'answer' ? `${entry.asked} ${entry.answer.index}` : entry.kind
  })

test('an approval comes before the call it was about, which has no step until it has run', () => {
  const steps = [step(0, 'model'), step(1), step(2, 'model')]
  expect(lines(steps, [answer(1), answer(3)])).toEqual(['started', 0, 'approval 1', 1, 2, 'approval 3'])
})

test('the answer to a question or a plan comes after it, and a cancellation last', () => {
  const steps = [step(0, 'model'), step(1, 'question'), step(2, 'plan')]
  const answers = [answer(1), answer(2)]
  expect(lines(steps, answers)).toEqual(['started', 0, 1, 'question 1', 2, 'plan 2'])
  expect(lines([], [], { ...turn, status: 'cancelled' })).toEqual(['started', 'cancelled'])
})

test('an answer belongs to the turn of its step, one without a step to the latest turn', () => {
  const steps = [step(0, 'model'), step(1), step(2, 'model')]
  const answers = [answer(1), answer(3)]
  const of = (turnSteps: JobStep[], isLatest: boolean) =>
    answersOfTurn(answers, { steps, turnSteps, isLatest }).map(({ index }) => index)
  expect(of(steps.slice(0, 2), false)).toEqual([1])
  expect(of(steps.slice(2), true)).toEqual([3])
})

test('the sum of steps counts parallel calls once in time and each in credits', () => {
  expect(sumOfSteps([step(0), step(1), step(2)])).toEqual({ count: 3, credits: 6, durationMs: 4_000, tokens: 0 })
  expect(sumOfSteps([])).toEqual({ count: 0, credits: 0, durationMs: 0, tokens: 0 })
  const model = { ...step(0, 'model'), output: { inputTokens: 900, outputTokens: 50 } }
  expect(sumOfSteps([model, step(1), model]).tokens).toBe(1_900)
})
