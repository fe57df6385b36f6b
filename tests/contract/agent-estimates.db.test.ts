import { expect, it, vi } from 'vitest'
import * as prompt from '../../server/models/wires/prompt'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

vi.mock('../../server/models/wires/prompt', { spy: true })

withSandbox()
withWorker()

/**
 * The prompts that agents had estimated. The simulated models, which have no context size here,
 * count theirs too.
 */
const estimated = () =>
  vi
    .mocked(prompt.estimatePrompt)
    .mock.calls.filter(([, { contextSize }]) => contextSize > 0)
    .map(([{ messages }]) => JSON.stringify(messages))
    .filter((messages) => messages.includes('You are an agent at work'))

it('estimates the prompt of each model step once, and none for a tool call', async () => {
  const { key } = await makeCaller(100_000, { agent: true, agentRunBudgetCredits: 200 })
  const search = { name: 'web_search', arguments: { query: 'toll roads' } }
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ toolCalls: [search, search, search] }) })
  await untilStatus(key.key, body.jobId, 'completed', 'failed')

  const kinds = (await readSteps(key.key, body.jobId)).map(({ kind }) => kind)
  const modelSteps = kinds.filter((kind) => kind === 'model')
  expect(modelSteps.length).toBeGreaterThan(1)
  expect(kinds.at(-1)).toBe('wrap_up')
  expect(kinds.length - modelSteps.length).toBeGreaterThan(3)
  expect(new Set(estimated()).size).toBe(estimated().length)
  // A model step that the limit refused had its prompt estimated too.
  expect([0, 1]).toContain(estimated().length - modelSteps.length)
})
