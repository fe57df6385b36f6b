// What a shutdown does to calls in progress, through the commands that operators run.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { getBalance } from '../../server/credits/balance'
import { pollJob, readSteps, scriptedGoal, sendCancel, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { CHAT_PATH, chargeIn, parseSse, scriptedBody, textIn } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { killGroup, type NpmCommand, processGroupOf, startNpmCommand } from '../support/npm-process'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { signalProcess } from '../support/process-table'

const sandbox = withSandbox()
let running: NpmCommand[] = []
afterEach(() => {
  running.forEach(killGroup)
  running = []
})

const start = async (env: Record<string, string> = {}) => {
  const web = await startNpmCommand('web', { HOST: '127.0.0.1', ...env })
  running.push(web)
  return web
}

const post = (web: NpmCommand, key: string, path: string, body: object) =>
  fetch(`${web.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const SLOW = { tool: 'crypto_get_prices', params: { coinIds: ['sandbox-slow'] } }
const STUCK = { tool: 'crypto_get_prices', params: { coinIds: ['sandbox-stuck'] } }
const WORDS = Array.from({ length: 12 }, (_, i) => `word${i}`)
const script = { text: WORDS.join(' '), chunks: WORDS.length, chunkDelayMs: 500 }

/** Calls that end while a server drains, and calls that outlast it on any machine. */
const ENDING = { call: SLOW, script }
const LASTING = { call: STUCK, script: { ...script, chunkDelayMs: 5_000 } }

/** A call and a stream, both taken by their providers and neither answered yet. */
async function inProgress(
  web: NpmCommand,
  { owner, key: { key } }: Awaited<ReturnType<typeof makeCaller>>,
  { call, script } = ENDING,
) {
  const before = await sandbox.calls()
  const query = post(web, key, '/api/v1/query', call).then(async (res) => ({
    status: res.status,
    body: (await res.json()) as { service?: { credits_charged: number }; code?: string },
  }))
  const stream = post(web, key, CHAT_PATH, { ...scriptedBody(script), stream: true }).then(async (res) =>
    parseSse(await res.text()),
  )
  // A broken connection is a failure of the test that waits for it, not of the process.
  for (const call of [query, stream]) call.catch(() => {})
  await pollUntil('both holds', async () => (await readOwnerMoney(owner)).holds === 2)
  await pollUntil('both calls at their providers', async () => (await sandbox.calls()) >= before + 2)
  return { query, stream }
}

const SIGNALS: [string, (web: NpmCommand) => void][] = [
  ['npm', ({ npm }) => npm.kill('SIGTERM')],
  ['the server', ({ server }) => signalProcess(server(), 'SIGTERM')],
  ['the process group', (web) => signalProcess(processGroupOf(web), 'SIGTERM')],
]

/** Two presses of Ctrl-C, far enough apart to count as two. */
async function interruptTwice(web: NpmCommand): Promise<void> {
  signalProcess(processGroupOf(web), 'SIGINT')
  await pollUntil('the drain', () => web.log().includes('draining'))
  await sleep(1_100)
  signalProcess(processGroupOf(web), 'SIGINT')
}

describe('npm start', () => {
  it.each(SIGNALS)(
    'delivers every call and charges it once when SIGTERM reaches %s several times',
    async (_, signal) => {
      const { owner, key } = await makeCaller(10_000, { llm: true })
      const web = await start()
      const { query, stream } = await inProgress(web, { owner, key })
      signal(web)
      for (let repeat = 0; repeat < 3; repeat++) {
        await sleep(300)
        signal(web)
      }
      const [answered, streamed] = await Promise.all([query, stream])
      expect(answered).toMatchObject({ status: 200, body: { service: { credits_charged: 3 } } })
      expect(textIn(streamed.chunks)).toBe(WORDS.join(' '))
      expect(streamed.events.at(-1)?.data).toBe('[DONE]')
      expect(await web.ended, web.log()).toBe(0)
      expect(await chargedTo(owner)).toBe(3 + chargeIn(streamed))
      expect((await getBalance(owner.id)).held).toBe(0)
    },
  )

  it('lets calls finish when npm was killed, which can pass nothing on', async () => {
    const { owner, key } = await makeCaller(10_000, { llm: true })
    const web = await start()
    const { query, stream } = await inProgress(web, { owner, key })
    web.npm.kill('SIGKILL')
    const [answered, streamed] = await Promise.all([query, stream])
    expect(answered).toMatchObject({ status: 200, body: { service: { credits_charged: 3 } } })
    expect(textIn(streamed.chunks)).toBe(WORDS.join(' '))
    await web.ended
    expect(await chargedTo(owner)).toBe(3 + chargeIn(streamed))
  })

  it('waits on the first Ctrl-C; a second one ends calls with an error they can read, and without a charge', async () => {
    const { owner, key } = await makeCaller(10_000, { llm: true })
    const web = await start()
    const { query, stream } = await inProgress(web, { owner, key }, LASTING)
    await interruptTwice(web)
    const [answered, streamed] = await Promise.all([query, stream])
    expect(answered).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(answered.body).not.toHaveProperty('service')
    expect(streamed.events.at(-1)).toMatchObject({
      event: 'error',
      data: { error: { code: 'unavailable' }, service: { credits_charged: 0 } },
    })
    expect(await web.ended, web.log()).toBe(1)
    expect(await chargedTo(owner)).toBe(0)
    expect(await getBalance(owner.id)).toEqual({ available: 10_000, held: 0 })
  })

  it('says that it is draining for DRAIN_DELAY_S, and serves meanwhile', async () => {
    const { key } = await makeCaller(10_000)
    const web = await start({ DRAIN_DELAY_S: '300' })
    const slow = post(web, key.key, '/api/v1/query', SLOW)
    slow.catch(() => {})
    await pollUntil('the call', async () => (await sandbox.calls()) >= 1)
    web.npm.kill('SIGTERM')
    const notReady = await pollUntil('readyz to change', () =>
      fetch(`${web.url}/readyz`).then((res) => (res.status === 503 ? res : null)),
    )
    expect(await notReady.json()).toMatchObject({ status: 'draining', code: 'unavailable' })
    expect(notReady.headers.get('connection')).toBe('close')
    const served = await post(web, key.key, '/api/v1/query', { ...SLOW, params: { coinIds: ['bitcoin'] } })
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close'])
    expect((await fetch(`${web.url}/signin`)).status).toBe(200)
    expect((await slow).status).toBe(200)
    await interruptTwice(web)
    expect(await web.ended, web.log()).toBe(0)
  })

  it('ends the event stream of a job between two events, for its reader to go on elsewhere', async () => {
    const { key } = await makeCaller(100_000, { agent: true })
    const web = await start()
    const job = await startAgentRun(key.key, { goal: scriptedGoal({ delayMs: 60_000 }) })
    const headers = { authorization: `Bearer ${key.key}` }
    const watching = fetch(`${web.url}/api/v1/agent/${job.body.jobId}/events`, { headers }).then((res) => res.text())
    watching.catch(() => {})
    await pollUntil('the watcher', () => web.log().includes('"msg":"events"'))
    web.npm.kill('SIGTERM')
    expect(parseSse(await watching).events.map(({ event }) => event)).toEqual(['status'])
    expect(await web.ended, web.log()).toBe(0)
    await sendCancel(key.key, job.body.jobId)
  })
})

describe('npm run worker', () => {
  const search = { name: 'web_search', arguments: { query: 'toll roads' } }
  const turns = [{ delayMs: 3_000, toolCalls: [search] }, { text: 'Done.' }]
  const startWorker = async () => {
    const worker = await startNpmCommand('worker')
    running.push(worker)
    return worker
  }

  it.each(SIGNALS)(
    'ends the step in progress, and hands the run on, when SIGTERM reaches %s several times',
    async (_, signal) => {
      const { owner, key } = await makeCaller(100_000, { agent: true })
      const first = await startWorker()
      const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ turns }) })
      await pollUntil('the first step', async () => (await sandbox.calls()) === 1)
      signal(first)
      for (let repeat = 0; repeat < 3; repeat++) {
        await sleep(300)
        signal(first)
      }
      expect(await first.ended, first.log()).toBe(0)
      expect(await readSteps(key.key, body.jobId)).toHaveLength(1)
      await startWorker()
      expect(await untilStatus(key.key, body.jobId, 'completed', 'failed')).toMatchObject({ status: 'completed' })
      const steps = await readSteps(key.key, body.jobId)
      expect(steps.map(({ index }) => index)).toEqual([0, 1, 2])
      // One call each: none was repeated.
      expect(await sandbox.calls()).toBe(3)
      expect(await chargedTo(owner)).toBe(steps.reduce((sum, step) => sum + step.creditsCharged, 0))
    },
  )

  it('leaves the step in progress to another worker at a second Ctrl-C, and it is charged once', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true })
    const first = await startWorker()
    const { body } = await startAgentRun(key.key, {
      goal: scriptedGoal({ turns: [{ delayMs: 15_000, text: 'Done.' }] }),
    })
    await pollUntil('the first step', async () => (await sandbox.calls()) === 1)
    signalProcess(processGroupOf(first), 'SIGINT')
    await pollUntil('the stop', () => first.log().includes('worker stops'))
    await sleep(1_100)
    signalProcess(processGroupOf(first), 'SIGINT')
    expect(await first.ended, first.log()).toBe(1)
    await startWorker()
    await pollUntil('the end', async () => (await pollJob(key.key, body.jobId)).body.status === 'completed')
    const [step] = await readSteps(key.key, body.jobId)
    expect(await chargedTo(owner)).toBe(step?.creditsCharged)
    expect((await getBalance(owner.id)).held).toBe(0)
  })
})
