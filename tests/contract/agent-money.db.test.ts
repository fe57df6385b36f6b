import { describe, expect, it } from 'vitest'
import { getBalance } from '../../server/credits/balance'
import { mainPool, prisma } from '../../server/db'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, send, withSandbox } from '../support/api'
import { makeCaller, makeKey } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const search = { name: 'web_search', arguments: { query: 'toll roads' } }
const dear = { name: 'microblog_search', arguments: { query: 'tolls {{count}}', limit: 20, searchType: 'Top' } }
/** A run without an end. */
const endless = (calls = 4) => scriptedGoal({ toolCalls: Array.from({ length: calls }, () => dear) })
const over = ['completed', 'failed', 'cancelled'] as const

const capOf = async (jobId: unknown) =>
  (await mainPool().query('SELECT cap::int, spent::int, held::int FROM spend_limit WHERE id = $1', [jobId])).rows[0]

describe('every step', () => {
  it('is charged once, and has its receipt: steps, spend, ledger and receipts agree', async () => {
    const { owner, key } = await makeCaller(10_000, { agent: true })
    const goal = scriptedGoal({ turns: [{ toolCalls: [search, dear, search] }, { text: 'Done.' }] })
    const { body } = await startAgentRun(key.key, { goal })
    const done = await untilStatus(key.key, body.jobId, ...over)
    const steps = await readSteps(key.key, body.jobId)
    const sum = steps.reduce((total, { creditsCharged }) => total + creditsCharged, 0)
    expect(done.creditsSpent).toBe(sum)
    expect(await chargedTo(owner)).toBe(sum)
    expect(await getBalance(owner.id)).toEqual({ available: 10_000 - sum, held: 0 })
    for (const { requestId, creditsCharged, name } of steps) {
      const receipt = await send(`/api/v1/usage/${requestId}`, { key: key.key })
      expect(receipt.body).toMatchObject({ channel: 'agent', product: 'agent', what: name, status: 'ok' })
      expect(receipt.body).toMatchObject({ credits: { charged: creditsCharged } })
    }
  })

  it('of a model that reports no usage is charged by counted tokens', async () => {
    const { key } = await makeCaller(10_000, { agent: true })
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ text: 'Counted here.', usage: 'none' }) })
    await untilStatus(key.key, body.jobId, ...over)
    const [step] = await readSteps(key.key, body.jobId)
    expect(step?.output).toMatchObject({ estimated: true })
    expect(step?.creditsCharged).toBeGreaterThan(0)
  })

  it('of a metered tool that costs more than its hold is charged what it cost, as far as the limits allow', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true, agentRunBudgetCredits: 100_000 })
    const run = {
      name: 'marketplace_run_actor',
      arguments: { actorId: 'tide/overrun', input: { query: 'boats' }, maxItems: 15 },
    }
    const { body } = await startAgentRun(key.key, {
      goal: scriptedGoal({ turns: [{ toolCalls: [run] }, { text: 'Done.' }] }),
    })
    const done = await untilStatus(key.key, body.jobId, ...over)
    const steps = await readSteps(key.key, body.jobId)
    const receipt = await send(`/api/v1/usage/${steps[1]?.requestId}`, { key: key.key })
    const { held, charged } = receipt.body.credits as { held: number; charged: number }
    expect(charged).toBeGreaterThan(held)
    expect(steps[1]?.creditsCharged).toBe(charged)
    expect(done.creditsSpent).toBe(await chargedTo(owner))
  })
})

describe('the spend limit of a conversation', () => {
  it('ends a run with a final summary paid from the reserve, and is never exceeded', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true, agentRunBudgetCredits: 1_000 })
    const { body } = await startAgentRun(key.key, { goal: endless() })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'completed', budget: { capCredits: 1_000, reached: true } })
    expect(done.result).toContain(
      'the spend limit of this conversation, 1,000 credits, left too little for another step',
    )
    const steps = await readSteps(key.key, body.jobId)
    expect(steps.at(-1)?.kind).toBe('wrap_up')
    expect(steps.at(-1)?.creditsCharged).toBeGreaterThan(0)
    expect(done.creditsSpent).toBeLessThanOrEqual(1_000)
    expect(done.creditsSpent).toBeGreaterThan(600)
    expect(await capOf(body.jobId)).toEqual({ cap: 1_000, spent: done.creditsSpent, held: 0 })
    expect(await chargedTo(owner)).toBe(done.creditsSpent)

    const turn = await startAgentRun(key.key, { conversationId: body.jobId })
    expect(turn).toMatchObject({
      status: 402,
      body: {
        code: 'insufficient_credits',
        limitSource: 'conversation',
        creditsSpent: done.creditsSpent,
        ceilingCredits: 1_000,
      },
    })
    expect(turn.body).not.toHaveProperty('service')
    expect(await prisma().turn.count({ where: { ownerId: owner.id } })).toBe(1)
    expect((await readSteps(key.key, body.jobId)).length).toBe(steps.length)
  })

  it('counts over all turns', async () => {
    const { key } = await makeCaller(100_000, { agent: true, agentRunBudgetCredits: 2_000 })
    const goal = scriptedGoal({ turns: [{ toolCalls: Array.from({ length: 8 }, () => dear) }, { text: 'Done.' }] })
    const { body } = await startAgentRun(key.key, { goal })
    const first = await untilStatus(key.key, body.jobId, ...over)
    expect(first).toMatchObject({ status: 'completed', budget: { reached: false } })
    await startAgentRun(key.key, { goal: endless(), conversationId: body.jobId })
    const second = await untilStatus(key.key, body.jobId, ...over)
    expect(second).toMatchObject({ status: 'completed', budget: { reached: true } })
    expect(second.creditsSpent).toBeGreaterThan(Number(first.creditsSpent))
    expect(second.creditsSpent).toBeLessThanOrEqual(2_000)
  })

  it('that leaves nothing for a final summary ends the run with a free digest', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true, agentRunBudgetCredits: 600 })
    // It costs more than its hold, and takes all that was kept free.
    const overrun = { actorId: 'tide/overrun', input: { query: 'boats' }, maxItems: 15 }
    const goal = scriptedGoal({ toolCalls: [{ name: 'marketplace_run_actor', arguments: overrun }] })
    const { body } = await startAgentRun(key.key, { goal })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'completed', creditsSpent: 600, budget: { reached: true } })
    expect(done.result).toContain('What was done so far')
    expect(done.result).toContain('the spend limit of this conversation, 600 credits')
    const steps = await readSteps(key.key, body.jobId)
    expect(steps.at(-1)).toMatchObject({ kind: 'tool', error: { code: 'insufficient_credits' } })
    expect(await chargedTo(owner)).toBe(600)
  })
})

describe('another limit', () => {
  it('is named where it is reached first: the key’s budget', async () => {
    const { key } = await makeCaller(100_000, { agent: true, budget: 800 })
    const { body } = await startAgentRun(key.key, { goal: endless() })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'completed', budget: { reached: false } })
    expect(done.result).toContain("the key's lifetime budget")
    expect(done.creditsSpent).toBeLessThanOrEqual(800)
  })

  it('the account’s balance', async () => {
    const { owner, key } = await makeCaller(800, { agent: true })
    const { body } = await startAgentRun(key.key, { goal: endless() })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done.result).toContain("the account's balance")
    expect((await getBalance(owner.id)).available).toBe(800 - Number(done.creditsSpent))
  })

  it('holds for runs that race for it', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true, budget: 1_500 })
    const runs = await Promise.all(Array.from({ length: 4 }, () => startAgentRun(key.key, { goal: endless() })))
    const ends = await Promise.all(runs.map(({ body }) => untilStatus(key.key, body.jobId, ...over)))
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 'completed'))
    const spent = ends.reduce((sum, { creditsSpent }) => sum + Number(creditsSpent), 0)
    expect(spent).toBeLessThanOrEqual(1_500)
    expect(await chargedTo(owner)).toBe(spent)
  })
})

describe('a run that cannot continue', () => {
  it('fails when its model failed five times, and nothing is charged', async () => {
    const { owner, key } = await makeCaller(10_000, { agent: true })
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ status: 500, message: 'broken' }) })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'failed', creditsSpent: 0, result: expect.stringContaining('failed 5 times') })
    expect(await chargedTo(owner)).toBe(0)
    expect((await getBalance(owner.id)).held).toBe(0)
  })

  it('fails at once when its model refuses the request', async () => {
    const { key } = await makeCaller(10_000, { agent: true })
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ status: 400, message: 'This is too much.' }) })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'failed', result: expect.stringContaining('This is too much.') })
  })

  it('continues when its model recovers in time', async () => {
    const { key } = await makeCaller(10_000, { agent: true })
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ status: 503, failTimes: 2, text: 'Back.' }) })
    expect(await untilStatus(key.key, body.jobId, ...over)).toMatchObject({ status: 'completed', result: 'Back.' })
  })

  it('fails when its key was revoked: no further step is made', async () => {
    const { owner, key } = await makeCaller(10_000, { agent: true })
    const other = await makeKey(owner, { agent: true })
    const goal = scriptedGoal({ turns: [{ delayMs: 800, toolCalls: [search] }, { text: 'Done.' }] })
    const { body } = await startAgentRun(key.key, { goal })
    await mainPool().query('UPDATE "key" SET revoked_at = now() WHERE id = $1', [key.id])
    const done = await untilStatus(other.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'failed', result: expect.stringContaining('revoked') })
    expect(done.creditsSpent).toBe(await chargedTo(owner))
  })
})
