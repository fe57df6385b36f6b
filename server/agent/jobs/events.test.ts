import { expect, test } from 'vitest'
import type { StepKind, StepView } from '../shape'
import { stepsInOrder } from './events'

const step = (index: number, kind: StepKind = 'tool') => ({ index, kind }) as StepView
const told = (...given: Parameters<typeof stepsInOrder>) => stepsInOrder(...given).map(({ index }) => index)

test('a call that is done waits for those before it', () => {
  const steps = [step(0, 'model'), step(1), step(3)]
  expect(told(steps, -1, false)).toEqual([0, 1])
  expect(told(steps.slice(2), 1, false)).toEqual([])
  expect(told([step(2), step(3)], 1, false)).toEqual([2, 3])
})

test('what never comes holds nothing up: the model has gone on, or the run is over', () => {
  expect(told([step(1), step(3), step(5, 'model'), step(7)], 0, false)).toEqual([1, 3, 5])
  expect(told([step(1), step(3)], 0, true)).toEqual([1, 3])
})

test('a watcher who comes back hears only what came after', () => {
  expect(told([step(4), step(5, 'model')], 3, false)).toEqual([4, 5])
  expect(told([], 5, true)).toEqual([])
})
