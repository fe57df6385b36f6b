import { expect, test } from 'vitest'
import type { AgentRun } from './state'
import { costToFinish, readCallsLeft } from './to-finish'

test.each([
  ['Two.\n\nCalls left: 3', 'Two.', 3],
  ['Two.\n**Calls left:** 12 or so', 'Two.', 12],
  ['- Calls left: 0\n', '', 0],
  ['I have no calls left to make.', 'I have no calls left to make.', null],
  ['Two.', 'Two.', null],
])('%j says how many calls are left', (given, text, calls) => {
  expect(readCallsLeft(given)).toEqual({ text, calls })
})

let index = 0
const step = (kind: string, charged: number) => ({ runId: 'run', kind, charged, index: index++ })
const steps = [
  step('model', 90),
  step('tool', 15),
  step('model', 20),
  step('model', 30),
  step('tool', 5),
  step('model', 40),
]
const run = { runId: 'run', steps } as unknown as AgentRun

test('the rest costs what its calls did, and its model steps as the last ones', () => {
  expect(costToFinish(run, 3)).toEqual({ calls: 3, from: 60 + 30, to: 120 + 30 })
  expect(costToFinish(run, 0)).toBeNull()
  expect(costToFinish(run, null)).toBeNull()
})

test('calls that were made at once cost no message each', () => {
  const calls = Array.from({ length: 8 }, () => step('tool', 2))
  const together = { runId: 'run', steps: [step('model', 50), ...calls, step('model', 100)] } as unknown as AgentRun
  expect(costToFinish(together, 12)).toEqual({ calls: 12, from: 150 + 24, to: 225 + 24 })
})
