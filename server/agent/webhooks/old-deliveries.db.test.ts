import { expect, test } from 'vitest'
import { makeDelivery, makeJob } from '../../../tests/support/job'
import { makeCaller } from '../../../tests/support/owners'
import { runRetentionTask } from '../../../tests/support/retention-task'
import { mainPool, prisma } from '../../db'
import { uuidv7 } from '../../kit/id'
import { oldDeliveries } from './old-deliveries'

test('the log of deliveries is deleted after some days, but none that is pending', async () => {
  const { owner, key } = await makeCaller()
  const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'completed' })
  const made = async (status: string, days: number) => {
    const id = await makeDelivery(owner.id, jobId)
    await mainPool().query(
      'UPDATE webhook_delivery SET status = $2, created_at = now() - make_interval(days => $3) WHERE id = $1',
      [id, status, days],
    )
    return id
  }
  for (const status of ['delivered', 'failed']) await made(status, 91)
  const kept = [await made('delivered', 89), await made('failed', 89), await made('pending', 91)]
  expect(await oldDeliveries('runs', 90)?.count()).toBe(2)
  expect(await runRetentionTask(oldDeliveries('runs', 90))).toMatchObject({ deleted: 2 })
  const left = await prisma().webhookDelivery.findMany({ where: { ownerId: owner.id } })
  expect(left.map(({ id }) => id).sort()).toEqual(kept.sort())
  expect(oldDeliveries('runs', 0)).toBeNull()
})

test('so is that of tasks', async () => {
  const { owner } = await makeCaller()
  const made = async (status: string, days: number) => {
    const row = {
      ownerId: owner.id,
      url: 'https://example.com',
      host: 'example.com',
      event: 'completed',
      data: {},
      status,
    }
    const createdAt = new Date(Date.now() - days * 86_400_000)
    return (await prisma().taskDelivery.create({ data: { ...row, id: uuidv7(), createdAt } })).id
  }
  await made('delivered', 91)
  const kept = [await made('failed', 89), await made('pending', 91)]
  expect(await runRetentionTask(oldDeliveries('tasks', 90))).toMatchObject({ deleted: 1 })
  const left = await prisma().taskDelivery.findMany({ where: { ownerId: owner.id } })
  expect(left.map(({ id }) => id).sort()).toEqual(kept.sort())
})
