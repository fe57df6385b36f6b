import { expect, test } from 'vitest'
import type { StepKind, StepView } from '../shape'
import { stepsInOrder } from './events'

const step = (index: number, kind: StepKind = 'tool') => ({ index, kind }) as StepView
const ready = (...given: Parameters<typeof stepsInOrder>) => stepsInOrder(...given).map(({ index }) => index)

test('a finished call waits for those before it', () => {
  const steps = [step(0, 'model'), step(1), step(3)]
  expect(ready(steps, -1, false)).toEqual([0, 1])
  expect(ready(steps.slice(2), 1, false)).toEqual([])
  expect(ready([step(2), step(3)], 1, false)).toEqual([2, 3])
})

test('a call that will never come delays nothing: the model or the run has moved on', () => {
  expect(ready([step(1), step(3), step(5, 'model'), step(7)], 0, false)).toEqual([1, 3, 5])
  expect(ready([step(1), step(3)], 0, true)).toEqual([1, 3])
})

test('a reconnecting watcher gets only later steps', () => {
  expect(ready([step(4), step(5, 'model')], 3, false)).toEqual([4, 5])
  expect(ready([], 5, true)).toEqual([])
})
