import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, send, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const AGENT = { agent: true }
const over = ['completed', 'failed', 'cancelled'] as const
const prices = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
const search = { name: 'web_search', arguments: { query: 'toll roads' } }

const rerun = (key: string, jobId: unknown, body: object = {}) =>
  send(`/api/v1/agent/${jobId}/rerun`, { key, body: { idempotencyKey: randomUUID(), ...body } })

/** A finished run: a model step, two calls at once, a model step, a call, and the answer. */
async function finished(key: string, more: object = {}) {
  const turns = [{ toolCalls: [prices, search] }, { toolCalls: [prices] }, { text: 'First answer.' }]
  const { body } = await startAgentRun(key, { goal: scriptedGoal({ turns }), ...more })
  const job = await untilStatus(key, body.jobId, ...over)
  expect(job).toMatchObject({ status: 'completed', result: 'First answer.' })
  return { jobId: String(body.jobId), spent: Number(job.creditsSpent), steps: await readSteps(key, body.jobId) }
}

const shown = (steps: Awaited<ReturnType<typeof readSteps>>) =>
  steps.map(({ index, kind, name }) => [index, kind, name])
const sumOf = (steps: Awaited<ReturnType<typeof readSteps>>) =>
  steps.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0)

describe('a rerun from a step', () => {
  it('takes over what came before for free, and pays only what it runs again', async () => {
    const { owner, key } = await makeCaller(50_000, AGENT)
    const first = await finished(key.key)
    expect(first.steps.map(({ kind }) => kind)).toEqual(['model', 'tool', 'tool', 'model', 'tool', 'model'])
    const { status, body } = await rerun(key.key, first.jobId, { fromStep: 3 })
    expect(status, JSON.stringify(body)).toBe(202)
    expect(body.jobId).not.toBe(first.jobId)
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'completed', result: 'First answer.', rerunOf: first.jobId, fromStep: 3 })
    const steps = await readSteps(key.key, body.jobId)
    expect(shown(steps)).toEqual(shown(first.steps))
    expect(steps.slice(0, 3).map(({ creditsCharged, requestId }) => [creditsCharged, requestId])).toEqual(
      [0, 0, 0].map((credits) => [credits, null]),
    )
    expect(steps.slice(0, 3).map(({ output }) => output)).toEqual(first.steps.slice(0, 3).map(({ output }) => output))
    expect(done.creditsSpent).toBe(sumOf(steps))
    expect(Number(done.creditsSpent)).toBeLessThan(first.spent)
    expect(await chargedTo(owner)).toBe(first.spent + Number(done.creditsSpent))
    // The job that was taken over is as it was.
    expect(await readSteps(key.key, first.jobId)).toEqual(first.steps)
  })

  it('within calls that were made at once makes only those from there on', async () => {
    const { key } = await makeCaller(50_000, AGENT)
    const first = await finished(key.key)
    const { body } = await rerun(key.key, first.jobId, { fromStep: 2 })
    await untilStatus(key.key, body.jobId, ...over)
    const steps = await readSteps(key.key, body.jobId)
    expect(shown(steps)).toEqual(shown(first.steps))
    expect(steps[1]).toMatchObject({ name: 'crypto_get_prices', creditsCharged: 0 })
    expect(steps[2]).toMatchObject({ name: 'web_search', requestId: expect.any(String) })
    expect(steps[2]?.creditsCharged).toBeGreaterThan(0)
  })

  it('has another model, goal and checks where it asks for them', async () => {
    const { key } = await makeCaller(50_000, AGENT)
    const first = await finished(key.key)
    const goal = scriptedGoal({ text: 'Second answer.' })
    const checks = [{ kind: 'contains', text: 'second' }]
    const { body } = await rerun(key.key, first.jobId, { fromStep: 3, goal, checks, model: 'northwind/gale-4-mini' })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ result: 'Second answer.', model: 'northwind/gale-4-mini' })
    expect(done.checks).toMatchObject([{ verdict: 'passed' }])
    const steps = await readSteps(key.key, body.jobId)
    expect(steps).toHaveLength(4)
    expect(steps[3]?.name).toBe('northwind/gale-4-mini')
  })

  it('of a later turn knows the turns before it', async () => {
    const { owner, key } = await makeCaller(50_000, AGENT)
    const first = await finished(key.key)
    const next = scriptedGoal({ turns: [{ toolCalls: [prices] }, { text: 'Another.' }] })
    await startAgentRun(key.key, { goal: next, conversationId: first.jobId, checks: [{ kind: 'contains', text: 'x' }] })
    const before = await untilStatus(key.key, first.jobId, ...over)
    const { body } = await rerun(key.key, first.jobId, { fromStep: 7 })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ result: 'Another.', checks: [{ verdict: 'failed' }] })
    const steps = await readSteps(key.key, body.jobId)
    expect(shown(steps)).toEqual(shown(await readSteps(key.key, first.jobId)))
    expect(sumOf(steps.slice(0, 7))).toBe(0)
    expect(new Set(steps.slice(0, 6).map(({ index }) => index)).size).toBe(6)
    expect(await chargedTo(owner)).toBe(Number(before.creditsSpent) + Number(done.creditsSpent))
    // It can be continued, and run again, as any other.
    const again = await rerun(key.key, body.jobId, { fromStep: 8 })
    expect(await untilStatus(key.key, again.body.jobId, ...over)).toMatchObject({ result: 'Another.' })
    await startAgentRun(key.key, { goal: scriptedGoal({ text: 'Further.' }), conversationId: body.jobId })
    const further = await untilStatus(key.key, body.jobId, ...over)
    expect(further).toMatchObject({ result: 'Further.' })
    expect(further).not.toHaveProperty('rerunOf')
  })
})

describe('a rerun', () => {
  it('without a step repeats the latest turn from its beginning', async () => {
    const { key } = await makeCaller(50_000, AGENT)
    const first = await finished(key.key, { metadata: { team: 'north' } })
    const { body } = await rerun(key.key, first.jobId)
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({
      result: 'First answer.',
      rerunOf: first.jobId,
      fromStep: null,
      metadata: { team: 'north' },
    })
    expect((await readSteps(key.key, body.jobId)).every(({ requestId }) => requestId !== null)).toBe(true)
  })

  it('is one run for an idempotency key', async () => {
    const { key } = await makeCaller(50_000, AGENT)
    const first = await finished(key.key)
    const ask = () => rerun(key.key, first.jobId, { fromStep: 3, idempotencyKey: 'again' })
    const [a, b] = [await ask(), await ask()]
    expect(b.body).toMatchObject({ jobId: a.body.jobId, runId: a.body.runId })
    await untilStatus(key.key, a.body.jobId, ...over)
    expect(await readSteps(key.key, a.body.jobId)).toHaveLength(6)
  })
})

describe('refused:', () => {
  it('400 a step that the job does not have', async () => {
    const { key } = await makeCaller(50_000, AGENT)
    const first = await finished(key.key)
    expect(await rerun(key.key, first.jobId, { fromStep: 40 })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('no step 40') },
    })
  })

  it("404 another owner's job, and one that is not there", async () => {
    const { key } = await makeCaller(50_000, AGENT)
    const first = await finished(key.key)
    const { key: other } = await makeCaller(50_000, AGENT)
    for (const jobId of [first.jobId, randomUUID(), 'x'])
      expect(await rerun(other.key, jobId, { fromStep: 1 })).toMatchObject({ status: 404 })
  })

  it('409 a job that is in progress', async () => {
    const { key } = await makeCaller(50_000, AGENT)
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ delayMs: 1_500, text: 'Late.' }) })
    expect(await rerun(key.key, body.jobId)).toMatchObject({ status: 409 })
    await untilStatus(key.key, body.jobId, ...over)
  })

  it('403 a key without agents', async () => {
    const { key } = await makeCaller(50_000)
    expect(await rerun(key.key, randomUUID())).toMatchObject({ status: 403 })
  })
})
