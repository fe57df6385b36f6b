import { expect, it } from 'vitest'
import { markStalled } from '../../server/agent/run/stalls'
import { getBalance } from '../../server/credits/balance'
import { mainPool } from '../../server/db'
import { pollJob, readSteps, scriptedGoal, sendCancel, startAgentRun } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import type { WorkerProcess } from '../support/worker-process'
import { withWorkerProcesses } from '../support/worker-processes'

withSandbox()
const startWorkerWith = withWorkerProcesses()

/** Loaded into each process of a test: a signal blocks its event loop forever. */
const STALL_ON_SIGNAL = `--import=data:text/javascript,process.on('SIGUSR2',()=>{for(;;);})`

const startWorker = () => startWorkerWith({ NODE_OPTIONS: STALL_ON_SIGNAL, WATCHDOG_S: '5' })

const AGENT = { agent: true }
const search = { name: 'web_search', arguments: { query: 'toll roads' } }

type Row = { status: string; stalls: number; attempts: number; holderId: string | null }

async function jobOf(jobId: unknown): Promise<Row> {
  const { rows } = await mainPool().query<Row>(
    'SELECT status, stalls, attempts, holder_id AS "holderId" FROM job WHERE id = $1',
    [jobId],
  )
  return rows[0] as Row
}

/** The process with the claim of a run, once it is not `before` and its call is in progress. */
const claimedBy = (jobId: unknown, before: string | null = null): Promise<string> =>
  pollUntil('a claim with a call', async () => {
    const { rows } = await mainPool().query<{ id: string }>(
      'SELECT j.holder_id AS id FROM job j JOIN hold h ON h.limit_id = j.id AND h.holder_id = j.holder_id WHERE j.id = $1',
      [jobId],
    )
    return rows[0] && rows[0].id !== before ? rows[0].id : null
  })

/** Stalls a worker, and waits until its watchdog has ended it. */
async function stall(worker: WorkerProcess): Promise<void> {
  worker.child.kill('SIGUSR2')
  await pollUntil('the end of the worker', () => worker.child.exitCode ?? worker.child.signalCode)
  // As 10 s without a heartbeat would.
  await mainPool().query(`UPDATE pgboss.job SET heartbeat_on = now() - interval '1 minute' WHERE state = 'active'`)
}

const endOf = (key: string, jobId: unknown) =>
  pollUntil('the end of the run', async () => {
    const { body } = await pollJob(key, jobId)
    return body.status === 'running' ? null : body
  })

/** The processes of isolated steps that a worker has started. */
const pidsIn = (log: string): number[] => [...log.matchAll(/"childPid":(\d+)/g)].map(([, pid]) => Number(pid))

it('a step that stalled its process runs in a separate one, and the next step as usual', async () => {
  const { owner, key } = await makeCaller(100_000, AGENT)
  const first = await startWorker()
  const turns = [{ delayMs: 5_000, toolCalls: [search] }, { text: 'Done.' }]
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ turns }) })
  await claimedBy(body.jobId)
  await stall(first)
  expect(await jobOf(body.jobId)).toMatchObject({ status: 'running', stalls: 1 })
  const second = await startWorker()
  const done = await endOf(key.key, body.jobId)
  expect(done).toMatchObject({ status: 'completed', result: 'Done.' })
  expect(await jobOf(body.jobId)).toMatchObject({ stalls: 0 })
  expect(pidsIn(second.log())).toHaveLength(1)
  expect((await readSteps(key.key, body.jobId)).map(({ kind }) => kind)).toEqual(['model', 'tool', 'model'])
  expect(await chargedTo(owner)).toBe(done.creditsSpent)
  expect(await getBalance(owner.id)).toMatchObject({ held: 0 })
})

it('a step that stalls the separate process as well is given up, with the reason and free, and no other run is affected', async () => {
  const { owner, key } = await makeCaller(100_000, AGENT)
  const first = await startWorker()
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ delayMs: 60_000 }) })
  const firstHolder = await claimedBy(body.jobId)
  await stall(first)
  const second = await startWorker()
  const bystander = await startAgentRun(key.key, { goal: scriptedGoal({ delayMs: 20_000, text: 'Undisturbed.' }) })
  await claimedBy(body.jobId, firstHolder)
  const [pid] = pidsIn(second.log())
  process.kill(Number(pid), 'SIGUSR2')
  const done = await endOf(key.key, body.jobId)
  expect(done).toMatchObject({
    status: 'failed',
    creditsSpent: 0,
    result: expect.stringContaining('made the process that ran it stop responding'),
  })
  expect(await endOf(key.key, bystander.body.jobId)).toMatchObject({ status: 'completed', result: 'Undisturbed.' })
  expect(second.child.exitCode).toBeNull()
  const bystanders = await readSteps(key.key, bystander.body.jobId)
  expect(bystanders).toHaveLength(1)
  expect(await chargedTo(owner)).toBe(bystanders[0]?.creditsCharged)
  expect(await getBalance(owner.id)).toMatchObject({ held: 0 })
})

it('a stall counts for the runs that the process has claimed, and for no others', async () => {
  const { key } = await makeCaller(100_000, AGENT)
  await startWorker()
  const goal = scriptedGoal({ delayMs: 60_000 })
  const [one, two] = await Promise.all([startAgentRun(key.key, { goal }), startAgentRun(key.key, { goal })])
  const holder = await claimedBy(one.body.jobId)
  expect(await claimedBy(two.body.jobId)).toBe(holder)
  await mainPool().query('UPDATE job SET holder_id = gen_random_uuid() WHERE id = $1', [two.body.jobId])
  expect(await markStalled(holder)).toBe(1)
  expect([(await jobOf(one.body.jobId)).stalls, (await jobOf(two.body.jobId)).stalls]).toEqual([1, 0])
  for (const { body } of [one, two]) expect((await sendCancel(key.key, body.jobId)).status).toBe(200)
})
