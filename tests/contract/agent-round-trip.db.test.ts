import { describe, expect, it } from 'vitest'
import { recordsIn, type UnknownRecord } from '../../server/kit/record'
import { findModel } from '../../server/models/registry'
import { readSteps, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { creditsForScene } from '../support/wires/calls'
import { sceneModel, withFakeProviders } from '../support/wires/fake-providers'
import type { Scene } from '../support/wires/scene'
import { withWorker } from '../support/worker'

const providers = withFakeProviders()
withSandbox()
withWorker()

const WIRES = ['chat', 'responses', 'messages'] as const
const PROOF = 'c2lnbmVkIGJ5IHRoZSBwcm92aWRlcg=='

const looking: Scene = {
  thought: { text: ['Let me ', 'look.'], proof: PROOF },
  text: ['I look.'],
  calls: [
    { id: 'toolu_01A', name: 'dataset_list', args: ['{', '}'] },
    { id: 'toolu_02B', name: 'site_list', args: ['{}'] },
  ],
  usage: { input: 5_000, output: 100, written: 4_000, reasoning: 40 },
}
const done: Scene = { text: ['All ', 'done.'], usage: { input: 6_000, output: 50, cached: 4_000 } }

/** A run of two replies against the provider of one wire. */
async function runOn(wire: (typeof WIRES)[number]) {
  const { owner, key } = await makeCaller(100_000, { agent: true })
  providers.play(looking, done)
  const { body } = await startAgentRun(key.key, { goal: 'Look around.', model: sceneModel(wire) })
  const job = await untilStatus(key.key, body.jobId, 'completed', 'failed')
  expect(job, String(job.result)).toMatchObject({ status: 'completed', result: 'All done.' })
  const steps = await readSteps(key.key, body.jobId)
  expect(await chargedTo(owner)).toBe(job.creditsSpent)
  return { steps, asked: providers.asked() }
}

describe.each(WIRES)('a model whose upstream speaks %s', (wire) => {
  it('gets back what it thought and signed, and results under its own ids', async () => {
    const { steps } = await runOn(wire)
    const { proof, results } = providers.seen()
    expect(proof).toBe(PROOF)
    expect(Object.keys(results)).toEqual(['toolu_01A', 'toolu_02B'])
    expect(steps[0]?.output?.message).toMatchObject({ role: 'assistant', tool_calls: [{ id: 'toolu_01A' }, {}] })
  })

  it('is charged for its cache by what that costs, and the steps say what was saved', async () => {
    const { steps } = await runOn(wire)
    const [first, second] = steps.filter(({ kind }) => kind === 'model')
    expect(first?.creditsCharged).toBe(creditsForScene(looking.usage))
    expect(second?.creditsCharged).toBe(creditsForScene(done.usage))
    expect(first?.output).toMatchObject({ cacheWriteTokens: 4_000, cachedTokens: 0 })
    const saved = creditsForScene({ input: 6_000, output: 50 }) - creditsForScene(done.usage)
    expect(saved).toBeGreaterThan(0)
    expect(second?.output).toMatchObject({ cachedTokens: 4_000, cacheWriteTokens: 0, savedCredits: saved })
  })
})

/** Where marks are: the role, or system, and the type of the block. */
const marksIn = ({ system, messages }: UnknownRecord) => [
  ...recordsIn(system).flatMap((block) => (block.cache_control ? ['system'] : [])),
  ...recordsIn(messages).flatMap(({ content }, i) =>
    recordsIn(content).flatMap(({ type, cache_control: mark }) => (mark ? [`${i} ${type}`] : [])),
  ),
]

describe('the cache of a provider', () => {
  it('is marked where the wire has marks: the system prompt, the last prompt, and this one', async () => {
    const { asked } = await runOn('messages')
    expect(marksIn(asked)).toEqual(['system', '0 text', '2 tool_result'])
  })

  it('is marked on a chat upstream whose entry says that it takes marks', async () => {
    const [upstream] = findModel(sceneModel('chat'))?.upstreams ?? []
    Object.assign(upstream ?? {}, { cacheMarks: true })
    const { asked } = await runOn('chat')
    Object.assign(upstream ?? {}, { cacheMarks: undefined })
    expect(marksIn(asked)).toEqual(['0 text', '1 text', '4 text'])
    expect(providers.seen().proof).toBe(PROOF)
  })

  it('gets no marks where chat upstreams might refuse them, and a name where they are found by one', async () => {
    expect(JSON.stringify((await runOn('chat')).asked)).not.toContain('cache_control')
    const { asked } = await runOn('responses')
    expect(JSON.stringify(asked)).not.toContain('cache_control')
    expect(asked.prompt_cache_key).toMatch(/^[\w-]{36}$/)
  })
})
