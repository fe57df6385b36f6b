import { EventSource, MessageEvent } from 'undici'
import { describe, expect, it } from 'vitest'
import { scriptedGoal, sendCancel, startAgentRun, untilStatus } from '../support/agent'
import { send, withSandbox } from '../support/api'
import { startListener } from '../support/listener'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const AGENT = { agent: true, llm: true }
const search = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
const twoSteps = { turns: [{ toolCalls: [search] }, { text: 'Done.' }] }
const plan = { toolCalls: [{ name: 'present_plan', arguments: { plan: 'Go.' } }] }

/** One connection, read to its end. `ids` are the ids of its events, in order. */
async function read(key: string, jobId: unknown, lastEventId?: string) {
  const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const { status, text, headers: answered } = await send(`/api/v1/agent/${jobId}/events`, { key, headers })
  const names = [...text.matchAll(/^event: (.+)$/gm)].map(([, name]) => name)
  const ids = [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => String(id))
  return { status, text, names, ids, headers: answered }
}

const finished = async (key: string, goal: string) => {
  const { body } = await startAgentRun(key, { goal })
  await untilStatus(key, body.jobId, 'completed', 'failed')
  return body
}

describe('a reconnect after the end of a finished run', () => {
  it('is 204 without a body, where the id is that of the last event', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const { jobId, runId } = await finished(key.key, scriptedGoal(twoSteps))
    const first = await read(key.key, jobId)
    expect(first.names).toEqual(['step', 'step', 'step', 'status'])
    expect(first.ids).toEqual(['0', '1', '2', `2.${runId}`])
    for (const id of ['2', `2.${runId}`, '99']) {
      const again = await read(key.key, jobId, id)
      expect(again, id).toMatchObject({ status: 204, text: '' })
      expect(again.headers.get('x-request-id')).toMatch(/\S/)
      expect(again.headers.get('x-ratelimit-limit-requests')).toBe('10000')
      expect(again.headers.has('content-type')).toBe(false)
    }
    expect(await send(`/api/v1/agent/${jobId}/events?after=2`, { key: key.key })).toMatchObject({ status: 204 })
  })

  it('sends what is new, and ends', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const { jobId, runId } = await finished(key.key, scriptedGoal(twoSteps))
    for (const [id, ids] of [
      ['-1', ['0', '1', '2']],
      ['0', ['1', '2']],
      ['1', ['2']],
    ] as const) {
      const answer = await read(key.key, jobId, id)
      expect(answer.status).toBe(200)
      expect(answer.ids).toEqual([...ids, `2.${runId}`])
      expect(answer.names.at(-1)).toBe('status')
    }
  })

  it('sends the end of a run that was cancelled after the last step the client knows, once', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal(plan), mode: 'interactive' })
    const paused = await untilStatus(key.key, body.jobId, 'awaiting_input')
    expect(paused.status).toBe('awaiting_input')
    await sendCancel(key.key, body.jobId)
    const all = await read(key.key, body.jobId)
    const lastStep = all.ids.at(-2)
    const end = await read(key.key, body.jobId, lastStep)
    expect(end).toMatchObject({ status: 200, names: ['status'], ids: [`${lastStep}.${body.runId}`] })
    expect(end.text).toContain('"status":"cancelled"')
    expect(await read(key.key, body.jobId, end.ids[0])).toMatchObject({ status: 204 })
  })

  it('sends the next turn, where there has been one', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const { jobId, runId } = await finished(key.key, scriptedGoal({ text: 'One.' }))
    expect(await read(key.key, jobId, `0.${runId}`)).toMatchObject({ status: 204 })
    const turn = await startAgentRun(key.key, { conversationId: jobId, goal: scriptedGoal({ text: 'Two.' }) })
    await untilStatus(key.key, jobId, 'completed')
    for (const id of ['0', `0.${runId}`]) {
      expect((await read(key.key, jobId, id)).ids).toEqual(['1', `1.${turn.body.runId}`])
    }
  })

  it('is 400 with an id that is not of an event, 404 for another owner’s job, and 401 without a key', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const { jobId } = await finished(key.key, scriptedGoal({ text: 'One.' }))
    for (const id of ['x', '-2', '1.', '1.x', '1e3', '9999999999', ''])
      expect((await read(key.key, jobId, id)).status, id).toBe(400)
    const stranger = await makeCaller(10, AGENT)
    expect((await read(stranger.key.key, jobId, '0')).status).toBe(404)
    expect((await read('x', jobId, '0')).status).toBe(401)
    expect((await read(key.key, '%', '0')).status).toBe(400)
  })
})

/** An EventSource cannot send a key, so this listener adds it to its requests. */
async function watchInBrowser(key: string, jobId: unknown) {
  const listener = await startListener()
  let requests = 0
  listener.server.prependListener('request', (req) => {
    requests++
    req.rawHeaders.push('Authorization', `Bearer ${key}`)
  })
  const source = new EventSource(`${listener.url}/api/v1/agent/${jobId}/events`, { node: { reconnectionTime: 20 } })
  const seen: string[] = []
  const note = (name: (event: MessageEvent) => string) => (event: Event) => {
    if (event instanceof MessageEvent) seen.push(name(event))
  }
  source.addEventListener(
    'step',
    note(({ lastEventId }) => lastEventId),
  )
  source.addEventListener(
    'status',
    note(({ data }) => JSON.parse(String(data)).status),
  )
  return { source, seen, requests: () => requests, stop: listener.stop }
}

it('an EventSource gets everything once, reconnects once, and stops', async () => {
  const { key } = await makeCaller(10_000, AGENT)
  const goal = scriptedGoal({
    turns: [
      { delayMs: 100, toolCalls: [search] },
      { delayMs: 100, text: 'Done.' },
    ],
  })
  const { body } = await startAgentRun(key.key, { goal })
  const { source, seen, requests, stop } = await watchInBrowser(key.key, body.jobId)
  await expect.poll(() => source.readyState).toBe(source.CLOSED)
  expect(seen.filter((event) => /^\d/.test(event))).toEqual(['0', '1', '2'])
  expect(seen.filter((event) => event === 'completed')).toHaveLength(1)
  expect(requests()).toBe(2)
  await stop()
})
