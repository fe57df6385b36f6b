import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { getBalance } from '../../server/credits/balance'
import { holderId } from '../../server/credits/holder'
import { reserveCredits } from '../../server/credits/reserve'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { uuidv7 } from '../../server/kit/id'
import { pollJob, readSteps, scriptedGoal, sendCancel, startAgentRun } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { withRestartableDatabase } from '../support/restartable-database'
import { withWorkerProcesses } from '../support/worker-processes'

const server = withRestartableDatabase()
withSandbox()
const startWorker = withWorkerProcesses()

const AGENT = { agent: true, rpm: 100_000 }
/** Duration of the cancelled turn's call. */
const CALL_MS = 3_000
const heldBy = async (ownerId: number) => (await getBalance(ownerId)).held

/** Polls until a run has ended, for much longer than takeovers take. */
const endOf = (key: string, jobId: unknown) =>
  pollUntil('the end of the run', async () => {
    const { status, body } = await pollJob(key, jobId)
    return status === 200 && body.status !== 'running' ? body : null
  })

it('a cancelled turn whose call ends while the database is unavailable is charged, and the next turn starts', async () => {
  const { owner, key } = await makeCaller(100_000, AGENT)
  await startWorker()
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ delayMs: CALL_MS, text: 'Too late.' }) })
  await pollUntil('a call in progress', async () => (await heldBy(owner.id)) > 0)
  expect((await sendCancel(key.key, body.jobId)).status).toBe(200)
  const turn = await startAgentRun(key.key, { goal: scriptedGoal({ text: 'Anew.' }), conversationId: body.jobId })
  expect(turn.status).toBe(202)
  await server.stop('orderly')
  // The call ends in this time, and its worker finds no database.
  await sleep(CALL_MS + 1_000)
  await server.start()
  expect(await endOf(key.key, body.jobId)).toMatchObject({ status: 'completed', result: 'Anew.' })
  const steps = await readSteps(key.key, body.jobId)
  expect(steps.map(({ kind, output }) => [kind, output?.text])).toEqual([
    ['model', 'Too late.'],
    ['model', 'Anew.'],
  ])
  expect(await chargedTo(owner)).toBe(steps.reduce((sum, step) => sum + step.creditsCharged, 0))
  expect(await heldBy(owner.id)).toBe(0)
  expect(await findLedgerDifferences()).toEqual([])
})

it('an abandoned hold of a cancelled turn is voided after the longest call time, even if its process lives', async () => {
  const { owner, key } = await makeCaller(100_000, AGENT)
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ text: 'Never started.' }) })
  const { jobId, runId } = body as { jobId: string; runId: string }
  expect((await sendCancel(key.key, jobId)).status).toBe(200)
  const id = uuidv7()
  const taken = { id, ownerId: owner.id, keyId: key.id, jobId, maxCredits: 50n }
  await reserveCredits({ ...taken, channel: 'agent', product: 'agent', what: 'test' })
  await mainPool().query(`UPDATE holder SET lease_until = now() + interval '1 hour' WHERE id = $1`, [holderId()])
  await mainPool().query('UPDATE job SET fencing_token = 1, claimed_run_id = $2 WHERE id = $1', [jobId, runId])
  const ageHold = (age: string) =>
    mainPool().query(`UPDATE hold SET created_at = now() - $2::interval WHERE id = $1`, [id, age])
  await ageHold('4 minutes')
  await startAgentRun(key.key, { goal: scriptedGoal({ text: 'Anew.' }), conversationId: jobId })
  await startWorker()
  const messages = () =>
    mainPool().query(`SELECT 1 FROM pgboss.job WHERE singleton_key = $1 AND state = 'completed'`, [jobId])
  // The first run's message, and two more that found the call in progress.
  await pollUntil('two looks', async () => Number((await messages()).rowCount) >= 3)
  expect((await pollJob(key.key, jobId)).body.status).toBe('running')
  await ageHold('6 minutes')
  expect(await endOf(key.key, jobId)).toMatchObject({ status: 'completed', result: 'Anew.' })
  expect(await heldBy(owner.id)).toBe(0)
  expect(await findLedgerDifferences()).toEqual([])
})
