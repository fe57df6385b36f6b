import { expect, it } from 'vitest'
import { findLedgerDifferences } from '../../server/credits/verify'
import { prisma } from '../../server/db'
import { readSteps, scriptedGoal, sendCancel, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { takeHold } from '../support/hold'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { voidHoldById } from '../support/settle'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const over = ['completed', 'failed', 'cancelled'] as const

it('six runs under one budget that pays for them all end with their answers, whatever each step holds', async () => {
  const { owner, key } = await makeCaller(10_000, { agent: true, budget: 700 })
  const started = await Promise.all(
    Array.from({ length: 6 }, () => startAgentRun(key.key, { goal: scriptedGoal({ text: 'All of it.' }) })),
  )
  expect(started.map(({ status }) => status)).toEqual(Array(6).fill(202))
  const runs = await Promise.all(started.map(({ body }) => untilStatus(key.key, body.jobId, ...over)))
  expect(runs.map(({ status, result }) => [status, result])).toEqual(Array(6).fill(['completed', 'All of it.']))
  const spent = runs.reduce((sum, { creditsSpent }) => sum + Number(creditsSpent), 0)
  expect(await chargedTo(owner)).toBe(spent)
  expect(await findLedgerDifferences()).toEqual([])
})

it('a run waits as long as others hold the credits, then goes on; one that is cancelled does not', async () => {
  const { owner, key } = await makeCaller(400, { agent: true })
  const others = await takeHold(owner, 390)
  const [going, cancelled] = await Promise.all([
    startAgentRun(key.key, { goal: scriptedGoal({ text: 'Went on.' }) }),
    startAgentRun(key.key, { goal: scriptedGoal({ text: 'Never.' }) }),
  ])
  const turn = () => prisma().turn.findFirst({ where: { jobId: String(going?.body.jobId) } })
  // Longer than a call would wait.
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  expect((await turn())?.status).toBe('running')
  await sendCancel(key.key, cancelled?.body.jobId)
  await voidHoldById(others)
  expect(await untilStatus(key.key, going?.body.jobId, ...over)).toMatchObject({
    status: 'completed',
    result: 'Went on.',
  })
  expect(await untilStatus(key.key, cancelled?.body.jobId, ...over)).toMatchObject({
    status: 'cancelled',
    creditsSpent: 0,
  })
  await pollUntil(
    'the end of all holds',
    async () => (await prisma().hold.count({ where: { ownerId: owner.id } })) === 0,
  )
})

it('a step holds about what it costs, and more as its reply gets longer', async () => {
  const { owner, key } = await makeCaller(100_000, { agent: true, agentRunBudgetCredits: 50_000 })
  const text = 'A long answer, word for word. '.repeat(600)
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ text, chunks: 400 }) })
  const done = await untilStatus(key.key, body.jobId, ...over)
  expect(String(done.result).trim() === text.trim()).toBe(true)
  const [step] = await readSteps(key.key, body.jobId)
  const receipt = await prisma().receipt.findFirstOrThrow({ where: { ownerId: owner.id } })
  expect(Number(receipt.charged)).toBe(step?.creditsCharged)
  expect(receipt.held).toBeGreaterThanOrEqual(receipt.charged)
  // Of at most 8,192 output tokens it wrote half; those of the first hold were 1,024.
  expect(Number(receipt.held)).toBeLessThan(Number(receipt.charged) * 1.6)
})
