import { describe, expect, it } from 'vitest'
import { changeBudget, getBudget } from '../../server/credits/budgets/change'
import { findLedgerDifferences } from '../../server/credits/verify'
import { inTransaction, prisma } from '../../server/db'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { playAgentModel, promptTextOf } from '../support/agent-model'
import { withSandbox } from '../support/api'
import { makeTestBudget } from '../support/budget'
import { withFakeUpstream } from '../support/fake-upstream'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
const upstream = withFakeUpstream()
withWorker()

const over = ['completed', 'failed', 'cancelled'] as const
const rich = () => makeCaller(100_000, { agent: true, agentRunBudgetCredits: 50_000 })

describe('a run under a budget', () => {
  it('does not begin with less than 100 credits of it; its 402 names it', async () => {
    const { owner, key } = await rich()
    const { id } = await makeTestBudget(owner, { credits: 99, scope: { products: ['agent'] } })
    await makeTestBudget(owner, { credits: 1, scope: { tools: ['web_*'] } })
    const refused = await startAgentRun(key.key, { goal: scriptedGoal({ text: 'Hello.' }) })
    expect(refused).toMatchObject({
      status: 402,
      body: { code: 'insufficient_credits', limitSource: 'budget', limit: { id, name: 'shop', cap: 99, spent: 0 } },
    })
    expect(refused.body.error).toContain('the budget "shop" leaves 99')
    expect(await prisma().turn.count({ where: { ownerId: owner.id } })).toBe(0)
    await inTransaction((tx) => changeBudget(tx, owner.id, id, { credits: 5_000 }))
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ text: 'Hello.' }) })
    await untilStatus(key.key, body.jobId, ...over)
    await inTransaction((tx) => changeBudget(tx, owner.id, id, { credits: 0 }))
    const goal = scriptedGoal({ text: 'Hello.' })
    expect(await startAgentRun(key.key, { goal, conversationId: body.jobId })).toMatchObject({
      status: 402,
      body: { limitSource: 'budget' },
    })
    const stranger = await rich()
    expect(await startAgentRun(stranger.key.key, { goal, conversationId: body.jobId })).toMatchObject({ status: 404 })
  })

  it('knows what the tightest one leaves, and ends with an answer paid from it', async () => {
    const { owner, key } = await rich()
    const { id } = await makeTestBudget(owner, { credits: 900, window: 'month', scope: { models: ['upstream/*'] } })
    const prompts: string[] = []
    upstream.play(
      playAgentModel((call) => {
        prompts.push(promptTextOf(call))
        if (call.tools.length > 0)
          return { calls: [{ name: 'crypto_get_prices', arguments: { coinIds: [`coin-${prompts.length}`] } }] }
        return { content: 'Written from the record.' }
      }),
    )
    const { body } = await startAgentRun(key.key, { goal: 'What do coins cost?', model: 'upstream/one' })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'completed', budget: { reached: false, stoppedBy: 'budget' } })
    expect(done.result).toContain('a budget of the account left too little')
    expect(prompts[0]).toMatch(/Credits left: 900 .*by a budget of the account/)
    const budget = await getBudget(owner.id, id)
    expect(budget.spent).toBeLessThanOrEqual(900)
    expect(budget.held).toBe(0)
    expect(await findLedgerDifferences()).toEqual([])
  })

  it('of some tools alone goes on without them, and spends what it has to the last call', async () => {
    const { owner, key } = await rich()
    // Two calls of three credits; the reserve of the final summary is more than that.
    const { id } = await makeTestBudget(owner, { credits: 7, scope: { tools: ['crypto_*'] } })
    const call = (n: number) => ({ name: 'crypto_get_prices', arguments: { coinIds: [`coin-${n}`] } })
    const goal = scriptedGoal({
      turns: [{ toolCalls: [call(1)] }, { toolCalls: [call(2)] }, { toolCalls: [call(3)] }, { text: 'Done.' }],
    })
    const { body } = await startAgentRun(key.key, { goal })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'completed', result: 'Done.', budget: { reached: false, stoppedBy: null } })
    const tools = (await readSteps(key.key, body.jobId)).filter(({ kind }) => kind === 'tool')
    expect(tools.map(({ creditsCharged }) => creditsCharged)).toEqual([3, 3, 0])
    expect(JSON.stringify(tools[2])).toContain('the budget \\"shop\\" leaves 1')
    expect(await getBudget(owner.id, id)).toMatchObject({ spent: 6, held: 0 })
    expect(await findLedgerDifferences()).toEqual([])
  })
})
