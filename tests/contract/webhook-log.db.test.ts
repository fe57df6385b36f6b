import { beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { env } from '../../server/env'
import { uuidv7 } from '../../server/kit/id'
import { scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, send, withSandbox } from '../support/api'
import { makeDelivery, makeJob } from '../support/job'
import { makeCaller, makeKey } from '../support/owners'
import { answerWith, readDeliveries, untilDelivery, withReceiver } from '../support/webhook-receiver'
import { withWorker } from '../support/worker'

withSandbox()
const receiver = withReceiver()
withWorker()

beforeAll(() => Object.assign(env(), { WEBHOOK_RETRIES_S: [] }))

const AGENT = { agent: true }

/** A job with one delivery that has failed. */
async function withFailed() {
  const { owner, key } = await makeCaller(1_000, AGENT)
  const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'completed' })
  return { owner, key: key.key, jobId, id: await makeDelivery(owner.id, jobId) }
}

const sendAgain = (key: string, jobId: string, id: string) =>
  send(`/api/v1/agent/${jobId}/deliveries/${id}/send`, { key, method: 'POST' })

describe('GET /agent/{jobId}/deliveries', () => {
  it('200: lists newest first, in pages', async () => {
    const { owner, key, jobId, id } = await withFailed()
    const later = await makeDelivery(owner.id, jobId)
    await prisma().webhookDelivery.update({ where: { id }, data: { createdAt: new Date(Date.now() - 5_000) } })
    const first = await send(`/api/v1/agent/${jobId}/deliveries?limit=1`, { key })
    expect(first).toMatchObject({ status: 200, body: { deliveries: [{ deliveryId: later, status: 'failed' }] } })
    const cursor = String(first.body.nextCursor)
    const second = await send(`/api/v1/agent/${jobId}/deliveries?limit=1&cursor=${cursor}`, { key })
    expect(second.body).toMatchObject({ deliveries: [{ deliveryId: id }], nextCursor: null })
    expect(await chargedTo(owner)).toBe(0)
  })

  it('200: is empty for a job without a callback URL', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ text: 'Done.' }) })
    await untilStatus(key.key, body.jobId, 'completed')
    expect(await readDeliveries(key.key, body.jobId)).toEqual([])
  })

  it('400: a cursor of something else, and a limit out of bounds', async () => {
    const { key, jobId } = await withFailed()
    for (const query of ['cursor=x', 'limit=0', 'limit=101'])
      expect(await send(`/api/v1/agent/${jobId}/deliveries?${query}`, { key })).toMatchObject({ status: 400 })
  })

  it('401, 403: without a key, and with one that may not run agents', async () => {
    const { owner, jobId } = await withFailed()
    expect(await send(`/api/v1/agent/${jobId}/deliveries`)).toMatchObject({ status: 401 })
    const { key } = await makeKey(owner, { agent: false })
    expect(await send(`/api/v1/agent/${jobId}/deliveries`, { key })).toMatchObject({ status: 403 })
  })

  it('404: another owner’s job', async () => {
    const [mine, other] = [await withFailed(), await withFailed()]
    expect(await send(`/api/v1/agent/${other.jobId}/deliveries`, { key: mine.key })).toMatchObject({ status: 404 })
  })
})

describe('POST /agent/{jobId}/deliveries/{deliveryId}/send', () => {
  it('200: sends a delivery that has failed again, and one that was delivered', async () => {
    receiver.play('/again', (res, attempt) => void res.writeHead(attempt === 1 ? 500 : 200).end())
    const { owner, key } = await makeCaller(10_000, AGENT)
    const goal = scriptedGoal({ text: 'Done.' })
    const { body } = await startAgentRun(key.key, { goal, callbackUrl: receiver.url('/again') })
    const { deliveryId } = await untilDelivery(key.key, body.jobId, 'failed')
    const charged = await chargedTo(owner)
    for (const attempts of [2, 3]) {
      const again = await sendAgain(key.key, String(body.jobId), deliveryId)
      expect(again).toMatchObject({ status: 200, body: { deliveryId, status: 'pending' } })
      expect(await untilDelivery(key.key, body.jobId, 'delivered')).toMatchObject({ attempts, deliveryId })
    }
    expect(new Set(receiver.received('/again').map((each) => each.headers['webhook-id']))).toEqual(
      new Set([deliveryId]),
    )
    expect(await chargedTo(owner)).toBe(charged)
  })

  it('401, 403: without a key, and with one whose grants do not cover the run', async () => {
    const { owner, jobId, id } = await withFailed()
    expect(await send(`/api/v1/agent/${jobId}/deliveries/${id}/send`, { method: 'POST' })).toMatchObject({
      status: 401,
    })
    const narrow = await makeKey(owner, { agent: true, capabilities: ['web'] })
    expect(await sendAgain(narrow.key, jobId, id)).toMatchObject({ status: 403 })
    const none = await makeKey(owner, { agent: false })
    expect(await sendAgain(none.key, jobId, id)).toMatchObject({ status: 403 })
  })

  it('404: another owner’s delivery, another job’s, and none', async () => {
    const [mine, other] = [await withFailed(), await withFailed()]
    const missing = [
      [other.jobId, other.id],
      [mine.jobId, other.id],
      [mine.jobId, uuidv7()],
      [mine.jobId, 'none'],
    ] as const
    for (const [jobId, id] of missing) expect(await sendAgain(mine.key, jobId, id)).toMatchObject({ status: 404 })
    const row = await prisma().webhookDelivery.findUniqueOrThrow({ where: { id: other.id } })
    expect(row).toMatchObject({ status: 'failed', attempts: 8 })
  })

  it('409: while it is being sent', async () => {
    let end = () => {}
    receiver.play('/now', (res) => {
      end = () => void res.writeHead(200).end()
    })
    const { key } = await makeCaller(10_000, AGENT)
    const goal = scriptedGoal({ text: 'Done.' })
    Object.assign(env(), { WEBHOOK_TIMEOUT_S: 60 })
    const { body } = await startAgentRun(key.key, { goal, callbackUrl: receiver.url('/now') })
    await expect.poll(() => receiver.received('/now').length, { timeout: 60_000 }).toBe(1)
    const [view] = await readDeliveries(key.key, body.jobId)
    expect(await sendAgain(key.key, String(body.jobId), String(view?.deliveryId))).toMatchObject({ status: 409 })
    end()
    expect(await untilDelivery(key.key, body.jobId, 'delivered')).toMatchObject({ attempts: 1 })
    receiver.play('/now', answerWith(200))
  })
})
