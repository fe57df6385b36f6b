import { describe, expect, it } from 'vitest'
import { readSteps, sendAnswer, startAgentRun, untilStatus } from '../support/agent'
import { type AskedModel, contentOf, type ModelAnswer, playAgentModel } from '../support/agent-model'
import { chargedTo, withSandbox } from '../support/api'
import { withFakeUpstream } from '../support/fake-upstream'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
const upstream = withFakeUpstream()
withWorker()

const over = ['completed', 'failed', 'cancelled'] as const
const plan = (fields: object): ModelAnswer => ({ calls: [{ name: 'present_plan', arguments: fields }] })
const buy = {
  summary: 'Find homes and buy one.',
  steps: [
    { title: 'Search the web', tools: ['web_search'], credits: 1 },
    { title: 'Look up prices', tools: ['crypto_get_prices', 'web_search'], credits: 3.2 },
    { title: 'Sum it up', credits: 0 },
  ],
}
const look = { ...buy, summary: 'Only look at homes.', answers: 'Nothing is bought any more.' }

/** Starts an interactive run with these answers of its model, the last one again and again. */
async function startWith(key: string, ...answers: ModelAnswer[]) {
  const asked: AskedModel[] = []
  upstream.play(
    playAgentModel((call) => {
      asked.push(call)
      return answers[Math.min(asked.length, answers.length) - 1] ?? {}
    }),
  )
  const { body } = await startAgentRun(key, { goal: 'Homes.', model: 'upstream/one', mode: 'interactive' })
  const job = await untilStatus(key, body.jobId, 'awaiting_input', ...over)
  return { jobId: body.jobId, awaiting: job.awaitingInput as Record<string, unknown>, asked }
}

/** The result of the latest plan, as the model got it. */
const planResultIn = ({ messages }: AskedModel): string =>
  contentOf(messages.findLast(({ role }) => role === 'tool') ?? {})

describe('a plan', () => {
  it('has steps, tools and estimates, and is Markdown too', async () => {
    const { owner, key } = await makeCaller(10_000, { agent: true, agentRunBudgetCredits: 2_000 })
    const { jobId, awaiting } = await startWith(key.key, plan(buy), { content: 'Done.' })
    const [first] = await readSteps(key.key, jobId)
    expect(awaiting).toMatchObject({
      kind: 'plan',
      planDetails: {
        summary: 'Find homes and buy one.',
        steps: [
          { title: 'Search the web', tools: ['web_search'], credits: 1 },
          { title: 'Look up prices', tools: ['crypto_get_prices', 'web_search'], credits: 4 },
          { title: 'Sum it up', tools: [], credits: 0 },
        ],
        totalCredits: 5,
        creditsLeft: 2_000 - Number(first?.creditsCharged),
      },
    })
    expect(awaiting.planDetails).not.toHaveProperty('feedback')
    expect(awaiting.plan).toContain('Find homes and buy one.')
    expect(awaiting.plan).toContain('2. Look up prices, with `crypto_get_prices`, `web_search`: about 4 credits')
    const price = awaiting.price as { from: number; to: number }
    expect(price).toMatchObject({ basis: 'tokens', runs: 0 })
    expect(price.from).toBeGreaterThanOrEqual(Number(first?.creditsCharged) + 5)
    expect(price.to).toBeGreaterThan(price.from)
    expect(awaiting.plan).toMatch(
      /The whole run will cost about [\d,]+ to [\d,]+ credits, the model's own steps included/,
    )
    await sendAnswer(key.key, jobId, { approved: true })
    const done = await untilStatus(key.key, jobId, ...over)
    expect(done).toMatchObject({ status: 'completed', result: 'Done.' })
    const step = (await readSteps(key.key, jobId))[1]
    expect(step).toMatchObject({ kind: 'plan', creditsCharged: 0, input: { planDetails: { totalCredits: 5 }, price } })
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })

  it('has the price of such runs once five are known, and a run of such steps is in it', async () => {
    const { key } = await makeCaller(100_000, { agent: true })
    const runOnce = async () => {
      const { jobId, awaiting } = await startWith(key.key, plan(buy), { content: 'Done.' })
      await sendAnswer(key.key, jobId, { approved: true })
      const { creditsSpent } = await untilStatus(key.key, jobId, ...over)
      return { price: awaiting.price as { from: number; to: number; basis: string; runs: number }, creditsSpent }
    }
    const runs = []
    for (let n = 0; n < 6; n++) runs.push(await runOnce())
    expect(runs.map(({ price }) => [price.basis, price.runs])).toEqual([
      ...[0, 1, 2, 3, 4].map((n) => ['tokens', n]),
      ['history', 5],
    ])
    const last = runs.at(-1)
    // Nothing was called, so the five credits of its calls are too much, and no more than that.
    expect(Number(last?.creditsSpent)).toBeGreaterThanOrEqual(Number(last?.price.from) - 5)
    expect(Number(last?.creditsSpent)).toBeLessThanOrEqual(Number(last?.price.to))
    const { body } = await startAgentRun(key.key, { goal: 'Homes.', model: 'upstream/one', mode: 'interactive' })
    expect(body.price).toMatchObject({ basis: expect.stringMatching(/history|tokens/), runs: expect.any(Number) })
    // Its model is asked before the next test begins, not in it.
    await untilStatus(key.key, body.jobId, 'awaiting_input', ...over)
  })

  it('answers the feedback after a rejection, which the model and the person see', async () => {
    const { key } = await makeCaller(10_000, { agent: true })
    const { jobId, asked } = await startWith(key.key, plan(buy), plan(look), { content: 'Done.' })
    await sendAnswer(key.key, jobId, { approved: false, feedback: 'Do not buy anything.' })
    const second = await untilStatus(key.key, jobId, 'awaiting_input', ...over)
    expect(planResultIn(asked[1] as AskedModel)).toContain('Do not buy anything.')
    expect(second.awaitingInput).toMatchObject({
      plan: expect.stringContaining('What has changed: Nothing is bought any more.'),
      planDetails: {
        summary: 'Only look at homes.',
        feedback: 'Do not buy anything.',
        answers: 'Nothing is bought any more.',
      },
    })
    await sendAnswer(key.key, jobId, { approved: true })
    expect(await untilStatus(key.key, jobId, ...over)).toMatchObject({ status: 'completed' })
  })

  it('as Markdown, from a model that writes it so, is shown as it is', async () => {
    const { key } = await makeCaller(10_000, { agent: true })
    const { awaiting } = await startWith(key.key, plan({ plan: '1. **Look**.' }))
    expect(awaiting).toMatchObject({
      kind: 'plan',
      plan: expect.stringMatching(/^1\. \*\*Look\*\*\.\n\nThe whole run will cost about/),
      price: { basis: 'tokens' },
    })
    expect(awaiting).not.toHaveProperty('planDetails')
  })

  it.each([
    ['without steps', { summary: 'Go.', steps: [] }, 'steps'],
    ['without a summary', { steps: buy.steps }, 'summary'],
    ['without an estimate', { ...buy, steps: [{ title: 'Search', tools: [] }] }, 'credits'],
    [
      'with a tool that the run lacks',
      { ...buy, steps: [{ title: 'Fly', tools: ['fly_there'], credits: 1 }] },
      'fly_there',
    ],
    ['that is empty', { plan: ' ' }, 'summary'],
  ])('%s is not shown: the model gets what is wrong, and shows another', async (_what, wrong, named) => {
    const { owner, key } = await makeCaller(10_000, { agent: true })
    const { jobId, awaiting, asked } = await startWith(key.key, plan(wrong), plan(buy), { content: 'Done.' })
    expect(awaiting).toMatchObject({ kind: 'plan', planDetails: { totalCredits: 5 } })
    expect(planResultIn(asked[1] as AskedModel)).toContain(named)
    expect((await readSteps(key.key, jobId))[1]).toMatchObject({
      name: 'present_plan',
      creditsCharged: 0,
      error: { code: 'invalid_request' },
    })
    await sendAnswer(key.key, jobId, { approved: true })
    const done = await untilStatus(key.key, jobId, ...over)
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })
})
