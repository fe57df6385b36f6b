import { expect, test } from 'vitest'
import { fromJsonb } from '../../../tests/support/jsonb'
import { chatModels } from '../../models/registry'
import type { AgentRun, RunStep } from './state'
import { withNote } from './step-note'
import { transcriptMessages } from './transcript'

const [model] = chatModels()

const rows = Array.from({ length: 400 }, (_, i) => ({
  title: `Home ${i}`,
  zip: `${i}`,
  price: { unit: 'EUR', amount: i },
  description: 'Bright and quiet. '.repeat(9),
  id: i,
  ...(i % 3 === 0 && { note: 'rare', a: { zz: 1, b: [{ y: 1, x: 2 }] } }),
}))
const OUTPUTS = [
  { total: 400, rows, next: 'x' },
  { zeta: { usd: 1, eur: 2 }, alpha: { usd: 3, eur: 4 }, ok: true, note: 'x' },
  Object.fromEntries(['bitcoin', 'ada', 'ether', 'dot'].map((coin) => [coin, { usd: 1.5, eur: 1 }])),
]

function makeRun(): AgentRun {
  const calls = OUTPUTS.map((_, i) => ({ name: `tool_${i}`, arguments: '{"b":1,"a":2}' }))
  const message = {
    role: 'assistant',
    content: null,
    reasoning_details: [{ type: 'reasoning.text', text: 'thought', signature: 's', format: 'f', index: 0 }],
    tool_calls: calls.map((call, i) => ({ type: 'function', id: `call_${i}`, function: call })),
  }
  const step = (index: number, fields: object) =>
    ({ index, runId: 'r', input: { q: 1, after: 'x' }, output: null, error: null, charged: 1, ...fields }) as RunStep
  const output = { agent: 'general', text: '', calls, message, inputTokens: 1, outputTokens: 1, estimated: false }
  return {
    runId: 'r',
    historyTurnLimit: null,
    model: { ...model, contextSize: 64_000 },
    tools: [],
    answers: new Map(),
    turns: [{ runId: 'r', number: 1, goal: 'Compare.', status: 'running', result: null, attachments: [] }],
    steps: [
      step(0, { kind: 'model', name: model?.id, output }),
      ...OUTPUTS.map((each, i) => step(i + 1, { kind: 'tool', name: `tool_${i}`, output: each })),
    ],
  } as unknown as AgentRun
}

test('what a model is sent is the same byte by byte after its rows were read again', () => {
  const run = makeRun()
  const before = JSON.stringify(transcriptMessages(run))
  const reloaded = { ...run, steps: run.steps.map((step) => fromJsonb(step) as RunStep) }
  expect(JSON.stringify(transcriptMessages(reloaded))).toBe(before)
  expect(before).toContain('Home 0')
})

test('a later prompt begins with all of the one before, its note included', () => {
  const run = makeRun()
  const first = run.steps[0] as RunStep
  first.input = { messages: 2, tools: [], note: '[Credits left: 9.]' }
  const before = withNote(transcriptMessages({ ...run, steps: [] }), '[Credits left: 9.]')
  const after = transcriptMessages({ ...run, steps: run.steps.map((step) => fromJsonb(step) as RunStep) })
  expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before))
  const next = withNote(after, '[Credits left: 5.]')
  expect(next.at(-1)).toMatchObject({ role: 'tool', content: expect.stringMatching(/\n\n\[Credits left: 5\.\]$/) })
  expect(next.filter(({ role }) => role === 'user')).toHaveLength(1)
})
