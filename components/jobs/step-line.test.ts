import { expect, test } from 'vitest'
import type { JobStep } from './shape'
import { mergeSteps, modelOutputOf, openStepsCursor, shellOutputOf, stepDurationMs, stepLine } from './step-line'

const step = (given: Partial<JobStep>): JobStep => ({
  index: 0,
  runId: 'r',
  kind: 'tool',
  name: 'web_search',
  creditsCharged: 1,
  requestId: null,
  input: {},
  output: null,
  error: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:00:01.500Z',
  ...given,
})

test.each([
  [{ kind: 'model', output: { text: 'Let me\n look.', calls: [] } }, 'Let me look.'],
  [{ kind: 'model', output: { text: '', calls: [{ name: 'a' }, { name: 'b' }] } }, 'calls a, b'],
  [{ kind: 'tool', input: { query: 'x' } }, '{"query":"x"}'],
  [{ kind: 'tool', error: { code: 'rejected', message: 'The person rejected this.' } }, 'The person rejected this.'],
  [{ kind: 'question', input: { question: 'Which?' }, output: { answer: 'This.' } }, 'Which? — This.'],
  [{ kind: 'plan', output: { approved: true } }, 'approved'],
  [{ kind: 'plan', output: { approved: false, feedback: 'Cheaper.' } }, 'revise: Cheaper.'],
  [{ kind: 'wrap_up', output: { text: 'So far.' } }, 'So far.'],
  [{ kind: 'model', output: null }, 'no text'],
] as [Partial<JobStep>, string][])('%j is one line', (given, line) => {
  expect(stepLine(step(given))).toBe(line)
})

test('steps are merged in order, each once, and only those that may change are read again', () => {
  const known = [step({ index: 0, kind: 'model' }), step({ index: 2 })]
  expect(openStepsCursor(known)).toBe('0')
  expect(openStepsCursor([])).toBeUndefined()
  const all = mergeSteps(known, [step({ index: 1 }), step({ index: 2 }), step({ index: 3, kind: 'model' })])
  expect(all.map(({ index }) => index)).toEqual([0, 1, 2, 3])
  expect(openStepsCursor(all)).toBe('3')
  expect(mergeSteps(all, [])).toBe(all)
})

test('the duration of a step is from its start to its end', () => {
  expect(stepDurationMs(step({}))).toBe(1_500)
})

test('the output of a shell is text with an exit code', () => {
  const ran = { stdout: 'a\n', stderr: '', exitCode: 0, cwd: '/' }
  expect(shellOutputOf(ran)).toEqual({ stdout: 'a\n', stderr: '', exitCode: 0 })
  for (const other of [null, 'text', { stdout: 'a' }, { exitCode: 0 }]) expect(shellOutputOf(other)).toBeNull()
})

test('the output of a model is its text, its calls and its tokens', () => {
  const calls = [{ name: 'a', arguments: '{}' }]
  const output = { text: 'Yes.', calls, inputTokens: 1_200, outputTokens: 30 }
  expect(modelOutputOf(output)).toEqual({ text: 'Yes.', calls, tokens: '1,200 input tokens, 30 output tokens' })
  expect(modelOutputOf({ ...output, cachedTokens: 1_000 })?.tokens).toContain('(1,000 from the cache)')
  expect(modelOutputOf({ text: 'Old.' })).toEqual({ text: 'Old.', calls: [], tokens: '' })
  expect(modelOutputOf(null)).toBeNull()
})

test('a command of the shell is its line', () => {
  expect(stepLine(step({ name: 'pod_run', input: { command: 'ls\n  -A' } }))).toBe('ls -A')
})
