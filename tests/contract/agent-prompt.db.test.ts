import { describe, expect, it } from 'vitest'
import { saveAgentSettings } from '../../server/accounts/agent-settings'
import { allowedAgentTools } from '../../server/agent-tools/registry'
import { readSteps, sendAnswer, startAgentRun, untilStatus } from '../support/agent'
import { type AskedModel, contentOf, type ModelAnswer, playAgentModel, systemOf } from '../support/agent-model'
import { chargedTo, withSandbox } from '../support/api'
import { withFakeUpstream } from '../support/fake-upstream'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
const upstream = withFakeUpstream()
withWorker()

const MODEL = 'upstream/one'
const over = ['completed', 'failed', 'cancelled'] as const
const search = (query: string) => ({ name: 'web_search', arguments: { query } })
const plan = { name: 'present_plan', arguments: { plan: 'Search, then answer.' } }

/** Plays these answers in order, the last one again and again, and keeps what was asked. */
function play(...answers: ModelAnswer[]): AskedModel[] {
  const asked: AskedModel[] = []
  upstream.play(
    playAgentModel((call) => {
      asked.push(call)
      return answers[Math.min(asked.length, answers.length) - 1] ?? {}
    }),
  )
  return asked
}

const lastOf = ({ messages }: AskedModel): string =>
  contentOf(messages.at(-1) ?? {})
    .split('\n\n')
    .at(-1) ?? ''
const leftIn = (asked: AskedModel): number =>
  Number(/Credits left: (\d+(,\d+)*)/.exec(lastOf(asked))?.[1]?.replaceAll(',', ''))

describe('the system prompt', () => {
  it('lists every tool of the run with its price, the date and the owner’s settings', async () => {
    const { owner, key } = await makeCaller(10_000, { agent: true, agentRunBudgetCredits: 4_000 })
    await saveAgentSettings(owner.id, { disabledTools: ['crypto_get_chart'], outsideApproval: 'always' })
    const asked = play({ content: 'Done.' })
    const { body } = await startAgentRun(key.key, { goal: 'Look around.', model: MODEL })
    await untilStatus(key.key, body.jobId, ...over)
    const system = systemOf(asked[0] as AskedModel)
    const tools = allowedAgentTools({ capabilities: null, disabledTools: ['crypto_get_chart'] })
    expect(tools.length).toBeGreaterThan(20)
    for (const { id } of tools) expect(system).toMatch(new RegExp(`[:,] ${id} [\\d~]`))
    for (const priced of ['web_search 1', 'crypto_get_prices 3', 'dataset_list 0', 'marketplace_run_actor ~'])
      expect(system).toContain(priced)
    expect(system).not.toMatch(/crypto_get_chart \d/)
    expect(system).toContain('Switched off, not to be had in this run: crypto_get_chart')
    expect(leftIn(asked[0] as AskedModel)).toBe(4_000)
    expect(system).toContain('after foreign text was read, sending something out')
    expect(system).toContain('Connected database: none')
    const today = new Date().toISOString().slice(0, 10)
    expect(contentOf(asked[0]?.messages.at(-1) ?? {})).toMatch(
      new RegExp(`^Look around\\.\\n\\n\\[From the service: it is \\w+, ${today} \\d\\d:\\d\\d \\(UTC\\)\\.\\]`),
    )
  })

  it('of an interactive run has the same tools and bytes before its plan is approved, though no tool can be called', async () => {
    const { owner, key } = await makeCaller(10_000, { agent: true })
    const asked = play({ calls: [plan] }, { calls: [search('tolls')] }, { content: 'Done.' })
    const { body } = await startAgentRun(key.key, { goal: 'Look around.', model: MODEL, mode: 'interactive' })
    await untilStatus(key.key, body.jobId, 'awaiting_input')
    const [first] = asked as [AskedModel]
    expect(first.tools).toEqual(expect.arrayContaining(['ask_user', 'present_plan', 'tools_find', 'web_search']))
    expect(systemOf(first)).toContain('web_search 1,')
    expect(leftIn(first)).toBe(5_000)
    await sendAnswer(key.key, body.jobId, { approved: true })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done.status).toBe('completed')
    expect(asked[1]?.body.tools).toEqual(first.body.tools)
    expect(asked[1]?.messages.slice(0, first.messages.length)).toEqual(first.messages)
    expect(new Set(asked.map(systemOf)).size).toBe(1)
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })
})

describe('the last message', () => {
  it('says what is left at every step, and what comes before it stays the same', async () => {
    const { owner, key } = await makeCaller(10_000, { agent: true, agentRunBudgetCredits: 3_000 })
    const asked = play({ calls: [search('a'), search('b')] }, { calls: [search('c')] }, { content: 'Done.' })
    const { body } = await startAgentRun(key.key, { goal: 'Look around.', model: MODEL })
    const done = await untilStatus(key.key, body.jobId, ...over)
    const steps = await readSteps(key.key, body.jobId)
    const spentBefore = (kind: string, n: number) => {
      const index = steps.filter((step) => step.kind === kind)[n]?.index ?? 0
      return steps.reduce((sum, step) => sum + (step.index < index ? step.creditsCharged : 0), 0)
    }
    expect(asked.map(leftIn)).toEqual([0, 1, 2].map((n) => 3_000 - spentBefore('model', n)))
    for (const call of asked) {
      expect(lastOf(call)).toContain('by the spend limit of this conversation')
      // Templates of thinking models drop the reasoning before the last message of the person.
      expect(call.messages.filter(({ role }) => role === 'user')).toHaveLength(1)
    }
    expect(asked.map(({ messages }) => messages.at(-1)?.role)).toEqual(['user', 'tool', 'tool'])
    for (const [i, { messages }] of asked.slice(1).entries())
      expect(messages.slice(0, asked[i]?.messages.length)).toEqual(asked[i]?.messages)
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })

  it.each([
    ['the balance of the account', 700, {}, 700],
    ['the budget of the key', 10_000, { budget: 800 }, 800],
    ['the spend limit of this conversation', 10_000, { budget: 900, agentRunBudgetCredits: 900 }, 900],
  ])('names the tightest limit: %s', async (name, balance, settings, left) => {
    const { key } = await makeCaller(balance, { agent: true, ...settings })
    const asked = play({ content: 'Done.' })
    const { body } = await startAgentRun(key.key, { goal: 'Look around.', model: MODEL })
    await untilStatus(key.key, body.jobId, ...over)
    expect(lastOf(asked[0] as AskedModel)).toMatch(
      new RegExp(`Credits left: ${left} \\(about \\$[\\d.]+\\), by ${name}\\.`),
    )
  })

  it('asks the model to finish when few steps are left, and it can', async () => {
    const { owner, key } = await makeCaller(10_000, { agent: true, agentRunBudgetCredits: 400 })
    const asked: AskedModel[] = []
    upstream.play(
      playAgentModel((call) => {
        asked.push(call)
        if (lastOf(call).includes('Finish now')) return { content: 'Found so far: enough.' }
        return { calls: [search(`more of ${asked.length}`)] }
      }),
    )
    const { body } = await startAgentRun(key.key, { goal: 'Look around.', model: MODEL })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ status: 'completed', result: 'Found so far: enough.', budget: { reached: false } })
    expect(asked.length).toBeGreaterThan(1)
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })
})
