import { expect, test } from 'vitest'
import type { JobAnswer, JobStep } from './shape'
import { answersOfTurn, sumOfSteps, timelineOf } from './timeline'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const step = (index: number, kind: JobStep['kind'] = 'tool') =>
  ({ index, kind, creditsCharged: 2, startedAt: at(index), endedAt: at(index + 2) }) as JobStep
const answer = (index: number): JobAnswer => ({
  index,
  approved: true,
  feedback: null,
  keyName: null,
  answeredAt: at(index),
})
const lines = (...given: Parameters<typeof timelineOf>) =>
  timelineOf(...given).map((entry) => (entry.kind === 'step' ? entry.step.index : `answer ${entry.answer.index}`))

test('an approval comes before the call it was about, which has no step until it has run', () => {
  const steps = [step(0, 'model'), step(1), step(2, 'model')]
  expect(lines(steps, [answer(1), answer(3)])).toEqual([0, 'answer 1', 1, 2, 'answer 3'])
})

test('the answer to a question or a plan is that step itself', () => {
  expect(lines([step(0, 'model'), step(1, 'question'), step(2, 'plan')], [answer(1), answer(2)])).toEqual([0, 1, 2])
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
  expect(sumOfSteps([step(0), step(1), step(2)])).toEqual({ count: 3, credits: 6, durationMs: 4_000 })
  expect(sumOfSteps([])).toEqual({ count: 0, credits: 0, durationMs: 0 })
})
