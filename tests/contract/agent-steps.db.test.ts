import { describe, expect, it } from 'vitest'
import { type ReportedStep, readSteps, scriptedGoal, sendAnswer, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, send, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const AGENT = { agent: true }
const over = ['completed', 'failed', 'cancelled'] as const

/** Runs a goal to its next pause or end. */
async function runTurns(key: string, turns: object[], more: object = {}) {
  const { body } = await startAgentRun(key, { goal: scriptedGoal({ turns }), ...more })
  return untilStatus(key, body.jobId, 'awaiting_input', ...over)
}

const chargeOf = async (key: string, { requestId }: ReportedStep) =>
  ((await send(`/api/v1/usage/${requestId}`, { key })).body.credits as { charged?: number } | undefined)?.charged

describe('a step', () => {
  it('has as input what its tool got: with defaults, trimmed, and as the model wrote it where none took it', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const { jobId } = await runTurns(key.key, [
      {
        toolCalls: [
          { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } },
          { name: 'web_read_url', arguments: { url: ' http://10.0.0.1/ ' } },
          { name: 'web_search', arguments: { nope: 1 } },
          { name: 'no_such_tool', arguments: { a: 1 } },
        ],
      },
      { text: 'Done.' },
    ])
    const inputs = (await readSteps(key.key, jobId)).filter(({ kind }) => kind === 'tool').map(({ input }) => input)
    expect(inputs).toEqual([
      {
        ...{ coinIds: ['bitcoin'], currencies: ['usd'] },
        ...{ includeMarketCap: true, include24hrVol: true, include24hrChange: true },
      },
      { url: 'http://10.0.0.1/' },
      { nope: 1 },
      { a: 1 },
    ])
  })

  it('that a person rejected keeps the arguments, and was not charged', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const rows = [{ city: 'Olbia', homes: 480 }]
    await runTurns(key.key, [
      { toolCalls: [{ name: 'dataset_create', arguments: { name: 'homes', rows } }] },
      { text: 'Made.' },
    ])
    const before = await chargedTo(owner)
    const { jobId, awaitingInput } = await runTurns(key.key, [
      {
        toolCalls: [
          { name: 'web_search', arguments: { query: 'homes' } },
          { name: 'dataset_create', arguments: { name: 'homes', rows: [...rows, ...rows] } },
        ],
      },
      { text: 'Done.' },
    ])
    expect(awaitingInput).toMatchObject({ kind: 'approval' })
    await sendAnswer(key.key, jobId, { approved: false, feedback: 'Keep them.' })
    const done = await untilStatus(key.key, jobId, ...over)
    const rejected = (await readSteps(key.key, jobId)).find(({ error }) => error?.code === 'rejected')
    expect(rejected).toMatchObject({
      kind: 'tool',
      name: 'dataset_create',
      input: { name: 'homes', rows: [...rows, ...rows] },
      output: null,
      error: { code: 'rejected', message: 'The person rejected this: Keep them.' },
      creditsCharged: 0,
      requestId: null,
    })
    expect((await chargedTo(owner)) - before).toBe(done.creditsSpent)
  })

  it('names its receipt, whatever became of the call, and the receipt has its charge', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const { jobId, creditsSpent, status } = await runTurns(key.key, [
      {
        toolCalls: [
          { name: 'web_search', arguments: { query: 'toll roads' } },
          { name: 'dataset_list', arguments: {} },
          { name: 'web_read_url', arguments: { url: 'https://no-such-host.invalid/' } },
        ],
      },
      { text: 'Done.' },
    ])
    expect(status).toBe('completed')
    const steps = await readSteps(key.key, jobId)
    expect(steps.map(({ kind }) => kind)).toEqual(['model', 'tool', 'tool', 'tool', 'model'])
    for (const step of steps) {
      expect(step.requestId, JSON.stringify(step)).toMatch(/^[0-9a-f-]{36}$/)
      expect(await chargeOf(key.key, step)).toBe(step.creditsCharged)
    }
    expect(steps.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0)).toBe(creditsSpent)
    expect(await chargedTo(owner)).toBe(creditsSpent)
  })
})
