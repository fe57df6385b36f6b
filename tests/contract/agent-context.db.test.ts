import { afterAll, beforeAll, expect, it } from 'vitest'
import { findModel } from '../../server/models/registry'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

const sandbox = withSandbox()
withWorker()

const MODEL = 'northwind/gale-4-mini'
let size = 0
/** A model whose context a few results fill. */
beforeAll(() => {
  const model = findModel(MODEL)
  size = model?.contextSize ?? 0
  Object.assign(model ?? {}, { contextSize: 12_000 })
})
afterAll(() => Object.assign(findModel(MODEL) ?? {}, { contextSize: size }))

const count = { name: 'pod_run', arguments: { command: 'seq 1 2000 # {{count}}' } }

it('a conversation that outgrows its model is summarized in a separate step, and continues', async () => {
  const { owner, key } = await makeCaller(100_000, { agent: true, agentRunBudgetCredits: 100, capabilities: ['pod'] })
  // Endless: the spend limit ends it.
  const goal = `Remember the goal. ${scriptedGoal({ toolCalls: [count] })}`
  const { body } = await startAgentRun(key.key, { goal, model: MODEL })
  const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
  expect(done, String(done.result)).toMatchObject({ status: 'completed', budget: { reached: true } })
  const steps = await readSteps(key.key, body.jobId)
  const summaries = steps.filter(({ kind }) => kind === 'summary')
  expect(summaries.length).toBeGreaterThan(1)
  expect(summaries[0]?.creditsCharged).toBeGreaterThan(0)
  expect(Number(summaries[1]?.output?.upTo)).toBeGreaterThan(Number(summaries[0]?.output?.upTo))
  expect(done.creditsSpent).toBe(steps.reduce((sum, step) => sum + step.creditsCharged, 0))
  expect(await chargedTo(owner)).toBe(done.creditsSpent)
  const tokens = steps.filter(({ kind }) => kind === 'model').map(({ output }) => Number(output?.inputTokens))
  expect(Math.max(...tokens)).toBeLessThan(12_000)
})

it('the summary replaces what it covers, and the goal stays word for word', async () => {
  const { key } = await makeCaller(100_000, { agent: true, capabilities: ['pod'] })
  const goal = `Remember the goal. ${scriptedGoal({ turns: [{ toolCalls: [count] }, { toolCalls: [count] }, { text: 'Done.' }] })}`
  const { body } = await startAgentRun(key.key, { goal, model: MODEL })
  await untilStatus(key.key, body.jobId, 'completed', 'failed')
  await startAgentRun(key.key, {
    goal: `And now? ${scriptedGoal({ turns: [{ toolCalls: [count] }, { text: 'Fine.' }] })}`,
    model: MODEL,
    conversationId: body.jobId,
  })
  const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
  expect(done.status, String(done.result)).toBe('completed')
  expect((await readSteps(key.key, body.jobId)).some(({ kind }) => kind === 'summary')).toBe(true)
  const last = await (await fetch(`${sandbox.url()}/llm/__last`)).text()
  expect(last).toContain('Summary of what happened so far')
  expect(last).toContain('And now?')
})

it('a long result is truncated for the model, and kept complete in its step', async () => {
  const { key } = await makeCaller(100_000, { agent: true, capabilities: ['pod'] })
  const command = 'seq 1 8000'
  const goal = scriptedGoal({
    turns: [{ toolCalls: [{ name: 'pod_run', arguments: { command } }] }, { text: 'Done.' }],
  })
  const { body } = await startAgentRun(key.key, { goal, model: MODEL })
  expect(await untilStatus(key.key, body.jobId, 'completed', 'failed')).toMatchObject({ status: 'completed' })
  const steps = await readSteps(key.key, body.jobId)
  expect(String(steps[1]?.output?.stdout)).toContain('\n7999\n')
  const last = await (await fetch(`${sandbox.url()}/llm/__last`)).text()
  expect(last).toContain('characters left out')
})

it('a goal that takes more than half of its model’s context is refused', async () => {
  const { key } = await makeCaller(100_000, { agent: true })
  const refused = await startAgentRun(key.key, { goal: 'many words '.repeat(4_000), model: MODEL })
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(refused.body.error).toContain('tokens')
})
