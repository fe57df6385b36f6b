import { expect, it } from 'vitest'
import { estimatePrompt } from '../../models/wires/prompt'
import { estimateAgentPrompt } from './prompt-size'

const MODEL = { contextSize: 100_000 }
const said = (more: object) => ({
  messages: [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: 'Done.', ...more },
  ],
})
const thought = 'Let me think about the toll roads of the north. '.repeat(20)

it('counts reasoning once, and what is encrypted by its size', async () => {
  const plain = await estimateAgentPrompt(said({}), MODEL)
  const text = (await estimatePrompt(said({ reasoning: thought }), MODEL)) - plain
  const both = said({
    reasoning: thought,
    reasoning_details: [{ type: 'reasoning.text', text: thought, signature: 'x'.repeat(1_000), index: 0 }],
  })
  const counted = (await estimateAgentPrompt(both, MODEL)) - plain
  expect(counted).toBeGreaterThanOrEqual(text + 200)
  expect(counted).toBeLessThan(text + 220)
})

it('is that of the whole prompt where nothing is encrypted', async () => {
  const call = { id: 'a', type: 'function', function: { name: 'web_search', arguments: '{"query":"tolls"}' } }
  for (const more of [
    {},
    { reasoning_content: thought },
    { tool_calls: [call] },
    { reasoning: thought, tool_calls: [call] },
  ]) {
    expect(await estimateAgentPrompt(said(more), MODEL)).toBe(await estimatePrompt(said(more), MODEL))
  }
})
