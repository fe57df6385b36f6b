import { describe, expect, test } from 'vitest'
import { makeJob } from '../../../tests/support/job'
import { makeCaller } from '../../../tests/support/owners'
import { mainPool, prisma } from '../../db'
import { cancelJob } from '../jobs/cancel'
import { writeCommit } from '../run/commit-batch'
import { completedWith, type Transition } from '../run/transition'

/** A running job whose latest turn has a callback URL, and how its run changes. */
async function running(callbackUrl: string | null = 'https://example.com/hook') {
  const { owner, key } = await makeCaller(1_000)
  const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'running' })
  await mainPool().query('UPDATE job SET fencing_token = 7 WHERE id = $1', [jobId])
  const { runId } = await prisma().turn.update({
    where: { jobId_number: { jobId, number: 1 } },
    data: { callbackUrl },
  })
  const claim = { jobId, runId, ownerId: owner.id, fencingToken: 7 }
  const change = (transition: Transition, fencingToken = 7) =>
    writeCommit({ claim: { ...claim, fencingToken }, step: null, transition })
  const deliveries = () => prisma().webhookDelivery.findMany({ where: { jobId }, orderBy: { createdAt: 'asc' } })
  return { owner, jobId, runId, change, deliveries }
}

const pause: Transition = {
  kind: 'pause',
  awaiting: { kind: 'question', toolCallId: 'call_1', index: 1, tool: 'ask_user', question: 'Which way?' },
}

describe('a delivery is written with the change it reports:', () => {
  test('the end of a run', async () => {
    const { jobId, runId, owner, change, deliveries } = await running()
    await change(completedWith('Done.'))
    expect(await deliveries()).toMatchObject([
      {
        jobId,
        runId,
        ownerId: owner.id,
        url: 'https://example.com/hook',
        host: 'example.com',
        event: 'completed',
        awaiting: null,
        spent: 0n,
        status: 'pending',
        attempts: 0,
      },
    ])
  })

  test('a question, each time', async () => {
    const { jobId, change, deliveries } = await running()
    await change(pause)
    await mainPool().query(`UPDATE job SET status = 'running', awaiting = NULL WHERE id = $1`, [jobId])
    await change(pause)
    await mainPool().query(`UPDATE job SET status = 'running', awaiting = NULL WHERE id = $1`, [jobId])
    await change({ kind: 'end', status: 'failed', result: 'No model.' })
    const asked = { event: 'awaiting_input', awaiting: { kind: 'question', question: 'Which way?' } }
    expect(await deliveries()).toMatchObject([asked, asked, { event: 'failed', awaiting: null }])
  })
})

describe('no delivery is written', () => {
  test('without a callback URL', async () => {
    const { change, deliveries } = await running(null)
    await change(completedWith('Done.'))
    expect(await deliveries()).toEqual([])
  })

  test('by a process that has lost the claim', async () => {
    const { change, deliveries } = await running()
    await change(completedWith('Done.'), 6)
    expect(await deliveries()).toEqual([])
  })

  test('by a change that is undone', async () => {
    const { jobId, deliveries } = await running()
    const client = await mainPool().connect()
    await client.query('BEGIN')
    await client.query(`UPDATE job SET status = 'completed' WHERE id = $1`, [jobId])
    await client.query('ROLLBACK')
    client.release()
    expect(await deliveries()).toEqual([])
  })

  test('when a person cancels the run', async () => {
    const { owner, jobId, deliveries } = await running()
    await cancelJob({ ownerId: owner.id, keyId: null, grants: null }, jobId)
    expect(await deliveries()).toEqual([])
  })
})
