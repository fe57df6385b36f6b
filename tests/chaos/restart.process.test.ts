import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { getBalance } from '../../server/credits/balance'
import { findLedgerDifferences } from '../../server/credits/verify'
import { pollJob, readSteps, scriptedGoal, sendAnswer, startAgentRun } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { withRestartableDatabase } from '../support/restartable-database'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process'

const server = withRestartableDatabase()
withSandbox()
let workers: WorkerProcess[] = []
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill('SIGKILL')))
  workers = []
})

const JOBS = 8
const ROUNDS = 8
const search = { name: 'web_search', arguments: { query: 'toll roads {{count}}' } }
const prices = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
const question = { toolCalls: [{ name: 'ask_user', arguments: { question: 'Go on?' } }] }
const plan = { toolCalls: [{ name: 'present_plan', arguments: { plan: '1. Search.' } }] }
const rounds = Array.from({ length: ROUNDS }, () => ({ delayMs: 800, toolCalls: [search, prices] }))
const goal = scriptedGoal({ turns: [plan, ...rounds, question, { text: 'Done.' }] })
const STEPS = ROUNDS * 3 + 2 + 2 + 1

it('runs go on when PostgreSQL restarts under them, also after a crash of it', async () => {
  const { owner, key } = await makeCaller(1_000_000, { agent: true, agentRunBudgetCredits: 100_000, rpm: 100_000 })
  workers = [startWorkerProcess(), startWorkerProcess()]
  await Promise.all(workers.map(({ ready }) => ready))
  const ids = await Promise.all(
    Array.from({ length: JOBS }, async () => {
      const run = { goal, mode: 'interactive', idempotencyKey: randomUUID() }
      // A machine that is too busy refuses some with 503 until they are asked again.
      const begun = await pollUntil('the start', async () => {
        const { status, body } = await startAgentRun(key.key, run)
        return status === 202 ? body : null
      })
      return String(begun.jobId)
    }),
  )
  const ends = ids.map(async (id) => {
    for (;;) {
      // While the database is away this is a 503, and the caller asks again.
      const { status, body } = await pollJob(key.key, id)
      expect([200, 503]).toContain(status)
      if (body.status === 'awaiting_input') {
        const { status } = await sendAnswer(key.key, id, { approved: true, feedback: 'Yes.' })
        // 409: an answer of before, whose reply was lost with the database, had arrived.
        expect([200, 409, 503]).toContain(status)
      } else if (status === 200 && body.status !== 'running') return body
      await sleep(400)
    }
  })
  for (const how of ['orderly', 'crash', 'crash'] as const) {
    await sleep(2_000)
    await server.stop(how)
    await sleep(1_500)
    await server.start()
  }
  expect((await Promise.all(ends)).map(({ status, result }) => [status, result])).toEqual(
    ids.map(() => ['completed', 'Done.']),
  )
  for (const { child, log } of workers) expect(child.exitCode, log().slice(-4_000)).toBeNull()
  let charged = 0
  for (const id of ids) {
    const steps = await readSteps(key.key, id)
    expect(steps.map(({ index }) => index)).toEqual(Array.from({ length: STEPS }, (_, index) => index))
    charged += steps.reduce((total, step) => total + step.creditsCharged, 0)
  }
  expect(await chargedTo(owner)).toBe(charged)
  expect(await getBalance(owner.id)).toEqual({ available: 1_000_000 - charged, held: 0 })
  expect(await findLedgerDifferences()).toEqual([])
})
