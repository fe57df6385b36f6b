import { afterAll, describe, expect, test } from 'vitest'
import { takeHold } from '../../../tests/support/hold'
import { makeJob } from '../../../tests/support/job'
import { readOwnerMoney } from '../../../tests/support/ledger'
import { makeCaller } from '../../../tests/support/owners'
import { voidHoldById } from '../../../tests/support/settle'
import { findLedgerDifferences } from '../../credits/verify'
import { mainPool } from '../../db'
import { closeQueue } from '../queue/connection'
import { type Claim, writeCommit } from './commit-batch'
import type { StepDraft } from './step-draft'
import { CONTINUE, completedWith, type Transition } from './transition'

afterAll(closeQueue)

/** A running job of a new owner with 1,000 credits, in the hands of this process. */
async function claimed() {
  const { owner, key } = await makeCaller(1_000)
  const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'running' })
  const { rows } = await mainPool().query(
    'UPDATE job SET fencing_token = 7, attempts = 3 WHERE id = $1 RETURNING run_id',
    [jobId],
  )
  const claim: Claim = { jobId, runId: String(rows[0].run_id), ownerId: owner.id, fencingToken: 7 }
  const take = (most: number) => takeHold(owner, most, { keyId: key.id, jobId, channel: 'agent', product: 'agent' })
  return { owner, claim, take }
}

type Given = { index?: number; hold?: string; held?: number; actual?: number; extend?: boolean }

const step = ({ index = 0, hold: id, held = 30, actual = 12, extend = false }: Given, ownerId = 0): StepDraft => ({
  index,
  kind: 'tool',
  name: 'web_search',
  input: { query: 'tolls' },
  startedAt: new Date(),
  settlement: id ? { id, ownerId, held: BigInt(held), actual: BigInt(actual), extend, status: 'ok' } : null,
  outcome: (settled) =>
    settled?.limit ? { error: { code: 'insufficient_credits', message: 'Ran out.' } } : { output: { rows: [1] } },
})

const commit = (claim: Claim, draft: StepDraft | null, transition: Transition = CONTINUE) =>
  writeCommit({ claim, step: draft, transition })

const stepsOf = async ({ jobId }: Claim) =>
  (
    await mainPool().query(
      'SELECT index, fencing_token, charged::int, output, error FROM step WHERE job_id = $1 ORDER BY index',
      [jobId],
    )
  ).rows

const jobOf = async ({ jobId }: Claim) =>
  (
    await mainPool().query(
      'SELECT status, fencing_token, attempts, stalls, reached_by, result FROM job WHERE id = $1',
      [jobId],
    )
  ).rows[0]

describe('a commit', () => {
  test('writes the step, its charge and what follows', async () => {
    const { owner, claim, take } = await claimed()
    await mainPool().query('UPDATE job SET stalls = 1 WHERE id = $1', [claim.jobId])
    const row = await commit(claim, step({ hold: await take(30) }), CONTINUE)
    expect(row).toMatchObject({ going: 'on', variant: 'settled', outcome: 'done', charged: '12', reached: null })
    expect(await stepsOf(claim)).toEqual([
      { index: 0, fencing_token: 7, charged: 12, output: { rows: [1] }, error: null },
    ])
    expect(await jobOf(claim)).toMatchObject({ status: 'running', attempts: 1, stalls: 0 })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 988, held: 0, charged: 12, receipts: 1 })
  })

  test('that is repeated returns the first outcome, and charges and writes nothing more', async () => {
    const { owner, claim, take } = await claimed()
    const draft = step({ hold: await take(30) })
    const end = completedWith('Done.')
    expect(await commit(claim, draft, end)).toMatchObject({ going: 'over', outcome: 'done', charged: '12' })
    expect(await commit(claim, draft, end)).toMatchObject({ going: 'over', outcome: 'again', charged: '12' })
    expect(await stepsOf(claim)).toHaveLength(1)
    expect(await jobOf(claim)).toMatchObject({ status: 'completed', result: 'Done.' })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 988, held: 0, charged: 12, receipts: 1 })
  })

  test('of a run that was cancelled keeps and charges the step, and leaves the status', async () => {
    const { owner, claim, take } = await claimed()
    await mainPool().query('SELECT agent_cancel($1, $2, NULL)', [claim.jobId, claim.runId])
    expect(await commit(claim, step({ hold: await take(30) }))).toMatchObject({ going: 'over', charged: '12' })
    expect(await stepsOf(claim)).toHaveLength(1)
    expect(await jobOf(claim)).toMatchObject({ status: 'cancelled', result: null })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 12, held: 0 })
  })

  test('under a stale fencing token writes nothing and voids its hold', async () => {
    const { owner, claim, take } = await claimed()
    const stale = { ...claim, fencingToken: 6 }
    expect(await commit(stale, step({ hold: await take(30) }), completedWith('Mine.'))).toMatchObject({
      going: 'fenced',
      charged: '0',
    })
    expect(await stepsOf(claim)).toEqual([])
    expect(await jobOf(claim)).toMatchObject({ status: 'running', attempts: 3 })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, held: 0, charged: 0 })
  })

  test('of a call whose credits ran out has the error, and the run the limit', async () => {
    const { owner, claim, take } = await claimed()
    const draft = step({ hold: await take(30), actual: 5_000, extend: true })
    expect(await commit(claim, draft)).toMatchObject({ going: 'on', variant: 'limited', reached: 'balance' })
    expect(await stepsOf(claim)).toMatchObject([
      { charged: 1_000, output: null, error: { code: 'insufficient_credits' } },
    ])
    expect(await jobOf(claim)).toMatchObject({ reached_by: 'balance' })
    // The limit is the first one, also when it is asked again.
    expect(await commit(claim, draft)).toMatchObject({ variant: 'limited', outcome: 'again', reached: 'balance' })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 0, held: 0, charged: 1_000 })
  })

  test('of a call whose hold was void before keeps the result, free', async () => {
    const { owner, claim, take } = await claimed()
    const id = await take(30)
    await voidHoldById(id)
    await mainPool().query(`UPDATE receipt SET status = 'expired' WHERE id = $1`, [id])
    await mainPool().query('SELECT receipt_seal_again($1)', [id])
    expect(await commit(claim, step({ hold: id }))).toMatchObject({ going: 'on', variant: 'expired', charged: '0' })
    expect(await stepsOf(claim)).toMatchObject([{ charged: 0, output: { rows: [1] } }])
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, charged: 0 })
  })

  test('that releases the run sends it to the workers once, however often it is repeated', async () => {
    const { claim } = await claimed()
    expect(await commit(claim, null, { kind: 'release' })).toMatchObject({ going: 'over' })
    expect(await commit(claim, null, { kind: 'release' })).toMatchObject({ going: 'fenced' })
    const { rows } = await mainPool().query('SELECT data, state FROM pgboss.job WHERE singleton_key = $1', [
      claim.jobId,
    ])
    expect(rows).toEqual([{ data: { jobId: claim.jobId, runId: claim.runId }, state: 'created' }])
    expect(await jobOf(claim)).toMatchObject({ status: 'running', fencing_token: 8, attempts: 0 })
  })
})

test('commits that go together share nothing but the statement: each has its own outcome', async () => {
  const [one, bad, two, three] = [await claimed(), await claimed(), await claimed(), await claimed()]
  const ids = [await one.take(30), await bad.take(30), await two.take(30), await three.take(30)]
  const poison = { ...step({ index: 2, hold: ids[1] }), kind: 'nonsense' as 'tool' }
  const outcomes = await Promise.allSettled([
    commit(one.claim, step({ index: 1, hold: ids[0] })),
    commit(bad.claim, poison),
    commit({ ...two.claim, fencingToken: 1 }, step({ hold: ids[2] })),
    commit(three.claim, step({ hold: ids[3] }), completedWith('Done.')),
  ])
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: { going: 'on', charged: '12' } },
    { status: 'rejected', reason: { code: '23514' } },
    { status: 'fulfilled', value: { going: 'fenced', charged: '0' } },
    { status: 'fulfilled', value: { going: 'over', charged: '12' } },
  ])
  expect(await stepsOf(one.claim)).toMatchObject([{ index: 1, charged: 12 }])
  expect(await readOwnerMoney(one.owner)).toMatchObject({ available: 988, held: 0, charged: 12 })
  expect(await stepsOf(bad.claim)).toEqual([])
  expect(await readOwnerMoney(bad.owner)).toMatchObject({ available: 970, held: 30, charged: 0 })
  expect(await readOwnerMoney(three.owner)).toMatchObject({ available: 988, held: 0, charged: 12 })
  expect(await jobOf(three.claim)).toMatchObject({ status: 'completed' })
})

test('the ledger agrees with all of this', async () => {
  expect(await findLedgerDifferences()).toEqual([])
})
