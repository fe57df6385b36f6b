import { beforeAll, describe, expect, test } from 'vitest'
import { makeDelivery, makeJob } from '../../../tests/support/job'
import { makeCaller } from '../../../tests/support/owners'
import { pollUntil } from '../../../tests/support/poll-until'
import { answerWith, withReceiver } from '../../../tests/support/webhook-receiver'
import { prisma } from '../../db'
import { env } from '../../env'
import { deliverForOwner } from './deliver'

const receiver = withReceiver()
const another = withReceiver()

beforeAll(() => Object.assign(env(), { WEBHOOK_TIMEOUT_S: 60, WEBHOOK_RETRIES_S: [] }))

/** Deliveries of a new owner that are due, one to each URL. */
async function due(...urls: string[]): Promise<number> {
  const { owner, key } = await makeCaller()
  const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'completed' })
  for (const url of urls) {
    const id = await makeDelivery(owner.id, jobId)
    const row = { url, host: new URL(url).host, status: 'pending', attempts: 0, roundAttempts: 0 }
    await prisma().webhookDelivery.update({ where: { id }, data: row })
  }
  return owner.id
}

const never = new AbortController().signal
const deliveredOf = (ownerId: number) => prisma().webhookDelivery.count({ where: { ownerId, status: 'delivered' } })

/** Turns until all are delivered: a turn may be over before that. */
const deliverAll = (ownerId: number, count: number) =>
  pollUntil('every delivery', async () => {
    await deliverForOwner(ownerId, never)
    return (await deliveredOf(ownerId)) === count
  })

/** A path that answers only when it is released, and how many of its requests were open at most. */
function held(path: string) {
  const open: (() => void)[] = []
  const peak = { count: 0 }
  receiver.play(path, (res) => {
    open.push(() => void res.writeHead(200).end())
    peak.count = Math.max(peak.count, open.length)
  })
  const release = () => {
    receiver.play(path, answerWith(200))
    for (const end of open.splice(0)) end()
  }
  return { url: receiver.url(path), open, peak, release }
}

describe('a turn of an owner', () => {
  test('sends a few at a time to one host, and meanwhile to another host of the owner', async () => {
    const slow = held('/slow')
    const ownerId = await due(...Array.from({ length: 8 }, () => slow.url), another.url('/fast'))
    const turn = deliverForOwner(ownerId, never)
    await pollUntil('the other host', () => another.received('/fast').length === 1)
    await pollUntil('the first requests', () => slow.open.length === 3)
    expect(await deliveredOf(ownerId)).toBeLessThanOrEqual(1)
    slow.release()
    await turn
    await deliverAll(ownerId, 9)
    expect(slow.peak.count).toBe(3)
  })

  test('ends when the worker stops: what is in progress is finished, and nothing begins', async () => {
    const slow = held('/stopped')
    const ownerId = await due(...Array.from({ length: 5 }, () => slow.url))
    const stopping = new AbortController()
    const turn = deliverForOwner(ownerId, stopping.signal)
    await pollUntil('the first requests', () => slow.open.length === 3)
    stopping.abort()
    slow.release()
    await turn
    expect(await deliveredOf(ownerId)).toBe(3)
  })
})

test('many owners together send few at a time to one host', async () => {
  const slow = held('/shared')
  const owners = await Promise.all(Array.from({ length: 4 }, () => due(slow.url, slow.url, slow.url)))
  const turns = owners.map((ownerId) => deliverForOwner(ownerId, never))
  await pollUntil('the first requests', () => slow.open.length === 8)
  slow.release()
  await Promise.all(turns)
  for (const ownerId of owners) await deliverAll(ownerId, 3)
  expect(slow.peak.count).toBe(8)
})
