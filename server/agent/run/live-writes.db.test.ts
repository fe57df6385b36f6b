import { expect, test } from 'vitest'
import { makeJob } from '../../../tests/support/job'
import { makeCaller } from '../../../tests/support/owners'
import { prisma } from '../../db'
import { uuidv7 } from '../../kit/id'
import { keepWatched } from '../jobs/keep-watched'
import { oldLiveSteps } from '../jobs/old-live-steps'
import { readLiveSteps } from '../jobs/read-live'
import { type LiveWrite, readWatched, removeLive, writeLive } from './live-writes'

async function makeRun() {
  const { owner, key } = await makeCaller(1_000, { agent: true })
  const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'running' })
  const { runId, fencingToken } = await prisma().job.update({ where: { id: jobId }, data: { fencingToken: 3 } })
  const write = (given: Partial<LiveWrite> = {}): LiveWrite => ({
    ...{ job: jobId, run: runId, fencingToken, index: 0, attempt: uuidv7(), kind: 'model', name: 'm', input: null },
    ...{ note: null, startedAt: new Date(), texts: [{ part: 0, kind: 'text', text: 'a\u0000' }], ...given },
  })
  const read = async (have: Parameters<typeof readLiveSteps>[0]['have'] = null) =>
    (await readLiveSteps({ ownerId: owner.id, jobId, have })).map(({ index, attemptId, texts }) => ({
      index,
      attemptId,
      text: texts.map(({ text }) => text).join(''),
    }))
  return { owner, jobId, write, read }
}

test('what is new is read after a position; another attempt replaces the first', async () => {
  const { write, read } = await makeRun()
  const one = write()
  await writeLive([one])
  await writeLive([
    {
      ...one,
      texts: [
        { part: 0, kind: 'text', text: 'again' },
        { part: 1, kind: 'text', text: 'b' },
      ],
    },
  ])
  expect(await read()).toMatchObject([{ text: 'ab' }])
  expect(await read({ attemptId: one.attempt, part: 0 })).toMatchObject([{ text: 'b' }])
  const two = write()
  await writeLive([two])
  expect(await read({ attemptId: one.attempt, part: 1 })).toMatchObject([{ attemptId: two.attempt }])
  await removeLive([one.attempt, two.attempt])
  expect(await read()).toEqual([])
  expect(await prisma().liveText.count({ where: { attemptId: { in: [one.attempt, two.attempt] } } })).toBe(0)
})

test('a worker without the claim writes nothing, and what one left is not read', async () => {
  const { jobId, write, read } = await makeRun()
  await writeLive([write({ fencingToken: 2 }), write({ run: uuidv7(), index: 1 })])
  expect(await prisma().liveStep.count({ where: { jobId } })).toBe(0)
  await writeLive([write({ index: 2 })])
  await prisma().job.update({ where: { id: jobId }, data: { fencingToken: 4 } })
  expect(await read()).toEqual([])
})

test('another owner reads nothing', async () => {
  const { owner, jobId, write, read } = await makeRun()
  await writeLive([write()])
  expect(await read()).toHaveLength(1)
  expect(await readLiveSteps({ ownerId: owner.id + 1, jobId, have: null })).toEqual([])
})

test('a job is watched for a while after its watcher was seen', async () => {
  const { jobId } = await makeRun()
  expect(await readWatched([jobId])).toEqual(new Set())
  await keepWatched(jobId)
  expect(await readWatched([jobId])).toEqual(new Set([jobId]))
  await prisma().watchedJob.update({ where: { jobId }, data: { until: new Date(Date.now() - 1) } })
  expect(await readWatched([jobId])).toEqual(new Set())
})

test('what a killed worker left is deleted after a day', async () => {
  const { jobId, write } = await makeRun()
  const [old, fresh] = [write(), write({ index: 1 })]
  await writeLive([old, fresh])
  const task = oldLiveSteps()
  const before = await task.count()
  const longAgo = new Date(Date.now() - 25 * 3_600_000)
  await prisma().liveStep.update({ where: { jobId_index: { jobId, index: 0 } }, data: { startedAt: longAgo } })
  await prisma().liveText.updateMany({ where: { attemptId: old.attempt }, data: { writtenAt: longAgo } })
  expect((await task.count()) - before).toBe(2)
  expect((await task.step()).deleted).toBeGreaterThanOrEqual(2)
  expect(await prisma().liveStep.findMany({ where: { jobId }, select: { index: true } })).toEqual([{ index: 1 }])
})
