import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { getBalance } from '../../server/credits/balance'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { pollJob, readSteps, scriptedGoal, sendAnswer, startAgentRun, untilServed, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { startWebProcess } from '../support/web-process'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process'

const sandbox = withSandbox()
let workers: WorkerProcess[] = []
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill('SIGKILL')))
  workers = []
})

async function startWorkers(count: number): Promise<void> {
  const started = Array.from({ length: count }, () => startWorkerProcess())
  workers.push(...started)
  await Promise.all(started.map(({ ready }) => ready))
}

const AGENT = { agent: true, agentRunBudgetCredits: 1_000_000, rpm: 100_000 }
const JOBS = 24
const KILLS = 20
const ROUNDS = 7

const search = { name: 'web_search', arguments: { query: 'toll roads {{count}}' } }
const prices = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
const rounds = (n: number) => Array.from({ length: n }, () => ({ delayMs: 150, toolCalls: [search, prices] }))
const plan = { toolCalls: [{ name: 'present_plan', arguments: { plan: '1. Search.' } }] }
const question = { toolCalls: [{ name: 'ask_user', arguments: { question: 'Go on?' } }] }

/** The steps of a finished run of each kind: model steps, tool calls, and questions. */
const QUIET = { goal: scriptedGoal({ turns: [...rounds(ROUNDS), { text: 'Done.' }] }), steps: ROUNDS * 3 + 1 }
const ASKING = {
  goal: scriptedGoal({ turns: [plan, ...rounds(4), question, ...rounds(ROUNDS - 4), { text: 'Done.' }] }),
  steps: ROUNDS * 3 + 1 + 4,
}

it('24 jobs over 3 workers and 20 kills: each ends, each step is charged once, the ledger agrees', async () => {
  const { owner, key } = await makeCaller(10_000_000, AGENT)
  await startWorkers(3)
  const jobs = await Promise.all(
    Array.from({ length: JOBS }, async (_, i) => {
      const kind = i % 2 === 0 ? QUIET : ASKING
      const mode = kind === ASKING ? 'interactive' : 'autonomous'
      const fields = { goal: kind.goal, mode, idempotencyKey: `start ${i}` }
      const { status, body } = await untilServed(() => startAgentRun(key.key, fields))
      expect(status).toBe(202)
      return { id: String(body.jobId), kind }
    }),
  )
  const callsBefore = await sandbox.calls()

  let isOver = false
  let kills = 0
  const killing = (async () => {
    while (kills < KILLS && !isOver) {
      await sleep(300 + Math.random() * 700)
      const victim = workers.splice(Math.floor(Math.random() * workers.length), 1)[0]
      await victim?.kill('SIGKILL')
      kills++
      // The next one starts at once, while further workers are killed.
      workers.push(startWorkerProcess())
    }
  })()

  const answers: number[][] = []
  const ends = await Promise.all(
    jobs.map(async ({ id }, i) => {
      let answered = 0
      for (;;) {
        const { body } = await untilServed(() => pollJob(key.key, id))
        // One run goes on until the last kill, however quick the machine is.
        const isKept = i === 1 && answered === 1 && kills < KILLS
        if (body.status === 'awaiting_input' && !isKept) {
          answered++
          const both = await Promise.all(
            [1, 2].map(() => untilServed(() => sendAnswer(key.key, id, { approved: true, feedback: 'Yes.' }))),
          )
          answers.push(both.map(({ status }) => status).sort())
        } else if (body.status !== 'running' && body.status !== 'awaiting_input') return body
        await sleep(100)
      }
    }),
  )
  isOver = true
  await killing

  expect(ends.map(({ status, result }) => [status, result])).toEqual(jobs.map(() => ['completed', 'Done.']))
  expect(kills).toBe(KILLS)
  expect(answers).toEqual(Array.from({ length: JOBS }, () => [200, 409]))
  let charged = 0
  let calls = 0
  for (const [i, { id, kind }] of jobs.entries()) {
    const steps = await readSteps(key.key, id)
    expect(steps.map(({ index }) => index)).toEqual(steps.map((_, index) => index))
    expect(steps).toHaveLength(kind.steps)
    const sum = steps.reduce((total, step) => total + step.creditsCharged, 0)
    expect(ends[i]?.creditsSpent).toBe(sum)
    charged += sum
    calls += steps.filter((step) => step.requestId !== null).length
  }
  expect(await chargedTo(owner)).toBe(charged)
  expect(await getBalance(owner.id)).toEqual({ available: 10_000_000 - charged, held: 0 })
  expect(await findLedgerDifferences()).toEqual([])
  const made = (await sandbox.calls()) - callsBefore
  console.log(`${JOBS} jobs, ${calls} calls charged, ${made} made: ${made - calls} repeated after ${kills} kills`)
})

it('50 starts with one idempotency key over two web processes are one run', async () => {
  const { owner, key } = await makeCaller(100_000, AGENT)
  const webs = await Promise.all([startWebProcess(), startWebProcess()])
  try {
    const body = JSON.stringify({ goal: scriptedGoal({ text: 'Done.' }), idempotencyKey: 'once' })
    const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        untilServed(() => fetch(`${webs[i % 2]?.url}/api/v1/agent`, { method: 'POST', headers, body })),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
    const started = (await Promise.all(answers.map((one) => one.json()))) as { jobId: string; runId: string }[]
    expect(new Set(started.map(({ runId }) => runId)).size).toBe(1)
    const { rows } = await mainPool().query('SELECT count(*)::int AS n FROM job WHERE owner_id = $1', [owner.id])
    expect(rows[0].n).toBe(1)
    await startWorkers(1)
    expect(await untilStatus(key.key, started[0]?.jobId, 'completed', 'failed')).toMatchObject({ result: 'Done.' })
  } finally {
    await Promise.all(webs.map((web) => web.kill('SIGKILL')))
  }
})

it('another worker continues the run of a killed one', async () => {
  const { key } = await makeCaller(100_000, AGENT)
  await startWorkers(1)
  const slow = { delayMs: 2_000, toolCalls: [search] }
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ turns: [slow, slow, { text: 'Done.' }] }) })
  await pollUntil('the first step', async () => (await readSteps(key.key, body.jobId)).length >= 2)
  const before = Date.now()
  await workers[0]?.kill('SIGKILL')
  await startWorkers(1)
  const fencingToken = async () =>
    (await mainPool().query('SELECT fencing_token FROM job WHERE id = $1', [body.jobId])).rows[0].fencing_token
  await pollUntil('the takeover', async () => (await fencingToken()) === 2)
  console.log(`taken over ${Date.now() - before} ms after the kill`)
  expect(await untilStatus(key.key, body.jobId, 'completed', 'failed')).toMatchObject({ status: 'completed' })
})

it('a frozen worker that lost its claim writes and charges nothing when it resumes', async () => {
  const { owner, key } = await makeCaller(100_000, AGENT)
  await startWorkers(1)
  const { body } = await startAgentRun(key.key, {
    goal: scriptedGoal({
      turns: [{ delayMs: 1_500, toolCalls: [search] }, { delayMs: 1_500, toolCalls: [prices] }, { text: 'Done.' }],
    }),
  })
  await pollUntil('a call in progress', async () => (await getBalance(owner.id)).held > 0)
  const [sleeper] = workers
  sleeper?.child.kill('SIGSTOP')
  await startWorkers(1)
  const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
  expect(done.status).toBe('completed')
  const before = await readSteps(key.key, body.jobId)
  sleeper?.child.kill('SIGCONT')
  await sleep(3_000)
  expect(await readSteps(key.key, body.jobId)).toEqual(before)
  expect(before.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4])
  expect(await chargedTo(owner)).toBe(done.creditsSpent)
  expect(await pollUntil('no hold', async () => (await getBalance(owner.id)).held === 0)).toBe(true)
})

it('a stopping worker releases its run, and another one continues it at once', async () => {
  const { key } = await makeCaller(100_000, AGENT)
  await startWorkers(2)
  const slow = { delayMs: 600, toolCalls: [search] }
  const turns = [...Array.from({ length: 12 }, () => slow), { text: 'Done.' }]
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ turns }) })
  await pollUntil('the first step', async () => (await readSteps(key.key, body.jobId)).length >= 2)
  const codes = await Promise.all(workers.map((worker) => worker.kill('SIGTERM')))
  expect(codes).toEqual([0, 0])
  expect((await pollJob(key.key, body.jobId)).body.status).toBe('running')
  workers = []
  await startWorkers(1)
  expect(await untilStatus(key.key, body.jobId, 'completed', 'failed')).toMatchObject({ status: 'completed' })
})

it('a step that kills every worker is given up, with a reason', async () => {
  const { owner, key } = await makeCaller(100_000, AGENT)
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ delayMs: 60_000 }) })
  for (let attempt = 1; attempt <= 5; attempt++) {
    await startWorkers(1)
    const tried = async () =>
      (await mainPool().query('SELECT attempts FROM job WHERE id = $1', [body.jobId])).rows[0].attempts
    await pollUntil(`attempt ${attempt}`, async () => (await tried()) === attempt)
    await workers.pop()?.kill('SIGKILL')
    // As 10 s without a heartbeat would.
    await mainPool().query(`UPDATE pgboss.job SET heartbeat_on = now() - interval '1 minute' WHERE state = 'active'`)
  }
  await startWorkers(1)
  const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
  expect(done).toMatchObject({ status: 'failed', creditsSpent: 0, result: expect.stringContaining('begun 5 times') })
  expect(await getBalance(owner.id)).toEqual({ available: 100_000, held: 0 })
})
