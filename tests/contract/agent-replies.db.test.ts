import { describe, expect, it } from 'vitest'
import { readSteps, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { creditsAtChatModel } from '../support/chat'
import { withFakeUpstream } from '../support/fake-upstream'
import { readOwnerMoney } from '../support/ledger'
import { makeCaller } from '../support/owners'
import { callDelta, scriptReplies, type UpstreamReply } from '../support/scripted-replies'
import { withWorker } from '../support/worker'

const upstream = withFakeUpstream()
withSandbox()
withWorker()

const MODEL = 'upstream/one'
const over = ['completed', 'failed'] as const
const list = callDelta('list', 'dataset_list')

/** A run to its end against a model that replies so: the job, its steps, and what was asked. */
async function runAgainst(replies: [UpstreamReply, ...UpstreamReply[]], settings: object = {}, credits = 100_000) {
  const { owner, key } = await makeCaller(credits, { agent: true, ...settings })
  const { handle, asked } = scriptReplies(...replies)
  upstream.play(handle)
  const { body } = await startAgentRun(key.key, { goal: 'Write the report.', model: MODEL })
  const job = await untilStatus(key.key, body.jobId, ...over)
  const steps = await readSteps(key.key, body.jobId)
  const charged = steps.reduce((sum, step) => sum + step.creditsCharged, 0)
  expect(job.creditsSpent).toBe(charged)
  expect(await chargedTo(owner)).toBe(charged)
  expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0, available: credits - charged })
  return { job, steps, asked, owner, key }
}

const text = (content: string, more: Partial<UpstreamReply> = {}): UpstreamReply => ({ deltas: [{ content }], ...more })
const messagesOf = (asked: { messages: Record<string, unknown>[] } | undefined, role: string) =>
  (asked?.messages ?? []).filter((message) => message.role === role)

describe('a reply', () => {
  it('is streamed, and one of an upstream that does not stream is taken too', async () => {
    const { job, asked, steps } = await runAgainst([
      { deltas: [list], isWhole: true },
      { deltas: [{ content: 'All ' }, { content: 'good.' }], usage: { input: 2_000, output: 100, reasoning: 60 } },
    ])
    expect(job).toMatchObject({ status: 'completed', result: 'All good.' })
    expect(asked[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(steps.at(-1)?.creditsCharged).toBe(creditsAtChatModel(2_000, 100))
    expect(steps.at(-1)?.output).toMatchObject({ finish: 'stop', reasoningTokens: 60, outputTokens: 100 })
  })

  it('whose stream ends too early is asked for again, and nothing is charged for the first', async () => {
    const { job, steps, asked } = await runAgainst([text('Half of', { isBroken: true }), text('A whole answer.')])
    expect(job).toMatchObject({ status: 'completed', result: 'A whole answer.' })
    expect(asked).toHaveLength(2)
    expect(steps).toHaveLength(1)
    expect(steps[0]?.creditsCharged).toBe(creditsAtChatModel(1_000, 20))
  })
})

describe('a reply that is cut at its output limit', () => {
  it('is continued in a further step, and joined without a seam', async () => {
    const { job, asked, steps } = await runAgainst([
      text('The harbour of Kiel has three locks and one bri', { finish: 'length' }),
      text('three locks and one bridge, both of which', { finish: 'length' }),
      text(' are open.'),
    ])
    expect(job).toMatchObject({
      status: 'completed',
      result: 'The harbour of Kiel has three locks and one bridge, both of which are open.',
    })
    expect(steps.map(({ output }) => output?.finish)).toEqual(['length', 'length', 'stop'])
    const [answer] = messagesOf(asked[1], 'assistant')
    expect(answer?.content).toBe('The harbour of Kiel has three locks and one bri')
    expect(asked[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: expect.stringContaining('cut off') })
  })

  it('again and again fails the run, with the text so far', async () => {
    const { job, steps } = await runAgainst([text('on and on ', { finish: 'length' })])
    expect(steps).toHaveLength(9)
    expect(job.status).toBe('failed')
    expect(job.result).toMatch(/^on and on on and on .*cut at the output limit 9 times in a row/s)
  })

  it('in a call is asked for again with more output; nothing is called with half of its arguments', async () => {
    const { job, asked, steps } = await runAgainst([
      { deltas: [callDelta('c1', 'dataset_list', '{"na')], finish: 'length' },
      { deltas: [list] },
      text('Done.'),
    ])
    expect(job).toMatchObject({ status: 'completed', result: 'Done.' })
    expect(steps.map(({ kind, name }) => (kind === 'tool' ? name : kind))).toEqual([
      'model',
      'model',
      'dataset_list',
      'model',
    ])
    expect(steps[0]?.output).toMatchObject({ finish: 'length', cutCall: 'dataset_list', calls: [] })
    expect(messagesOf(asked[1], 'assistant')).toEqual([])
    expect(asked[1]?.messages.at(-1)?.content).toContain('in a call of dataset_list')
    expect(limitOf(asked[1])).toBeGreaterThan(limitOf(asked[0]))
  })

  it('because the credits were short names the limit and keeps the text', async () => {
    const settings = { agentRunBudgetCredits: 200 }
    const cut = text('The first half of the answer', { finish: 'length', usage: { input: 2_000, output: 2_000 } })
    const { job, steps } = await runAgainst([cut], settings)
    expect(steps.at(-1)?.output?.maxOutput).toBeLessThan(8_192)
    expect(job).toMatchObject({ status: 'completed', budget: { reached: true, capCredits: 200 } })
    expect(job.result).toMatch(/^The first half of the answer\n\n_.*the spend limit of this conversation, 200 credits/s)
  })

  it('because the account was short names that', async () => {
    const cut = text('The first half of the answer', { finish: 'length', usage: { input: 2_000, output: 2_000 } })
    const { job } = await runAgainst([cut], {}, 200)
    expect(job).toMatchObject({ status: 'completed', budget: { reached: false } })
    expect(job.result).toMatch(/^The first half of the answer\n\n_.*the account's balance/s)
  })
})

describe('a reply without an answer', () => {
  it.each([
    ['filtered', { deltas: [{ content: 'Well' }], finish: 'content_filter' }, /filtered the answer, twice/],
    ['refused', { deltas: [{ refusal: 'I cannot do that.' }] }, /refused, twice: I cannot do that\./],
    ['empty', {}, /answered nothing, twice/],
  ])('%s is asked for once more, and the second time the run fails with the reason', async (_what, reply, reason) => {
    const failed = await runAgainst([reply])
    expect(failed.steps).toHaveLength(2)
    expect(failed.job).toMatchObject({ status: 'failed', result: expect.stringMatching(reason) })
    expect(messagesOf(failed.asked[1], 'assistant')).toEqual([])

    const recovered = await runAgainst([reply, text('An answer.')])
    expect(recovered.job).toMatchObject({ status: 'completed', result: 'An answer.' })
  })

  it('keeps the text from before', async () => {
    const { job } = await runAgainst([
      text('A long beginning of an', { finish: 'length' }),
      { finish: 'content_filter' },
    ])
    expect(job.status).toBe('failed')
    expect(job.result).toMatch(/^A long beginning of an\n\n.*filtered/s)
  })

  it('whose reasoning took all tokens gets more of them once', async () => {
    const thought = (output: number): UpstreamReply => ({
      deltas: [{ reasoning: 'Hmm.' }],
      finish: 'length',
      usage: { input: 1_000, output, reasoning: output },
    })
    const { job, asked } = await runAgainst([thought(8_192), thought(16_384)])
    expect(limitOf(asked[1])).toBeGreaterThan(limitOf(asked[0]))
    expect(asked).toHaveLength(2)
    expect(job).toMatchObject({
      status: 'failed',
      result: expect.stringContaining('all its output tokens for reasoning'),
    })
  })
})

const limitOf = (asked: Record<string, unknown> | undefined) => Number(asked?.max_completion_tokens)

describe('more calls than a step makes', () => {
  it('are refused by name, and the rest is made', async () => {
    const calls = Array.from({ length: 20 }, (_, i) => callDelta(`c${i}`, 'dataset_list', {}, {}, i))
    const { job, asked, steps } = await runAgainst([{ deltas: calls }, text('Done.')])
    expect(job).toMatchObject({ status: 'completed', result: 'Done.' })
    expect(steps.filter(({ kind }) => kind === 'tool')).toHaveLength(16)
    const results = messagesOf(asked[1], 'tool')
    expect(results.map(({ tool_call_id: id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => `c${i}`))
    for (const { content } of results.slice(16)) expect(content).toMatch(/dataset_list was not made: at most 16/)
    for (const { content } of results.slice(0, 16)) expect(content).not.toContain('not made')
  })
})

describe('a run that makes the same call again and again', () => {
  it('reads so after the third, and is given up after the fifth', async () => {
    const { job, asked, steps } = await runAgainst([{ deltas: [list] }])
    expect(steps.filter(({ name }) => name === 'dataset_list')).toHaveLength(5)
    expect(job).toMatchObject({ status: 'failed', result: expect.stringContaining('dataset_list 5 times') })
    const notes = messagesOf(asked[4], 'tool').map(
      ({ content }) => /made this very call (\d) times/.exec(String(content))?.[1],
    )
    expect(notes).toEqual([undefined, undefined, '3', '4'])
  })
})
