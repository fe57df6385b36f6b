import { expect, it } from 'vitest'
import { scriptedGoal, startAgentRun } from '../support/agent'
import { withSandbox } from '../support/api'
import { startListener } from '../support/listener'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { withWorkerProcesses } from '../support/worker-processes'

withSandbox()
const startWorker = withWorkerProcesses()

/** Reads the events of a job over a listener until they end or `leave` is called. */
function watch(url: string, key: string, lastEventId?: string) {
  const stop = new AbortController()
  const watcher = {
    text: '',
    events: () => eventsIn(watcher.text),
    leave: () => stop.abort(),
    ended: Promise.resolve(),
  }
  const read = async () => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    }
    const response = await fetch(url, { headers, signal: stop.signal })
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) watcher.text += piece
  }
  watcher.ended = read().catch((error: Error) => {
    if (!stop.signal.aborted) throw error
  })
  return watcher
}

const eventsIn = (text: string) =>
  text
    .split('\n\n')
    .slice(0, -1)
    .filter((event) => event.includes('data: '))
    .map((event) => ({
      name: /^event: (.+)$/m.exec(event)?.[1] ?? '',
      data: JSON.parse(/^data: (.+)$/m.exec(event)?.[1] ?? 'null') as Record<string, unknown>,
    }))

type Watched = ReturnType<typeof eventsIn>

/** The text of a step after it was last started. */
function lastTextOf(events: Watched, index: number): string {
  const own = events.filter(({ data }) => data.index === index)
  const began = own.findLastIndex(({ name }) => name === 'step.started')
  const deltas = own.slice(began).filter(({ name }) => name === 'step.delta')
  return deltas.map(({ data }) => data.text).join('')
}

const LONG = 'Prices fell in Centro and rose in Retiro, as the listings of both districts show. '.repeat(4).trim()
const count = (events: Watched, name: string) => events.filter((event) => event.name === name).length

it('a killed worker in the middle of a model’s text: watchers get the step again from its beginning', async () => {
  const { key } = await makeCaller(10_000, { agent: true })
  const first = await startWorker()
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ text: LONG, chunkDelayMs: 150 }) })
  const listener = await startListener()
  const url = `${listener.url}/api/v1/agent/${body.jobId}/events?deltas=true`
  const patient = watch(url, key.key)
  const restless = watch(url, key.key)
  await pollUntil('texts', () => [patient, restless].every((watcher) => count(watcher.events(), 'step.delta') > 1))

  await first.kill('SIGKILL')
  restless.leave()
  await restless.ended
  const again = watch(url, key.key, '-1')
  await startWorker()
  await Promise.all([patient.ended, again.ended])

  expect(count(patient.events(), 'step.started')).toBe(2)
  for (const watcher of [restless, patient, again]) {
    const text = lastTextOf(watcher.events(), 0)
    expect(text.length).toBeGreaterThan(0)
    expect(LONG.startsWith(text)).toBe(true)
  }
  for (const { events } of [patient, again]) {
    expect(events().filter(({ name }) => name === 'step')).toMatchObject([
      { data: { index: 0, output: { text: LONG } } },
    ])
    expect(events().at(-1)).toMatchObject({ name: 'status', data: { status: 'completed', result: LONG } })
  }
  await listener.stop()
})
