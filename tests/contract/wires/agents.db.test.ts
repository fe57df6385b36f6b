import { describe, expect, it } from 'vitest'
import { readSteps, startAgentRun, untilStatus } from '../../support/agent'
import { chargedTo, send, withSandbox } from '../../support/api'
import { makeCaller } from '../../support/owners'
import { creditsForScene } from '../../support/wires/calls'
import { sceneModel, withFakeProviders } from '../../support/wires/fake-providers'
import { WIRE_NAMES } from '../../support/wires/scene'
import { withWorker } from '../../support/worker'

/** Agent runs on models whose upstreams speak each wire. */

const providers = withFakeProviders()
withSandbox()
withWorker()

const CALL = { id: 'toolu_01A', name: 'crypto_get_prices', args: ['{"coinIds"', ': ["bitcoin"]}'] }
const FIRST = { input: 9_000, output: 40, cached: 8_000, written: 500 }
const SECOND = { input: 9_100, output: 20, cached: 9_000 }

describe.each(WIRE_NAMES)('on an upstream that speaks %s', (wire) => {
  it('a run calls its tools, and pays cached tokens as such', async () => {
    const { owner, key } = await makeCaller(1_000_000, { agent: true })
    providers.play({ calls: [CALL], usage: FIRST }, { text: ['All ', 'done.'], usage: SECOND })
    const goal = `Look up a price. ${'A long story. '.repeat(3_000)}`
    const { body } = await startAgentRun(key.key, { goal, model: sceneModel(wire) })
    const done = await untilStatus(key.key, body.jobId, 'completed', 'failed', 'cancelled')
    expect(done).toMatchObject({ status: 'completed', result: 'All done.' })
    expect(providers.calls()).toBe(2)
    expect(Object.values(providers.seen().results)).toEqual([expect.stringContaining('bitcoin')])
    const steps = await readSteps(key.key, body.jobId)
    const models = steps.filter(({ name }) => name === sceneModel(wire))
    expect(models.map(({ creditsCharged }) => creditsCharged)).toEqual([FIRST, SECOND].map(creditsForScene))
    const receipt = await send(`/api/v1/usage/${models[0]?.requestId}`, { key: key.key })
    expect(receipt.body).toMatchObject({
      channel: 'agent',
      detail: { inputTokens: 9_000, cachedInputTokens: 8_000, cacheWriteTokens: 500, estimated: false },
    })
    expect(await chargedTo(owner)).toBe(steps.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0))
  })

  it('a model step whose provider refuses it is not charged, and the run says why', async () => {
    const { owner, key } = await makeCaller(1_000_000, { agent: true })
    providers.play({ usage: FIRST, fault: { status: 400, message: 'theirs takes no stories' } })
    const { body } = await startAgentRun(key.key, { model: sceneModel(wire) })
    const done = await untilStatus(key.key, body.jobId, 'completed', 'failed', 'cancelled')
    expect(done).toMatchObject({ status: 'failed', result: expect.stringContaining('takes no stories') })
    expect(await chargedTo(owner)).toBe(0)
  })
})
