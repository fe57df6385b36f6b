import { describe, expect, it } from 'vitest'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { type AskedModel, contentOf, playAgentModel, promptTextOf } from '../support/agent-model'
import { chargedTo, send, withSandbox } from '../support/api'
import { withFakeUpstream } from '../support/fake-upstream'
import { makeCaller, makeKey } from '../support/owners'
import { makeDue, makeSchedule, readScheduleRuns } from '../support/schedules'
import { signUpSomebody } from '../support/signed-in'
import { withWorker } from '../support/worker'

withSandbox()
const upstream = withFakeUpstream()
withWorker()

const over = ['completed', 'failed', 'cancelled'] as const
const searchFor = (what: number) => ({
  name: 'microblog_search',
  arguments: { query: `tolls ${what}`, limit: 20, searchType: 'Top' },
})
/** A run that searches until its credits stop it, which is before it is stopped as a loop. */
const endless = scriptedGoal({ toolCalls: Array.from({ length: 8 }, (_, index) => searchFor(index)) })
const done = scriptedGoal({ text: 'Back at work.' })
const raise = (key: string, jobId: unknown, capCredits: number) =>
  send(`/api/v1/agent/${jobId}/limit`, { key, body: { capCredits } })

describe('maxCredits', () => {
  it('bounds a run below what its conversation may spend, which then goes on without a raise', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true })
    const { status, body } = await startAgentRun(key.key, { goal: endless, maxCredits: 300 })
    expect(status).toBe(202)
    const stopped = await untilStatus(key.key, body.jobId, ...over)
    expect(stopped).toMatchObject({
      status: 'completed',
      budget: { capCredits: 5_000, reached: false, maxCredits: 300, stoppedBy: 'run' },
    })
    expect(stopped.creditsSpent).toBeLessThanOrEqual(300)
    expect(stopped.result).toMatch(/the spend limit of this run left too little.*same conversation/s)
    const before = Number(stopped.creditsSpent)

    // The second run has its own 400, from what was spent on.
    await startAgentRun(key.key, { goal: endless, conversationId: body.jobId, maxCredits: 400 })
    const second = await untilStatus(key.key, body.jobId, ...over)
    expect(second.budget).toMatchObject({ reached: false, maxCredits: 400, stoppedBy: 'run' })
    expect(Number(second.creditsSpent)).toBeGreaterThan(before)
    expect(Number(second.creditsSpent)).toBeLessThanOrEqual(before + 400)

    await startAgentRun(key.key, { goal: done, conversationId: body.jobId })
    const third = await untilStatus(key.key, body.jobId, ...over)
    expect(third).toMatchObject({
      result: 'Back at work.',
      budget: { capCredits: 5_000, reached: false, maxCredits: null, stoppedBy: null },
    })
    expect(await chargedTo(owner)).toBe(third.creditsSpent)
  })

  it('changes nothing where the conversation may spend less', async () => {
    const { key } = await makeCaller(100_000, { agent: true, agentRunBudgetCredits: 400 })
    const { body } = await startAgentRun(key.key, { goal: endless, maxCredits: 90_000 })
    const stopped = await untilStatus(key.key, body.jobId, ...over)
    expect(stopped.budget).toEqual({ capCredits: 400, reached: true, maxCredits: 90_000, stoppedBy: 'conversation' })
  })

  it('bounds the runs of a schedule, which their jobs name', async () => {
    const { key } = await makeCaller(100_000, { agent: true })
    const made = await makeSchedule(key.key, { goal: endless, maxCredits: 300, metadata: { team: 'north' } })
    expect(made.body).toMatchObject({ maxCredits: 300, metadata: { team: 'north' } })
    const scheduleId = String(made.body.scheduleId)
    await makeDue(scheduleId)
    const runs = () => readScheduleRuns(key.key, scheduleId)
    await expect.poll(runs, { timeout: 55_000 }).toMatchObject([{ state: 'completed' }])
    const [run] = await runs()
    const job = await untilStatus(key.key, run?.jobId, ...over)
    expect(job).toMatchObject({
      budget: { maxCredits: 300, stoppedBy: 'run' },
      scheduleId,
      metadata: { team: 'north' },
    })
    expect((await send('/api/v1/agent/jobs', { key: key.key })).body.jobs).toMatchObject([
      { jobId: run?.jobId, scheduleId, metadata: { team: 'north' } },
    ])
    const changed = await send(`/api/v1/agent/schedules/${scheduleId}`, {
      key: key.key,
      method: 'PATCH',
      body: { maxCredits: null, metadata: null },
    })
    expect(changed.status).toBe(200)
    expect(changed.body).not.toHaveProperty('maxCredits')
    expect(changed.body).not.toHaveProperty('metadata')
  })

  it.each([[0], [1.5], ['300'], [2_000_000_000]])('%j is 400', async (maxCredits) => {
    const { key } = await makeCaller(1_000, { agent: true })
    const refused = await startAgentRun(key.key, { maxCredits })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request', issues: [{ path: 'maxCredits' }] } })
  })
})

describe('a conversation that reached its limit', () => {
  it('goes on under the same key once its owner has raised the limit', async () => {
    const { api } = await signUpSomebody()
    const { key } = await api.keys.create({ name: 'small', agent: true, agentRunBudgetCredits: 400 })
    const { body } = await startAgentRun(key, { goal: endless })
    expect((await untilStatus(key, body.jobId, ...over)).budget).toMatchObject({ reached: true })
    expect((await startAgentRun(key, { goal: done, conversationId: body.jobId })).status).toBe(402)

    expect(await api.jobs.raiseLimit({ jobId: String(body.jobId), capCredits: 900 })).toEqual({
      jobId: body.jobId,
      capCredits: 900,
    })
    expect((await startAgentRun(key, { goal: endless, conversationId: body.jobId })).status).toBe(202)
    const second = await untilStatus(key, body.jobId, ...over)
    expect(second.budget).toMatchObject({ capCredits: 900, reached: true })
    expect(Number(second.creditsSpent)).toBeGreaterThan(400)
    expect(Number(second.creditsSpent)).toBeLessThanOrEqual(900)
    await expect(api.jobs.raiseLimit({ jobId: String(body.jobId), capCredits: 900 })).rejects.toThrow(
      /more than the 900/,
    )
  })

  it('goes on when a key raises it, up to the limit of that key', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true, agentRunBudgetCredits: 400 })
    const { body } = await startAgentRun(key.key, { goal: endless })
    await untilStatus(key.key, body.jobId, ...over)
    const refused = await raise(key.key, body.jobId, 500)
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(refused.body.error).toContain('400 credits per conversation')

    const larger = await makeKey(owner, { agent: true, agentRunBudgetCredits: 2_000 })
    expect((await startAgentRun(larger.key, { goal: done, conversationId: body.jobId })).status).toBe(402)
    expect(await raise(larger.key, body.jobId, 1_500)).toMatchObject({ status: 200, body: { capCredits: 1_500 } })
    expect((await startAgentRun(larger.key, { goal: done, conversationId: body.jobId })).status).toBe(202)
    expect(await untilStatus(key.key, body.jobId, ...over)).toMatchObject({ result: 'Back at work.' })
  })

  it('is not found by another owner, and a key without agents may not raise it', async () => {
    const { owner, key } = await makeCaller(10_000, { agent: true })
    const { body } = await startAgentRun(key.key, { goal: done })
    const stranger = await makeCaller(10_000, { agent: true })
    expect((await raise(stranger.key.key, body.jobId, 4_000)).status).toBe(404)
    expect((await raise(stranger.key.key, 'no-id', 4_000)).status).toBe(404)
    const tools = await makeKey(owner, {})
    expect((await raise(tools.key, body.jobId, 4_000)).status).toBe(403)
    const same = await raise(key.key, body.jobId, 5_000)
    expect(same).toMatchObject({ status: 400, body: { issues: [{ path: 'capCredits' }] } })
  })
})

describe('a model', () => {
  const playUntilStopped = (asked: AskedModel[], last: string) =>
    upstream.play(
      playAgentModel((call) => {
        asked.push(call)
        return call.tools.length > 0 ? { calls: [searchFor(asked.length)] } : { content: last }
      }),
    )
  const noteIn = ({ messages }: AskedModel) =>
    messages.map(contentOf).findLast((text) => text.includes('Credits left')) ?? ''

  it('reads what its tokens cost, what is left in credits and money, and at 70 % that it is to finish', async () => {
    const { key } = await makeCaller(100_000, { agent: true })
    const asked: AskedModel[] = []
    playUntilStopped(asked, 'So far.')
    const { body } = await startAgentRun(key.key, { goal: 'Search.', model: 'upstream/one', maxCredits: 600 })
    const steps = await untilStatus(key.key, body.jobId, ...over).then(() => readSteps(key.key, body.jobId))
    const first = asked[0] as AskedModel
    expect(contentOf(first.messages[0] ?? {})).toMatch(/Your own tokens cost too: [\d,]+ credits a million read/)
    expect(noteIn(first)).toMatch(/^\[Credits left: 600 \(about \$0\.216\), by the spend limit of this run\./m)
    let spent = 0
    let next = 0
    for (const { kind, creditsCharged } of steps) {
      if (kind === 'model') {
        const note = noteIn(asked[next++] as AskedModel)
        if (spent >= 420) expect(note).toContain('Finish now')
        if (spent === 0) expect(note).not.toContain('Finish now')
      }
      spent += creditsCharged
    }
    expect(asked.map(noteIn).some((note) => note.includes('Finish now'))).toBe(true)
  })

  it('says in its summary what is left, and the result what that would cost', async () => {
    const { key } = await makeCaller(100_000, { agent: true, agentRunBudgetCredits: 600 })
    const asked: AskedModel[] = []
    playUntilStopped(asked, 'Found two.\n\n## Left undone\n- The third.\n\n**Calls left: 3**')
    const { body } = await startAgentRun(key.key, { goal: 'Search.', model: 'upstream/one' })
    const stopped = await untilStatus(key.key, body.jobId, ...over)
    expect(promptTextOf(asked.at(-1) as AskedModel)).not.toMatch(/":""|"title": ?""/)
    const steps = await readSteps(key.key, body.jobId)
    const wrapUp = steps.at(-1)
    const { from, to } = (wrapUp?.output?.toFinish ?? {}) as { from: number; to: number }
    const paidFor = (kind: string) => steps.filter((step) => step.kind === kind).map((step) => step.creditsCharged)
    expect(from).toBeGreaterThan(3 * 15)
    expect(to).toBeGreaterThan(from)
    expect(to).toBeLessThan(4 * Math.max(...paidFor('model')) + 3 * Math.max(...paidFor('tool')) + 2)
    expect(stopped.result).toContain(`What was left undone would cost about ${from} to ${to} credits more.`)
    expect(stopped.result).toContain('## Left undone\n- The third.')
    expect(stopped.result).not.toContain('Calls left')
    expect(stopped.result).not.toMatch(/limit was reached/)
  })
})
