import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { getBalance } from '../../server/credits/balance'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { readSteps, scriptedGoal, startAgentRun, untilServed, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process'

withSandbox()
let workers: WorkerProcess[] = []
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill('SIGKILL')))
  workers = []
})

const AGENT = { agent: true, agentRunBudgetCredits: 1_000_000, rpm: 100_000 }
const JOBS = 8
const JUDGES = 6
const KILLS = 8

const judge = {
  kind: 'judge',
  model: 'northwind/gale-4-mini',
  question: `Does it greet? [[sandbox ${JSON.stringify({ delayMs: 400, text: 'Yes.' })}]]`,
}
const checks = [{ kind: 'contains', text: 'hello' }, ...Array.from({ length: JUDGES }, () => judge)]

it('8 runs that are judged over 2 workers and 8 kills: each judge is charged once, and every run is completed', async () => {
  const { owner, key } = await makeCaller(10_000_000, AGENT)
  workers = [startWorkerProcess(), startWorkerProcess()]
  await Promise.all(workers.map(({ ready }) => ready))
  const jobs = await Promise.all(
    Array.from({ length: JOBS }, async (_, i) => {
      const fields = { goal: scriptedGoal({ text: 'Hello.' }), checks, idempotencyKey: `judged ${i}` }
      const { body } = await untilServed(() => startAgentRun(key.key, fields))
      return String(body.jobId)
    }),
  )
  for (let kills = 0; kills < KILLS; kills++) {
    await sleep(300 + Math.random() * 500)
    const victim = workers.shift()
    workers.push(startWorkerProcess())
    await victim?.kill('SIGKILL')
  }
  let charged = 0
  for (const id of jobs) {
    const done = await untilStatus(key.key, id, 'completed', 'failed')
    expect(done).toMatchObject({ status: 'completed', result: 'Hello.' })
    const tested = done.checks as { verdict: string; creditsCharged: number; requestId: string | null }[]
    expect(tested.map(({ verdict }) => verdict)).toEqual(checks.map(() => 'passed'))
    const steps = await readSteps(key.key, id)
    expect(steps).toHaveLength(1)
    const paid = [...steps, ...tested].filter(({ requestId }) => requestId !== null)
    const sum = paid.reduce((total, { creditsCharged }) => total + creditsCharged, 0)
    expect(done.creditsSpent).toBe(sum)
    charged += sum
    const receipts = await mainPool().query('SELECT id FROM receipt WHERE limit_id = $1 AND charged > 0', [id])
    expect(receipts.rows.map((row) => row.id).sort()).toEqual(paid.map(({ requestId }) => requestId).sort())
  }
  expect(await chargedTo(owner)).toBe(charged)
  expect(await getBalance(owner.id)).toEqual({ available: 10_000_000 - charged, held: 0 })
  expect(await findLedgerDifferences()).toEqual([])
})
