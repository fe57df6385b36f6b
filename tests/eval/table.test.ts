import { expect, test } from 'vitest'
import { evalComplaints, evalTable, type KeptResult } from './table'

const result = (goal: string, model: string, complaints: string[] = []): KeptResult => ({
  goal,
  agent: 'data',
  model,
  complaints,
  steps: 3,
  credits: 1_200,
  inputTokens: 200,
  cachedTokens: 100,
  seconds: 1,
})

test('a table has what each model made of the goals, beside what it made of the same before', () => {
  const now = [result('a', 'eval/careful'), result('b', 'eval/careful-small', ['it cost too much'])]
  const before = [result('a', 'eval/careful', ['no']), result('c', 'eval/careful')]
  const table = evalTable(now, before)
  expect(table).toContain('| careful, before | 0 of 1 | 3 | 1,200 | 200 | 50 % | 1 |')
  expect(table).toContain('| careful | 1 of 2 | 6 | 2,400 | 400 | 50 % | 2 |')
  expect(table).toContain('| a (data) | **not**, 3, 1,200 | met, 3, 1,200 |')
  expect(table).toContain('| b (data) |  | **not**, 3, 1,200 |')
  expect(evalComplaints(now)).toEqual(['b, careful: it cost too much'])
})
