import { expect, test } from 'vitest'
import { holdForTokens } from '../../models/prices'
import { chatModels } from '../../models/registry'
import { FINAL_SUMMARY_OUTPUT, planFinalSummary } from './final-summary-prompt'
import type { AgentRun, RunStep } from './state'
import { finalSummaryReserve } from './summary-reserve'

const TEXTS = [
  'short',
  'two\nlines of text',
  '{"a": [1, 2, 3]}',
  '日本語のテキスト',
  '🚀🚀🚀',
  'x'.repeat(900),
  'word '.repeat(300),
]

const step = (index: number): RunStep => ({
  index,
  runId: 'run',
  kind: 'tool',
  name: 'web_search',
  input: { query: TEXTS[index % TEXTS.length] },
  output: { text: TEXTS[(index * 3) % TEXTS.length] },
  error: index % 5 === 4 ? { code: 'upstream_error', message: TEXTS[index % TEXTS.length] ?? '' } : null,
  charged: 0,
})

test.each([0, 1, 7, 8, 19, 20, 40, 60])(
  'after %i steps the reserve pays for the final summary of one more step',
  async (count) => {
    const [model] = chatModels()
    if (!model) throw new Error('There is no chat model.')
    const steps = Array.from({ length: count }, (_, index) => step(index))
    const run = { runId: 'run', goal: `Find ${TEXTS.join(' ')}`, model, steps } as unknown as AgentRun
    const reserve = await finalSummaryReserve(run)
    const later = { ...run, steps: [...steps, step(count)] }
    const { promptTokens, maxOutput } = await planFinalSummary(later, Number(reserve), '')
    expect(holdForTokens({ promptTokens, outputTokens: maxOutput, n: 1 }, model)).toBeLessThanOrEqual(reserve)
    expect(maxOutput).toBeGreaterThanOrEqual(FINAL_SUMMARY_OUTPUT * 0.9)
  },
)
