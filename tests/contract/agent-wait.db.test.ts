import { describe, expect, it } from 'vitest'
import { pollJob, scriptedGoal, sendAnswer, startAgentRun, untilStatus } from '../support/agent'
import { send, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { answerWith, untilDelivery, withReceiver } from '../support/webhook-receiver'
import { withWorker } from '../support/worker'

withSandbox()
const receiver = withReceiver()
withWorker()

const over = ['completed', 'failed', 'cancelled'] as const
const wait = (key: string, jobId: unknown, seconds: unknown) => send(`/api/v1/agent/${jobId}?wait=${seconds}`, { key })

describe('GET /agent/{jobId}?wait=N', () => {
  it('answers with each change of a run, without looking again and again', async () => {
    const { key } = await makeCaller(10_000, { agent: true })
    const turns = [
      { toolCalls: [{ name: 'web_search', arguments: { query: 'tolls' } }], delayMs: 1_500 },
      { text: 'Done.', delayMs: 1_500 },
    ]
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ turns }) })
    const seen: { steps: number; status: unknown }[] = []
    for (let asked = 0; asked < 12 && seen.at(-1)?.status !== 'completed'; asked++) {
      const { status, body: job } = await wait(key.key, body.jobId, 30)
      expect(status).toBe(200)
      seen.push({ steps: (job.usage as { steps: number }).steps, status: job.status })
    }
    expect(seen.at(-1)?.status).toBe('completed')
    // Two for each of three steps at most, with the start and the end of the run.
    expect(seen.length).toBeLessThanOrEqual(8)
    expect(seen.map(({ steps }) => steps)).toEqual(seen.map(({ steps }) => steps).toSorted((a, b) => a - b))
  })

  it('answers at once for a job that is finished or asks something, and after N seconds otherwise', async () => {
    const { key } = await makeCaller(10_000, { agent: true })
    const ask = { toolCalls: [{ name: 'ask_user', arguments: { question: 'Which?' } }] }
    const { body } = await startAgentRun(key.key, {
      goal: scriptedGoal({ turns: [ask, { text: 'Done.', delayMs: 6_000 }] }),
      mode: 'interactive',
    })
    await untilStatus(key.key, body.jobId, 'awaiting_input')
    expect((await wait(key.key, body.jobId, 30)).body.status).toBe('awaiting_input')
    await sendAnswer(key.key, body.jobId, { approved: true, feedback: 'That.' })
    const began = Date.now()
    expect((await wait(key.key, body.jobId, 1)).body.status).toBe('running')
    expect(Date.now() - began).toBeGreaterThanOrEqual(900)
    await untilStatus(key.key, body.jobId, ...over)
    expect((await wait(key.key, body.jobId, 30)).body).toMatchObject({ status: 'completed', result: 'Done.' })
  })

  it.each([['31'], ['-1'], ['1.5'], ['soon']])('%s is 400', async (seconds) => {
    const { key } = await makeCaller(1_000, { agent: true })
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ text: 'Done.' }) })
    expect((await wait(key.key, body.jobId, seconds)).status).toBe(400)
    expect((await wait(key.key, '0'.repeat(36), 30)).status).toBe(404)
  })
})

describe('metadata', () => {
  const goal = scriptedGoal({ text: 'Done.' })

  it('is in the job, lists, events and webhooks, and a follow-up keeps it until it names its own', async () => {
    receiver.play('/labels', answerWith(200))
    const { key } = await makeCaller(10_000, { agent: true })
    const metadata = { order: '17', who: 'Ada – “north”' }
    const { body } = await startAgentRun(key.key, { goal, metadata, callbackUrl: receiver.url('/labels') })
    const job = await untilStatus(key.key, body.jobId, ...over)
    expect(job).toMatchObject({ metadata, scheduleId: null })
    expect((await send('/api/v1/agent/jobs', { key: key.key })).body.jobs).toMatchObject([
      { metadata, scheduleId: null },
    ])
    const { text: events } = await send(`/api/v1/agent/${body.jobId}/events`, { key: key.key })
    const last = events.split('\n').findLast((line) => line.startsWith('data: ')) ?? ''
    expect(JSON.parse(last.slice('data: '.length))).toMatchObject({ metadata, scheduleId: null })
    await untilDelivery(key.key, String(body.jobId), 'delivered')
    const sent = JSON.parse(receiver.received('/labels')[0]?.body ?? '{}')
    expect(sent.data).toMatchObject({ metadata, scheduleId: null })

    await startAgentRun(key.key, { goal, conversationId: body.jobId })
    expect(await untilStatus(key.key, body.jobId, ...over)).toMatchObject({ metadata })
    await startAgentRun(key.key, { goal, conversationId: body.jobId, metadata: {} })
    expect(await untilStatus(key.key, body.jobId, ...over)).toMatchObject({ metadata: {} })
  })

  const many = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v']))
  it.each([
    ['17 names', many],
    ['a name of 65 characters', { ['n'.repeat(65)]: 'v' }],
    ['an empty name', { '': 'v' }],
    ['a text of 513 characters', { n: 'v'.repeat(513) }],
    ['a number', { n: 1 }],
    ['NUL', { n: 'a\0b' }],
    ['a list', ['v']],
  ])('with %s is 400', async (_what, metadata) => {
    const { key } = await makeCaller(1_000, { agent: true })
    const refused = await startAgentRun(key.key, { goal, metadata })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect((await pollJob(key.key, '0')).status).toBe(404)
  })
})
