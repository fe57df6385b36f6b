import { once } from 'node:events'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { getBalance } from '../../server/credits/balance'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { pollJob, scriptedGoal, startAgentRun } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { startWebProcess } from '../support/web-process'
import { withWorkerProcesses } from '../support/worker-processes'

withSandbox()
const startWorker = withWorkerProcesses()

const SPIN = pathToFileURL(path.resolve('tests/support/spin-on-signal.mjs')).href
// Long enough that no start on a busy machine passes for a stall.
const WATCHED = { NODE_OPTIONS: `--import=${SPIN}`, WATCHDOG_S: '10' }
/** The run's claim and a hold of its call are one process's. */
const CALLING = 'SELECT 1 FROM job j JOIN hold h ON h.limit_id = j.id AND h.holder_id = j.holder_id WHERE j.id = $1'

it('a worker whose event loop stands still is ended, and its run goes on in a process of its own', async () => {
  const { owner, key } = await makeCaller(100_000, { agent: true })
  const stalling = await startWorker(WATCHED)
  const search = { name: 'web_search', arguments: { query: 'toll roads' } }
  const { body } = await startAgentRun(key.key, {
    goal: scriptedGoal({ turns: [{ delayMs: 8_000, toolCalls: [search] }, { text: 'Done.' }] }),
  })
  await pollUntil('a call in progress', async () => (await mainPool().query(CALLING, [body.jobId])).rowCount === 1)
  const ended = once(stalling.child, 'close')
  stalling.child.kill('SIGUSR2')
  expect(await ended).toEqual([70, null])
  expect(stalling.log()).toMatch(/spinOnSignal .*the event loop stands still/)
  const { rows } = await mainPool().query('SELECT stalls FROM job WHERE id = $1', [body.jobId])
  expect(rows).toEqual([{ stalls: 1 }])

  const next = await startWorker()
  const job = await pollUntil('the end of the run', async () => {
    const { body: seen } = await pollJob(key.key, body.jobId)
    return seen.status === 'running' ? null : seen
  })
  expect(job).toMatchObject({ status: 'completed', result: 'Done.' })
  expect(next.log()).toContain('runs in a separate one')
  expect(await getBalance(owner.id)).toEqual({ available: 100_000 - (await chargedTo(owner)), held: 0 })
  expect(await findLedgerDifferences()).toEqual([])
})

it('a web process is ended the same way, and not while it serves', async () => {
  const web = await startWebProcess(WATCHED)
  const ended = once(web.child, 'close')
  for (let call = 0; call < 20; call++) {
    expect((await fetch(`${web.url}/healthz`)).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  web.child.kill('SIGUSR2')
  expect(await ended).toEqual([70, null])
  expect(web.log()).toContain('the event loop stands still')
})
