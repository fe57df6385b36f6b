import { describe, expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { send, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const AGENT = { agent: true, llm: true }
const LONG = 'Prices fell in Centro and rose in Retiro, as the listings of both districts show. '.repeat(3).trim()

type Event = { name: string; id: string | null; data: Record<string, unknown> }

/** The events of one connection, in order; `deltas`: those of steps in progress too. */
async function read(key: string, jobId: unknown, query = '?deltas=true'): Promise<Event[]> {
  const { status, text } = await send(`/api/v1/agent/${jobId}/events${query}`, { key })
  expect(status, text).toBe(200)
  return text
    .split('\n\n')
    .filter((event) => event.includes('data: '))
    .map((event) => ({
      name: /^event: (.+)$/m.exec(event)?.[1] ?? '',
      id: /^id: (.+)$/m.exec(event)?.[1] ?? null,
      data: JSON.parse(/^data: (.+)$/m.exec(event)?.[1] ?? 'null'),
    }))
}

const named = (events: Event[], name: string) => events.filter((event) => event.name === name)
const textOf = (events: Event[], kind: string, index = 0) =>
  named(events, 'step.delta')
    .filter(({ data }) => data.kind === kind && data.index === index)
    .map(({ data }) => data.text)
    .join('')

const countLive = async (jobId: unknown) => {
  const where = { jobId: String(jobId) }
  return [await prisma().liveStep.count({ where }), await prisma().watchedJob.count({ where })]
}

describe('with deltas=true', () => {
  it('what a model sends comes while it sends it, from its beginning also for who comes late', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const call = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
    const goal = scriptedGoal({
      turns: [{ reasoning: 'I think first.', text: LONG, toolCalls: [call], chunkDelayMs: 60 }, { text: 'Done.' }],
    })
    const { body } = await startAgentRun(key.key, { goal })
    const first = read(key.key, body.jobId)
    await pollUntil('texts are written', async () => (await prisma().liveText.count()) > 3)
    const late = await read(key.key, body.jobId)
    const events = await first
    for (const of of [events, late])
      expect(LONG.startsWith(textOf(of, 'text')) && textOf(of, 'text').length > 20).toBe(true)

    const order = events.filter(({ data }) => data.index === 0).map(({ name }) => name)
    expect(order[0]).toBe('step.started')
    expect(order.at(-1)).toBe('step')
    expect(named(events, 'step.started')[0]).toMatchObject({
      id: null,
      data: { index: 0, runId: body.runId, kind: 'model', startedAt: expect.any(String) },
    })
    expect('I think first.'.startsWith(textOf(events, 'reasoning'))).toBe(true)
    expect(named(events, 'step.delta').every(({ id }) => id === null)).toBe(true)
    expect(named(events, 'step').map(({ id }) => id)).toEqual(['0', '1', '2'])
    expect(events.at(-1)).toMatchObject({ name: 'status', data: { status: 'completed' } })
    await pollUntil('its rows are gone', async () => (await countLive(body.jobId))[0] === 0)
    expect(await prisma().liveText.count()).toBe(0)
  })

  it('a tool is started with its input, and its time is reported', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const call = { name: 'pod_run', arguments: { command: 'sleep 3' } }
    const { body } = await startAgentRun(key.key, {
      goal: scriptedGoal({ turns: [{ toolCalls: [call] }, { text: 'Done.' }] }),
    })
    const events = await read(key.key, body.jobId)
    expect(named(events, 'step.started').find(({ data }) => data.index === 1)?.data).toMatchObject({
      kind: 'tool',
      name: 'pod_run',
      input: { command: 'sleep 3' },
    })
    const elapsed = named(events, 'tool.progress').map(({ data }) => Number(data.elapsedMs))
    expect(elapsed.length).toBeGreaterThan(0)
    expect(elapsed).toEqual(elapsed.toSorted((a, b) => a - b))
  })

  it('is 400 with another value, and 404 for another owner’s job', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ text: 'Done.' }) })
    await untilStatus(key.key, body.jobId, 'completed')
    const stranger = await makeCaller(10, AGENT)
    const path = `/api/v1/agent/${body.jobId}/events?deltas=`
    expect((await send(`${path}yes`, { key: key.key })).status).toBe(400)
    expect((await send(`${path}true`, { key: stranger.key.key })).status).toBe(404)
    expect((await read(key.key, body.jobId)).map(({ name }) => name)).toEqual(['step', 'status'])
  })
})

it('without it nothing of a step in progress is sent or written', async () => {
  const { key } = await makeCaller(10_000, AGENT)
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ text: LONG, chunkDelayMs: 40 }) })
  const events = await read(key.key, body.jobId, '')
  expect(new Set(events.map(({ name }) => name))).toEqual(new Set(['status', 'step']))
  expect(await countLive(body.jobId)).toEqual([0, 0])
})
