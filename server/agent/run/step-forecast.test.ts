import { expect, test } from 'vitest'
import type { AgentRun } from './state'
import { forecastStep } from './step-forecast'

/** $3, $0.30 from the cache and $15 a million tokens, at 3,333.6 credits for a dollar. */
const model = { creditsPer1mInput: 10_001n, creditsPer1mCachedInput: 1_001n, creditsPer1mOutput: 50_004n }

type Reply = { inputTokens: number; outputTokens: number; cachedTokens: number }
const modelStep = (index: number, reply: Reply) => ({
  runId: 'run',
  kind: 'model',
  index,
  charged: 50,
  output: { agent: 'general', text: '', calls: [], estimated: false, ...reply },
})
const tool = (index: number, charged: number) => ({ runId: 'run', kind: 'tool', index, charged, output: {} })

/** The run with a limit of 400 credits: a table of coins, then 16 searches at once. */
const steps = [
  modelStep(0, { inputTokens: 3_421, outputTokens: 32, cachedTokens: 3_200 }),
  tool(1, 5),
  modelStep(2, { inputTokens: 4_583, outputTokens: 728, cachedTokens: 3_456 }),
  ...Array.from({ length: 16 }, (_, i) => tool(3 + i, 3.5)),
]
const run = { runId: 'run', model, steps } as unknown as AgentRun

test('a prompt that has grown by its results is the last that 279 credits pay', () => {
  const forecast = forecastStep(run, { promptTokens: 16_511, left: 279, reserve: 51 })
  // 4,583 known tokens are in the cache, 380 are written.
  expect(forecast.credits).toBeGreaterThan(140)
  expect(forecast.credits).toBeLessThan(150)
  expect(forecast.payable).toBe(1)
  // 279 less the reserve and 166 for the prompt, at 0.05 a token.
  expect(forecast.outputTokens).toBe(1_257)
})

test('before it, the same credits paid for more', () => {
  const before = { ...run, steps: steps.slice(0, 2) } as unknown as AgentRun
  expect(forecastStep(before, { promptTokens: 4_583, left: 387, reserve: 51 }).payable).toBe(3)
})

test('with less than an answer takes, none can be paid', () => {
  expect(forecastStep(run, { promptTokens: 16_511, left: 220, reserve: 51 }).payable).toBe(0)
})

test('after a first message with many calls at once, 285 credits pay for this one, another and its answer', () => {
  const first = [modelStep(0, { inputTokens: 3_092, outputTokens: 620, cachedTokens: 0 })]
  const calls = Array.from({ length: 16 }, (_, i) => tool(1 + i, 3.5))
  const searched = { ...run, steps: [...first, ...calls] } as unknown as AgentRun
  expect(forecastStep(searched, { promptTokens: 7_070, left: 285, reserve: 51 }).payable).toBe(2)
})
