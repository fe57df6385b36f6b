import { describe, expect, it } from 'vitest'
import { getBalance } from '../../server/credits/balance'
import { grantCredits } from '../../server/credits/grant'
import { mainPool, prisma } from '../../server/db'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { type AskedModel, playAgentModel, promptTextOf } from '../support/agent-model'
import { chargedTo, withSandbox } from '../support/api'
import { withFakeUpstream } from '../support/fake-upstream'
import { makeCaller, makeKey } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
const upstream = withFakeUpstream()
withWorker()

const over = ['completed', 'failed', 'cancelled'] as const
const overrun = {
  name: 'marketplace_run_actor',
  arguments: { actorId: 'tide/overrun', input: { query: 'boats' }, maxItems: 15 },
}
/** A call costs more than its hold, and takes whatever a limit still leaves. */
const greedy = scriptedGoal({ toolCalls: [overrun] })
const turnsOf = (ownerId: number) => prisma().turn.count({ where: { ownerId } })

describe('a run that a limit stopped', () => {
  it('can go on when the balance has credits again; until then its 402 names the balance', async () => {
    const { owner, key } = await makeCaller(600, { agent: true, agentRunBudgetCredits: 100_000 })
    const { body } = await startAgentRun(key.key, { goal: greedy })
    const stopped = await untilStatus(key.key, body.jobId, ...over)
    expect(stopped).toMatchObject({ status: 'completed', creditsSpent: 600, budget: { reached: false } })
    expect(stopped.result).toContain("the account's balance")

    const refused = await startAgentRun(key.key, { conversationId: body.jobId })
    expect(refused).toMatchObject({ status: 402, body: { code: 'insufficient_credits', limitSource: 'balance' } })
    expect(refused.body.error).toContain('the account has 0')
    expect(refused.body).not.toHaveProperty('ceilingCredits')
    expect(refused.body).not.toHaveProperty('service')
    expect(await turnsOf(owner.id)).toBe(1)

    await grantCredits(owner.id, 5_000n)
    const goal = scriptedGoal({ text: 'Back at work.' })
    expect((await startAgentRun(key.key, { goal, conversationId: body.jobId })).status).toBe(202)
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'completed', result: 'Back at work.', budget: { reached: false } })
    const steps = await readSteps(key.key, body.jobId)
    expect(done.creditsSpent).toBe(steps.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0))
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
    expect(await getBalance(owner.id)).toEqual({ available: 5_600 - Number(done.creditsSpent), held: 0 })
  })

  it('can go on with a key that has credits left; with the same one its 402 names the budget', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true, budget: 600, agentRunBudgetCredits: 100_000 })
    const { body } = await startAgentRun(key.key, { goal: greedy })
    const stopped = await untilStatus(key.key, body.jobId, ...over)
    expect(stopped).toMatchObject({ status: 'completed', budget: { reached: false } })
    expect(stopped.result).toContain("the key's lifetime budget")
    const refused = await startAgentRun(key.key, { conversationId: body.jobId })
    expect(refused).toMatchObject({ status: 402, body: { limitSource: 'key_budget' } })
    expect(refused.body.error).toContain("the key's budget leaves 0")

    const richer = await makeKey(owner, { agent: true, budget: 5_000 })
    const goal = scriptedGoal({ text: 'Back at work.' })
    expect((await startAgentRun(richer.key, { goal, conversationId: body.jobId })).status).toBe(202)
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ result: 'Back at work.', budget: { reached: false } })
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })

  it('stays stopped where it was the conversation’s own, also with credits in the account and a larger one', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true, agentRunBudgetCredits: 600 })
    const { body } = await startAgentRun(key.key, { goal: greedy })
    const stopped = await untilStatus(key.key, body.jobId, ...over)
    expect(stopped).toMatchObject({ creditsSpent: 600, budget: { capCredits: 600, reached: true } })
    await mainPool().query('UPDATE "key" SET agent_run_budget_credits = 50000 WHERE id = $1', [key.id])
    const refused = await startAgentRun(key.key, { conversationId: body.jobId })
    expect(refused).toMatchObject({ status: 402, body: { limitSource: 'conversation', creditsSpent: 600 } })
    expect(refused.body.ceilingCredits).toBeGreaterThanOrEqual(600)
    expect(await turnsOf(owner.id)).toBe(1)
    expect(await chargedTo(owner)).toBe(600)
  })

  it('names the conversation’s limit where another one is as tight', async () => {
    const { owner, key } = await makeCaller(600, { agent: true, budget: 600, agentRunBudgetCredits: 600 })
    const { body } = await startAgentRun(key.key, { goal: greedy })
    const stopped = await untilStatus(key.key, body.jobId, ...over)
    expect(stopped).toMatchObject({ creditsSpent: 600, budget: { reached: true } })
    expect(stopped.result).toContain(
      'the spend limit of this conversation, 600 credits, left too little for another step',
    )
    expect(await startAgentRun(key.key, { conversationId: body.jobId })).toMatchObject({
      status: 402,
      body: { limitSource: 'conversation', creditsSpent: 600, ceilingCredits: 600 },
    })
    expect(await chargedTo(owner)).toBe(600)
  })

  it('says in its result how it can go on', async () => {
    const poor = await makeCaller(250, { agent: true })
    const bounded = await makeCaller(50_000, { agent: true, agentRunBudgetCredits: 250 })
    const endless = scriptedGoal({
      toolCalls: [{ name: 'microblog_search', arguments: { query: 'tolls', limit: 20, searchType: 'Top' } }],
    })
    const [first, second] = await Promise.all(
      [poor, bounded].map(async ({ key }) => {
        const { body } = await startAgentRun(key.key, { goal: endless })
        return untilStatus(key.key, body.jobId, ...over)
      }),
    )
    expect(first?.result).toMatch(/balance left too little.*Add credits.*same conversation/s)
    expect(second?.result).toMatch(/spend limit of this conversation.*Raise it and continue, or start a new one/s)
  })
})

describe('the final summary', () => {
  it('is written from results, not from their first characters: what was paid for is in it', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true, agentRunBudgetCredits: 600 })
    const asked: AskedModel[] = []
    upstream.play(
      playAgentModel((call) => {
        asked.push(call)
        if (call.tools.length > 0)
          return { calls: [{ name: 'property_suggestions', arguments: { prefix: 'Puerto Claro', location: 'es' } }] }
        return { content: 'Written from the record.' }
      }),
    )
    const { body } = await startAgentRun(key.key, { goal: 'How many homes?', model: 'upstream/one' })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'completed', budget: { reached: true } })
    expect(done.result).toContain('Written from the record.')
    const tool = (await readSteps(key.key, body.jobId)).find(({ kind, error }) => kind === 'tool' && !error)
    const rows = (tool?.output?.rows ?? []) as { listingCount?: number }[]
    const record = promptTextOf(asked.at(-1) as AskedModel)
    expect(rows[0]?.listingCount).toBeGreaterThan(0)
    expect(record).toContain(`"listingCount":${rows[0]?.listingCount}`)
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })
})
