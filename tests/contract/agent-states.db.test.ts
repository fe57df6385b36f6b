import { describe, expect, it } from 'vitest'
import { pollJob, readSteps, scriptedGoal, sendAnswer, sendCancel, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, send, withSandbox } from '../support/api'
import { makeCaller, makeKey } from '../support/owners'
import { withWorker } from '../support/worker'

const sandbox = withSandbox()
withWorker()

const AGENT = { agent: true }
const search = { name: 'web_search', arguments: { query: 'toll roads' } }
const plan = (text = 'Go.') => ({ toolCalls: [{ name: 'present_plan', arguments: { plan: text } }] })
const question = { toolCalls: [{ name: 'ask_user', arguments: { question: 'Which?' } }] }
const over = ['completed', 'failed', 'cancelled'] as const

/** Starts an interactive run, and waits until it asks something. */
async function asking(key: string, turns: object[]) {
  const { body } = await startAgentRun(key, { goal: scriptedGoal({ turns }), mode: 'interactive' })
  return untilStatus(key, body.jobId, 'awaiting_input', ...over)
}

/** The latest request to the model. */
async function lastSent(): Promise<string> {
  return (await fetch(`${sandbox.url()}/llm/__last`)).text()
}

describe('a question', () => {
  it('is answered in feedback, whatever `approved` says, and the run continues with the answer', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const { jobId, runId, awaitingInput } = await asking(key.key, [plan(), question, { text: 'You said {{last}}.' }])
    expect(awaitingInput).toEqual({
      kind: 'plan',
      toolCallId: 'call_1',
      plan: expect.stringMatching(/^Go\.\n/),
      price: { from: expect.any(Number), to: expect.any(Number), basis: 'tokens', runs: 0 },
    })
    await sendAnswer(key.key, jobId, { approved: true })
    const asked = await untilStatus(key.key, jobId, 'awaiting_input', ...over)
    expect(asked.awaitingInput).toEqual({ kind: 'question', toolCallId: 'call_3', question: 'Which?' })
    for (const feedback of [undefined, '', '  \n'])
      expect(await sendAnswer(key.key, jobId, { approved: true, feedback })).toMatchObject({ status: 400 })
    expect((await pollJob(key.key, jobId)).body.status).toBe('awaiting_input')
    const answered = await sendAnswer(key.key, jobId, { approved: false, feedback: ' This one. ' })
    expect(answered).toMatchObject({ status: 200, body: { jobId, runId, status: 'running' } })
    expect(answered.body).not.toHaveProperty('feedbackIgnored')
    const done = await untilStatus(key.key, jobId, ...over)
    expect(done.result).toContain('This one.')
    expect(done).not.toHaveProperty('awaitingInput')
  })
})

describe('a plan', () => {
  it('is revised with feedback and shown again; no tool runs before it is approved', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const turns = [{ toolCalls: [search] }, plan('Buy.'), plan('Look.'), { toolCalls: [search] }, { text: 'Done.' }]
    const first = await asking(key.key, turns)
    expect(first.awaitingInput).toMatchObject({ kind: 'plan', plan: expect.stringMatching(/^Buy\.\n/) })
    expect((await readSteps(key.key, first.jobId))[1]).toMatchObject({
      name: 'web_search',
      creditsCharged: 0,
      error: { code: 'forbidden' },
    })
    await sendAnswer(key.key, first.jobId, { approved: false, feedback: 'Only look.' })
    const second = await untilStatus(key.key, first.jobId, 'awaiting_input', ...over)
    expect(second.awaitingInput).toMatchObject({ kind: 'plan', plan: expect.stringMatching(/^Look\.\n/) })
    await sendAnswer(key.key, first.jobId, { approved: true })
    expect(await untilStatus(key.key, first.jobId, ...over)).toMatchObject({ status: 'completed' })
    const steps = await readSteps(key.key, first.jobId)
    expect(steps.filter(({ kind }) => kind === 'plan').map(({ output }) => output)).toEqual([
      { approved: false, feedback: 'Only look.' },
      { approved: true },
    ])
    expect(steps.at(-2)).toMatchObject({ name: 'web_search', creditsCharged: 1, error: null })
  })
})

describe('409', () => {
  it('is for an answer where nothing is asked: a running job, and a finished one', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const running = (await startAgentRun(key.key, { goal: scriptedGoal({ delayMs: 700, text: 'Done.' }) })).body.jobId
    const yes = { approved: true, feedback: 'Yes.' }
    expect((await sendAnswer(key.key, running, yes)).status).toBe(409)
    await untilStatus(key.key, running, 'completed')
    expect((await sendAnswer(key.key, running, yes)).status).toBe(409)
    expect((await sendCancel(key.key, running)).status).toBe(409)
    const cancelled = (await asking(key.key, [plan()])).jobId
    expect(await sendCancel(key.key, cancelled)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect((await sendAnswer(key.key, cancelled, yes)).status).toBe(409)
    expect((await sendCancel(key.key, cancelled)).status).toBe(409)
    expect(await pollJob(key.key, cancelled)).toMatchObject({ body: { status: 'cancelled', result: null } })
  })

  it('is for a toolCallId that is not the one asked', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const { jobId } = await asking(key.key, [plan(), { text: 'Done.' }])
    expect((await sendAnswer(key.key, jobId, { approved: true, toolCallId: 'call_9' })).status).toBe(409)
    expect((await sendAnswer(key.key, jobId, { approved: true, toolCallId: 'call_1' })).status).toBe(200)
  })

  it('is for one of two concurrent answers, every time', async () => {
    const { key } = await makeCaller(100_000, AGENT)
    for (let round = 0; round < 10; round++) {
      const { jobId } = await asking(key.key, [plan(), { text: 'Done.' }])
      const both = await Promise.all(
        [true, false].map((approved) => sendAnswer(key.key, jobId, { approved, feedback: 'x' })),
      )
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
      await sendCancel(key.key, jobId)
    }
  })
})

describe('400', () => {
  it.each([
    [{}],
    [{ approved: 'true' }],
    [{ approved: 1 }],
    [{ approved: true, feedback: 5 }],
    [{ approved: true, more: 1 }],
    [{ approved: true, feedback: 'a\0b' }],
  ])('%j changes nothing', async (body) => {
    const { key } = await makeCaller(10_000, AGENT)
    const { jobId } = await asking(key.key, [plan()])
    expect((await sendAnswer(key.key, jobId, body)).status).toBe(400)
    expect((await pollJob(key.key, jobId)).body.status).toBe('awaiting_input')
  })
})

describe('403', () => {
  it('is for a key whose grants do not cover the run it answers or cancels', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const web = await makeKey(owner, { ...AGENT, capabilities: ['web'] })
    const mini = await makeKey(owner, { ...AGENT, allowedModels: ['northwind/gale-4-mini'] })
    const none = await makeKey(owner)
    const { jobId } = await asking(key.key, [plan(), { text: 'Done.' }])
    for (const narrow of [web, mini, none]) {
      expect((await sendAnswer(narrow.key, jobId, { approved: true })).status).toBe(403)
      expect((await sendCancel(narrow.key, jobId)).status).toBe(403)
    }
    // Reading is open to every key of the owner that may run agents.
    expect((await pollJob(web.key, jobId)).status).toBe(200)
    expect((await pollJob(none.key, jobId)).status).toBe(403)
    const wide = await makeKey(owner, AGENT)
    expect((await sendAnswer(wide.key, jobId, { approved: true })).status).toBe(200)
  })
})

describe('cancelling', () => {
  it('keeps and charges the call in progress; the next turn waits for it, and indexes continue', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const { body } = await startAgentRun(key.key, {
      goal: scriptedGoal({ delayMs: 1_200, toolCalls: [search, search] }),
    })
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect((await sendCancel(key.key, body.jobId)).status).toBe(200)
    const turn = await startAgentRun(key.key, { goal: scriptedGoal({ text: 'Anew.' }), conversationId: body.jobId })
    expect(turn.status).toBe(202)
    expect(turn.body.jobId).toBe(body.jobId)
    expect(turn.body.runId).not.toBe(body.runId)
    const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
    const steps = await readSteps(key.key, body.jobId)
    // The thought of the cancelled turn asked for two calls that were never made: their places stay
    // empty.
    expect(steps.map(({ index, kind }) => [index, kind])).toEqual([
      [0, 'model'],
      [3, 'model'],
    ])
    expect(steps[0]?.creditsCharged).toBeGreaterThan(0)
    expect(done.creditsSpent).toBe(steps.reduce((sum, step) => sum + step.creditsCharged, 0))
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })
})

describe('another turn', () => {
  it('sees the earlier turns, or only as many as the request says', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const { body } = await startAgentRun(key.key, {
      goal: `The first goal. ${scriptedGoal({ text: 'First answer.' })}`,
    })
    await untilStatus(key.key, body.jobId, ...over)
    const goOn = async (goal: string, more: object = {}) => {
      await startAgentRun(key.key, {
        goal: `${goal} ${scriptedGoal({ text: 'Fine.' })}`,
        conversationId: body.jobId,
        ...more,
      })
      await untilStatus(key.key, body.jobId, ...over)
      return lastSent()
    }
    const whole = await goOn('The second goal.')
    for (const text of ['The first goal.', 'First answer.', 'The second goal.']) expect(whole).toContain(text)
    const limited = await goOn('The third goal.', { historyTurnLimit: 2 })
    expect(limited).not.toContain('The first goal.')
    for (const text of ['The second goal.', 'The third goal.']) expect(limited).toContain(text)
    const alone = await goOn('The fourth goal.', { historyTurnLimit: 1 })
    expect(alone).not.toContain('The third goal.')
    expect(alone).toContain('The fourth goal.')
  })

  it('runs under the key of its request: with its grants, and its limit for the whole conversation', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ text: 'First.' }) })
    const first = await untilStatus(key.key, body.jobId, ...over)
    const other = await makeKey(owner, { ...AGENT, capabilities: ['crypto'], agentRunBudgetCredits: 700 })
    const goal = scriptedGoal({ turns: [{ toolCalls: [search] }, { text: 'Second.' }] })
    const turn = await startAgentRun(other.key, { goal, conversationId: body.jobId })
    expect(turn.body).toMatchObject({ capabilities: ['crypto'], runBudgetCredits: 700 })
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done).toMatchObject({ budget: { capCredits: 700 }, capabilities: ['crypto'], result: 'Second.' })
    expect(done.creditsSpent).toBeGreaterThan(Number(first.creditsSpent))
    expect((await readSteps(key.key, body.jobId))[2]?.error?.code).toBe('unknown_tool')
  })
})

describe('the result of a tool', () => {
  it('is material: it never widens what a run may do', async () => {
    const { key } = await makeCaller(10_000, { ...AGENT, capabilities: ['web'] })
    const goal = scriptedGoal({
      turns: [
        { toolCalls: [search] },
        { toolCalls: [{ name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }] },
        { text: 'Done.' },
      ],
    })
    const { body } = await startAgentRun(key.key, { goal })
    await untilStatus(key.key, body.jobId, ...over)
    const steps = await readSteps(key.key, body.jobId)
    expect(steps[3]).toMatchObject({ name: 'crypto_get_prices', creditsCharged: 0, error: { code: 'unknown_tool' } })
    const offered = steps.filter(({ kind }) => kind === 'model').map(({ input }) => input.tools)
    expect(offered.flat().every((name) => /^(web_|result_read|remember)/.test(String(name)))).toBe(true)
  })
})

describe('reading', () => {
  it('lists the jobs of all the owner’s keys, newest first, with a stable cursor', async () => {
    const { owner, key } = await makeCaller(100_000, AGENT)
    const second = await makeKey(owner, AGENT)
    const ids: string[] = []
    for (const secret of [key.key, second.key, key.key])
      ids.unshift(String((await startAgentRun(secret, { goal: scriptedGoal({ text: 'Done.' }) })).body.jobId))
    const list = (query: string) => send(`/api/v1/agent/jobs${query}`, { key: key.key })
    const first = await list('?limit=2')
    const idsOf = (body: Record<string, unknown>) => (body.jobs as { jobId: string }[]).map(({ jobId }) => jobId)
    expect(idsOf(first.body)).toEqual(ids.slice(0, 2))
    await startAgentRun(key.key, { goal: scriptedGoal({ text: 'Done.' }) })
    const rest = await list(`?limit=2&cursor=${first.body.nextCursor}`)
    expect(idsOf(rest.body)).toEqual(ids.slice(2))
    expect(rest.body.nextCursor).toBeNull()
    expect(Object.keys((first.body.jobs as object[])[0] ?? {}).sort()).toEqual(
      [
        ...['jobId', 'conversationId', 'title', 'mode', 'model', 'status', 'creditsSpent', 'createdAt', 'updatedAt'],
        ...['metadata', 'scheduleId', 'customer'],
      ].sort(),
    )
    for (const id of ids) await untilStatus(key.key, id, ...over)
    expect(idsOf((await list('?status=completed&limit=100')).body).filter((id) => ids.includes(id))).toEqual(ids)
    expect(idsOf((await list('?status=failed')).body)).toEqual([])
    for (const wrong of ['?limit=0', '?limit=101', '?limit=x', '?cursor=nonsense', '?nope=1', '?status=nope'])
      expect((await list(wrong)).status, wrong).toBe(400)
  })

  it('streams steps as events: each once, in order, resumable, until the job has finished', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const goal = scriptedGoal({
      turns: [
        { delayMs: 300, toolCalls: [search, search] },
        { delayMs: 300, text: 'Done.' },
      ],
    })
    const { body } = await startAgentRun(key.key, { goal })
    const read = async (query = '', headers: Record<string, string> = {}) => {
      const { text, status } = await send(`/api/v1/agent/${body.jobId}/events${query}`, { key: key.key, headers })
      const events = text.split('\n\n').filter((event) => event.includes('event: '))
      return { status, ids: [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)), events }
    }
    const live = await read()
    expect(live.ids).toEqual([0, 1, 2, 3])
    expect(live.events[0]).toContain('"status":"running"')
    expect(live.events.at(-1)).toContain('"status":"completed"')
    expect((await read('', { 'last-event-id': '1' })).ids).toEqual([2, 3])
    expect((await read('?after=2')).ids).toEqual([3])
    expect(await read('', { 'last-event-id': '3' })).toMatchObject({ status: 204, events: [] })
    expect((await read('', { 'last-event-id': 'x' })).status).toBe(400)
    const steps = await send(`/api/v1/agent/${body.jobId}/steps?limit=3`, { key: key.key })
    expect((steps.body.steps as object[]).length).toBe(3)
    const more = await send(`/api/v1/agent/${body.jobId}/steps?cursor=${steps.body.nextCursor}`, { key: key.key })
    expect(more.body).toMatchObject({ steps: [{ index: 3 }], nextCursor: null })
  })
})
