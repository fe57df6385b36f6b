import { describe, expect, it } from 'vitest'
import { startJob } from '../../server/agent/jobs/start'
import { runSegment } from '../../server/agent/run/segment'
import { readCallerGrants } from '../../server/keys/grants'
import { readLastUse } from '../../server/keys/last-use'
import { uuidv7 } from '../../server/kit/id'
import { readSteps, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { creditsAtChatModel } from '../support/chat'
import { withFakeUpstream } from '../support/fake-upstream'
import { readOwnerMoney } from '../support/ledger'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { callDelta, scriptReplies, type UpstreamReply } from '../support/scripted-replies'
import { withWorker } from '../support/worker'

const upstream = withFakeUpstream()
withSandbox()
withWorker()

const MODEL = 'upstream/one'
const over = ['completed', 'failed'] as const
const list = callDelta('list', 'dataset_list')

/** A run to its end against a model that replies so: the job, its steps, and what was asked. */
async function runAgainst(
  replies: [UpstreamReply, ...UpstreamReply[]],
  {
    credits = 100_000,
    model = MODEL,
    ...settings
  }: { credits?: number; model?: string; agentRunBudgetCredits?: number } = {},
) {
  const { owner, key } = await makeCaller(credits, { agent: true, ...settings })
  const { handle, asked } = scriptReplies(...replies)
  upstream.play(handle)
  const { body } = await startAgentRun(key.key, { goal: 'Write the report.', model })
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

/** What the model is asked at the end of a prompt, before the line about credits. */
const requestIn = (asked: Parameters<typeof messagesOf>[0]) => String(messagesOf(asked, 'user').at(-1)?.content)

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
    expect(requestIn(asked[1])).toContain('cut off')
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
    expect(requestIn(asked[1])).toContain('in a call of dataset_list')
    expect(limitOf(asked[1])).toBeGreaterThan(limitOf(asked[0]))
  })

  it('because the credits were short names the limit and keeps the text', async () => {
    const settings = { agentRunBudgetCredits: 200 }
    const cut = text('The first half of the answer', { finish: 'length', usage: { input: 2_000, output: 2_000 } })
    const { job, steps } = await runAgainst([cut], settings)
    expect(steps[0]?.output?.maxOutput).toBeLessThan(8_192)
    expect(job).toMatchObject({ status: 'completed', budget: { reached: true, capCredits: 200 } })
    expect(job.result).toMatch(/^The first half of the answer\n\n_.*the spend limit of this conversation, 200 credits/s)
  })

  it('because the account was short names that', async () => {
    const cut = text('The first half of the answer', { finish: 'length', usage: { input: 2_000, output: 2_000 } })
    const { job } = await runAgainst([cut], { credits: 200 })
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

  it('because its provider refuses the request keeps the text from before too', async () => {
    const { job } = await runAgainst([
      text('A long beginning of an', { finish: 'length' }),
      { refusal: 'This is too much.' },
    ])
    expect(job.status).toBe('failed')
    expect(job.result).toMatch(/^A long beginning of an\n\n.*This is too much/s)
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

describe('a worker that is gone in the middle of a reply', () => {
  it('is followed by another, which makes the step once more and charges it once', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true })
    const { handle, asked, closeSilent } = scriptReplies(text('Half of', { isSilent: true }), text('A whole answer.'))
    upstream.play(handle)
    const { body } = await startAgentRun(key.key, { goal: 'Write the report.', model: MODEL })
    await pollUntil('the first half', async () => asked.length === 1)
    expect((await readOwnerMoney(owner)).held).toBeGreaterThan(0)

    await runSegment({ jobId: String(body.jobId), runId: String(body.runId) }, new AbortController().signal)
    const job = await untilStatus(key.key, body.jobId, ...over)
    expect(job).toMatchObject({ status: 'completed', result: 'A whole answer.' })
    closeSilent()

    const charge = creditsAtChatModel(1_000, 20)
    await pollUntil('no hold', async () => (await readOwnerMoney(owner)).holds === 0)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: charge, available: 100_000 - charge, held: 0 })
    const steps = await readSteps(key.key, body.jobId)
    expect(steps.map(({ creditsCharged }) => creditsCharged)).toEqual([charge])
    expect(asked).toHaveLength(2)
  })
})

describe('what goes back to the model', () => {
  it('is its message as it came: reasoning, signatures and fields that nobody here knows', async () => {
    const signed = { extra_content: { google: { thought_signature: 'c2ln' } } }
    const { asked } = await runAgainst([
      {
        deltas: [
          { reasoning_content: 'Let me ', provider_note: { seal: 'x' } },
          { reasoning_content: 'see.' },
          { reasoning_details: [{ type: 'reasoning.encrypted', data: 'ZW5j', id: 'rs_1', format: 'f', index: 0 }] },
          { content: 'I look.' },
          callDelta('call_own', 'dataset_list', '{ "a": 1 }', signed),
          callDelta('', 'site_list', '', {}, 1),
        ],
      },
      text('Done.'),
    ])
    const [message] = messagesOf(asked[1], 'assistant')
    expect(message).toEqual({
      role: 'assistant',
      content: 'I look.',
      reasoning_content: 'Let me see.',
      provider_note: { seal: 'x' },
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'ZW5j', id: 'rs_1', format: 'f', index: 0 }],
      // One call came without an id, so that ours stand for all of them.
      tool_calls: [
        { id: 'call_0_0', type: 'function', function: { name: 'dataset_list', arguments: '{ "a": 1 }' }, ...signed },
        { id: 'call_0_1', type: 'function', function: { name: 'site_list', arguments: '{}' } },
      ],
    })
    expect(messagesOf(asked[1], 'tool').map(({ tool_call_id: id }) => id)).toEqual(['call_0_0', 'call_0_1'])
  })

  it('leaves out its own fields for an upstream that refuses them, from then on', async () => {
    const { job, asked } = await runAgainst(
      [
        { deltas: [{ reasoning: 'Hm.' }, list] },
        { refusal: "messages.2: property 'reasoning' is unsupported" },
        { deltas: [{ reasoning: 'Hm.' }, callDelta('sites', 'site_list')] },
        text('Done.'),
      ],
      { model: 'upstream/two' },
    )
    expect(job).toMatchObject({ status: 'completed', result: 'Done.' })
    const reasoningIn = (body: (typeof asked)[number] | undefined) =>
      messagesOf(body, 'assistant').map(({ reasoning }) => reasoning)
    expect(asked.map(reasoningIn)).toEqual([[], ['Hm.'], [undefined], [undefined, undefined]])
  })

  it('keeps ids of calls apart that the model gives twice', async () => {
    const { asked } = await runAgainst([{ deltas: [list] }, { deltas: [list] }, text('Done.')])
    const ids = messagesOf(asked[2], 'tool').map(({ tool_call_id: id }) => id)
    expect(ids).toEqual(['list', 'call_2_0'])
  })

  it('is what every model takes where another one said it', async () => {
    const { key } = await makeCaller(100_000, { agent: true })
    const thought = { deltas: [{ reasoning: 'Hm.' }, { content: 'Yes.' }] }
    const { handle, asked } = scriptReplies(thought, text('Again.'))
    upstream.play(handle)
    const { body } = await startAgentRun(key.key, { goal: 'Say yes.', model: MODEL })
    await untilStatus(key.key, body.jobId, ...over)
    await startAgentRun(key.key, { goal: 'Again.', model: 'upstream/two', conversationId: body.jobId })
    await untilStatus(key.key, body.jobId, ...over)
    expect(messagesOf(asked[1], 'assistant')).toEqual([{ role: 'assistant', content: 'Yes.' }])
  })
})

it('a run that its owner starts is a use of its key, which nobody sends', async () => {
  const { owner, key } = await makeCaller(100_000, { agent: true })
  upstream.play(scriptReplies(text('Done.')).handle)
  expect(await readLastUse([key.id])).toEqual(new Map())
  const request = { goal: 'Say so.', model: MODEL, idempotencyKey: uuidv7(), mode: 'autonomous', wait: false } as const
  await startJob({ ownerId: owner.id, keyId: key.id, grants: await readCallerGrants(key.id) }, request, {
    origin: 'dashboard',
  })
  await pollUntil('the use', async () => (await readLastUse([key.id])).has(key.id))
})
