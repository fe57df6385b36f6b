import { expect, test } from 'vitest'
import { readSteps, scriptedGoal, sendAnswer, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const AGENT = { agent: true, llm: true }

test('a start is 202 with the path to poll, and the run ends with the reply of its model', async () => {
  const { owner, key } = await makeCaller(10_000, AGENT)
  const { status, body } = await startAgentRun(key.key, { goal: scriptedGoal({ text: 'All done.' }) })
  expect(status).toBe(202)
  expect(body).toMatchObject({
    conversationId: body.jobId,
    mode: 'autonomous',
    runBudgetCredits: 5_000,
    runBudgetScope: 'conversation',
    capabilities: null,
    poll: `/api/v1/agent/${body.jobId}`,
  })
  const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
  expect(done).toMatchObject({
    status: 'completed',
    result: 'All done.',
    budget: { capCredits: 5_000, reached: false },
  })
  expect(done.creditsSpent).toBe(await chargedTo(owner))
  expect(done.creditsSpent).toBeGreaterThan(0)
})

test('tool calls run in parallel, each as a step with its charge', async () => {
  const { owner, key } = await makeCaller(10_000, AGENT)
  const goal = scriptedGoal({
    turns: [
      {
        toolCalls: [
          { name: 'web_search', arguments: { query: 'toll roads' } },
          { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } },
          { name: 'no_such_tool', arguments: {} },
          { name: 'web_search', arguments: { nope: 1 } },
        ],
      },
      { text: 'Found.' },
    ],
  })
  const { body } = await startAgentRun(key.key, { goal })
  const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
  expect(done.result).toBe('Found.')
  const steps = await readSteps(key.key, body.jobId)
  expect(steps.map(({ index, kind, name }) => [index, kind, name])).toEqual([
    [0, 'model', done.model],
    [1, 'tool', 'web_search'],
    [2, 'tool', 'crypto_get_prices'],
    [3, 'tool', 'no_such_tool'],
    [4, 'tool', 'web_search'],
    [5, 'model', done.model],
  ])
  expect(steps.map(({ creditsCharged }) => creditsCharged).slice(1, 5)).toEqual([1, 3, 0, 0])
  expect(steps[1]?.output).toHaveProperty('rows')
  expect(steps[3]?.error?.code).toBe('unknown_tool')
  expect(steps[4]?.error?.code).toBe('invalid_request')
  const sum = steps.reduce((total, step) => total + step.creditsCharged, 0)
  expect(sum).toBe(done.creditsSpent)
  expect(await chargedTo(owner)).toBe(sum)
})

test('without a script the player makes the call that the goal needs, and shows a plan in an interactive run', async () => {
  const { key } = await makeCaller(10_000, AGENT)
  const { body } = await startAgentRun(key.key, { goal: 'What does bitcoin cost?' })
  const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
  expect(done.result).toContain('bitcoin')
  expect((await readSteps(key.key, body.jobId)).map(({ name }) => name)[1]).toBe('crypto_get_prices')

  const asked = await startAgentRun(key.key, { goal: 'What does bitcoin cost?', mode: 'interactive' })
  const paused = await untilStatus(key.key, asked.body.jobId, 'awaiting_input', 'failed')
  expect(paused.awaitingInput).toMatchObject({ kind: 'plan', toolCallId: 'call_1' })
  expect((await sendAnswer(key.key, asked.body.jobId, { approved: true })).body.status).toBe('running')
  const after = await untilStatus(key.key, asked.body.jobId, 'completed', 'failed')
  expect(after).toMatchObject({ status: 'completed' })
  expect((await readSteps(key.key, asked.body.jobId)).map(({ kind }) => kind)).toEqual([
    'model',
    'plan',
    'model',
    'tool',
    'model',
  ])
})

test('a destructive call waits for approval and shows what would run; a rejection reaches the model', async () => {
  const { key } = await makeCaller(10_000, AGENT)
  const make = { toolCalls: [{ name: 'pod_run', arguments: { command: 'echo hello > a.txt && cat a.txt' } }] }
  const before = await startAgentRun(key.key, { goal: scriptedGoal({ turns: [make, { text: 'Made.' }] }) })
  await untilStatus(key.key, before.body.jobId, 'completed', 'failed')
  const goal = scriptedGoal({
    turns: [
      { toolCalls: [{ name: 'pod_run', arguments: { command: 'rm a.txt' } }] },
      { toolCalls: [{ name: 'pod_run', arguments: { command: 'rm -f a.txt && ls' } }] },
      { text: 'Last: {{last}}' },
    ],
  })
  const { body } = await startAgentRun(key.key, { goal, conversationId: before.body.jobId })
  const first = await untilStatus(key.key, body.jobId, 'awaiting_input', 'failed', 'completed')
  expect(first.awaitingInput).toMatchObject({ kind: 'approval', approval: { command: 'rm a.txt', sql: null } })
  const rejected = await sendAnswer(key.key, body.jobId, { approved: false, feedback: 'Keep it.' })
  expect(rejected.body).toEqual({ jobId: body.jobId, runId: body.runId, status: 'running' })
  const second = await untilStatus(key.key, body.jobId, 'awaiting_input', 'failed', 'completed')
  expect(second.awaitingInput).toMatchObject({ kind: 'approval', approval: { command: 'rm -f a.txt && ls' } })
  const approved = await sendAnswer(key.key, body.jobId, { approved: true, feedback: 'Fine.' })
  expect(approved.body).toMatchObject({ status: 'running', feedbackIgnored: true })
  const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
  expect(done.status).toBe('completed')
  const steps = (await readSteps(key.key, body.jobId)).filter(({ kind }) => kind === 'tool')
  expect(steps[0]?.output).toMatchObject({ stdout: 'hello\n', exitCode: 0 })
  expect(steps[1]?.error).toEqual({ code: 'rejected', message: 'The person rejected this: Keep it.' })
  expect(steps[2]?.output).toMatchObject({ stdout: '', exitCode: 0 })
})
