// Several processes of one command on one port, through the commands that operators run.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { readProcesses } from '../../server/operators/workers'
import { chargedTo, withSandbox } from '../support/api'
import { CHAT_PATH, chargeIn, parseSse, scriptedBody, textIn } from '../support/chat'
import { launcherOf, processesOf } from '../support/command-processes'
import { startListener } from '../support/listener'
import { killGroup, type NpmCommand, startNpmCommand } from '../support/npm-process'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { signalProcess } from '../support/process-table'

const sandbox = withSandbox()
const SETTINGS = { HOST: '127.0.0.1', WEB_CONCURRENCY: '2', WORKER_CONCURRENCY: '2', METRICS_TOKEN: 'scrape' }
const WORDS = Array.from({ length: 12 }, (_, i) => `word${i}`)

let web: NpmCommand
let caller: Awaited<ReturnType<typeof makeCaller>>
beforeAll(async () => {
  caller = await makeCaller(1_000_000, { llm: true, rpm: 100_000 })
  web = await startNpmCommand('web', SETTINGS)
  await bothServe()
})
afterAll(() => killGroup(web))

const pids = () => processesOf(web, 'web')

function bothPids(): [number, number] {
  const [first, second] = pids()
  if (first === undefined || second === undefined) throw new Error('Two processes should run.')
  return [first, second]
}

/** Sends a call over a connection of its own, as every new client does. */
const call = async (): Promise<number> => {
  const res = await fetch(`${web.url}/api/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.key.key}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } }),
    signal: AbortSignal.timeout(60_000),
  })
  await res.text()
  return res.status
}

const calls = (count: number) => Promise.all(Array.from({ length: count }, call))

async function stream(chunkDelayMs: number) {
  const before = await sandbox.calls()
  const script = { text: WORDS.join(' '), chunks: WORDS.length, chunkDelayMs }
  const ended = fetch(`${web.url}${CHAT_PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.key.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...scriptedBody(script), stream: true }),
  }).then(async (res) => parseSse(await res.text()))
  ended.catch(() => {})
  await pollUntil('the call', async () => (await sandbox.calls()) > before)
  return ended
}

/** What a scrape says of each process; any of them answers for all. */
async function processesUp(): Promise<string[]> {
  const res = await fetch(`${web.url}/metrics`, { headers: { authorization: 'Bearer scrape', connection: 'close' } })
  return (await res.text()).split('\n').filter((line) => line.startsWith('tollgate_process_up{'))
}

const bothServe = () =>
  pollUntil('both processes', async () => {
    const up = await processesUp().catch(() => [])
    return up.join() === 'tollgate_process_up{process="1"} 1,tollgate_process_up{process="2"} 1'
  })

/** Makes the 45 s pass after which a process that said nothing more counts as gone. */
const endLeaseOf = (pid: number) =>
  mainPool().query(`UPDATE holder SET lease_until = now() - interval '1 second' WHERE about->>'pid' = $1`, [`${pid}`])

const stateOf = async (pid: number) =>
  (await readProcesses()).processes.find(({ about }) => about?.kind === 'web' && about.pid === pid)?.state

describe('npm start with two processes', () => {
  it('serves on when one of them freezes, and says in its metrics which', async () => {
    const [, second] = bothPids()
    signalProcess(second, 'SIGSTOP')
    try {
      expect(await calls(20)).toEqual(Array(20).fill(200))
      expect(await processesUp()).toContain('tollgate_process_up{process="2"} 0')
    } finally {
      signalProcess(second, 'SIGCONT')
    }
    await bothServe()
  })

  it('serves on when one of them is killed, and starts it again', async () => {
    const [first, second] = bothPids()
    signalProcess(first, 'SIGKILL')
    await pollUntil('the end', () => !pids().includes(first))
    await endLeaseOf(first)
    expect(await stateOf(first)).toBe('lost')
    expect(await stateOf(second)).toBe('alive')
    expect(await calls(20)).toEqual(Array(20).fill(200))
    await pollUntil('its successor', () => pids().length === 2)
    await bothServe()
    expect(pids()).toContain(second)
  })

  it('replaces them one by one at a SIGHUP, without a failed request or a cut stream', async () => {
    const before = pids()
    const streamed = await stream(400)
    let isDone = false
    const statuses = new Set<number>()
    const load = Array.from({ length: 4 }, async () => {
      while (!isDone) statuses.add(await call())
    })
    signalProcess(launcherOf(web, 'web'), 'SIGHUP')
    await pollUntil('the new processes', () => web.log().includes('processes replaced'))
    isDone = true
    await Promise.all(load)
    expect([...statuses]).toEqual([200])
    expect(textIn((await streamed).chunks)).toBe(WORDS.join(' '))
    await pollUntil('the end of the former processes', () => !pids().some((pid) => before.includes(pid)))
    expect(pids()).toHaveLength(2)
    await bothServe()
  })

  it('finishes the streams of all at a SIGTERM to one, and comes to an end', async () => {
    const before = await chargedTo(caller.owner)
    const streams = await Promise.all([stream(300), stream(300), stream(300)])
    for (let repeat = 0; repeat < 3; repeat++) web.npm.kill('SIGTERM')
    const ended = await Promise.all(streams)
    expect(ended.map(({ chunks }) => textIn(chunks))).toEqual(Array(3).fill(WORDS.join(' ')))
    expect(await web.ended, web.log()).toBe(0)
    expect(pids()).toEqual([])
    const charges = ended.reduce((sum, streamed) => sum + chargeIn(streamed), 0)
    expect((await chargedTo(caller.owner)) - before).toBe(charges)
    expect(await findLedgerDifferences()).toEqual([])
  })
})

describe('two processes of one command', () => {
  it('end when their launcher was killed, after they have finished a stream', async () => {
    web = await startNpmCommand('web', SETTINGS)
    await bothServe()
    const streamed = await stream(300)
    signalProcess(launcherOf(web, 'web'), 'SIGKILL')
    expect(textIn((await streamed).chunks)).toBe(WORDS.join(' '))
    await pollUntil('the end of both', () => pids().length === 0)
  })

  it('end with 0 at a SIGTERM while the second one starts', async () => {
    web = await startNpmCommand('web', SETTINGS)
    web.npm.kill('SIGTERM')
    expect(await web.ended, web.log()).toBe(0)
    expect(pids()).toEqual([])
  })

  it('do not start on a port that is taken; the reason is given once', async () => {
    const taken = await startListener()
    try {
      const start = startNpmCommand('web', { ...SETTINGS, PORT: String(taken.port) })
      const error = await start.then(killGroup, (refused: Error) => refused.message)
      expect(String(error).split(`Port ${taken.port} is taken`)).toHaveLength(2)
    } finally {
      await taken.stop()
    }
  })

  it('are workers too', async () => {
    const worker = await startNpmCommand('worker', SETTINGS)
    try {
      await pollUntil('both', () => worker.log().split('worker started').length === 3)
      expect(processesOf(worker, 'worker')).toHaveLength(2)
      worker.npm.kill('SIGTERM')
      expect(await worker.ended, worker.log()).toBe(0)
      expect(processesOf(worker, 'worker')).toEqual([])
    } finally {
      killGroup(worker)
    }
  })
})
