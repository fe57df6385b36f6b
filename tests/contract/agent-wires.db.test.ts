import { expect, it } from 'vitest'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { modelOf, withWireModels } from '../support/wire-models'
import { withWorker } from '../support/worker'

withWireModels(['chat', 'responses', 'messages'])
withSandbox()
withWorker()

it.each(['chat', 'responses', 'messages'] as const)(
  'an agent works with a model whose upstream speaks %s, with its calls and their results',
  async (wire) => {
    const { owner, key } = await makeCaller(100_000, { agent: true, capabilities: ['pod'] })
    const run = { name: 'pod_run', arguments: { command: 'echo from-pod' } }
    const goal = scriptedGoal({ turns: [{ reasoning: 'hm', toolCalls: [run, run] }, { text: 'Done: {{last}}' }] })
    const { body } = await startAgentRun(key.key, { goal, model: modelOf(wire) })
    const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
    expect(done, String(done.result)).toMatchObject({
      status: 'completed',
      result: expect.stringContaining('from-pod'),
    })
    const steps = await readSteps(key.key, body.jobId)
    expect(steps.filter(({ name }) => name === 'pod_run')).toHaveLength(2)
    const spent = steps.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0)
    expect(spent).toBeGreaterThan(0)
    expect(await chargedTo(owner)).toBe(spent)
  },
)
