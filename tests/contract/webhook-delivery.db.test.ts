import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, it } from 'vitest'
import { claimDelivery, recordAttempt } from '../../server/agent/webhooks/claim'
import { getSigningSecret, rotateSigningSecret } from '../../server/agent/webhooks/secret'
import { mainPool, prisma } from '../../server/db'
import { env } from '../../server/env'
import { pollJob, scriptedGoal, sendCancel, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeDelivery, makeJob } from '../support/job'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { answerWith, type Received, readDeliveries, untilDelivery, withReceiver } from '../support/webhook-receiver'
import { withWorker } from '../support/worker'

withSandbox()
const receiver = withReceiver()
/** The address guard does not allow this one. */
const inner = withReceiver({ allowed: false })
withWorker()

beforeAll(() => Object.assign(env(), { WEBHOOK_RETRIES_S: [0.1, 0.1], WEBHOOK_TIMEOUT_S: 1 }))

const AGENT = { agent: true }
const goal = scriptedGoal({ text: 'Done.' })

/** A finished run of a new owner, whose end a path of the receiver gets. */
async function finishedRun(path: string) {
  const { owner, key } = await makeCaller(10_000, AGENT)
  const { body } = await startAgentRun(key.key, { goal, callbackUrl: receiver.url(path) })
  await untilStatus(key.key, body.jobId, 'completed')
  return { owner, key: key.key, jobId: body.jobId, runId: body.runId }
}

const verify = (secret: string, { body, headers }: Received) => new Webhook(secret).verify(body, headers)

/** A delivery that is due, of a job of a new owner, to any URL. */
async function dueAt(url: string) {
  const { owner, key } = await makeCaller(1_000, AGENT)
  const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'completed' })
  const id = await makeDelivery(owner.id, jobId)
  const row = { url, host: new URL(url).host, status: 'pending', attempts: 0, roundAttempts: 0 }
  await prisma().webhookDelivery.update({ where: { id }, data: row })
  return { owner, key: key.key, jobId, id }
}

describe('a receiver that answers 200', () => {
  it('gets the value of a run with a schema', async () => {
    receiver.play('/value', answerWith(200))
    const { key } = await makeCaller(10_000, AGENT)
    const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const fields = { goal: scriptedGoal({ text: '{"n": 7}' }), outputSchema, callbackUrl: receiver.url('/value') }
    const { body } = await startAgentRun(key.key, fields)
    await untilDelivery(key.key, body.jobId, 'delivered')
    expect(JSON.parse(receiver.received('/value')[0]?.body ?? '')).toMatchObject({ data: { output: { n: 7 } } })
  })

  it('gets the end of a run once, signed, and the log says so', async () => {
    receiver.play('/ok', answerWith(200, {}, 'thanks'))
    const { owner, key, jobId, runId } = await finishedRun('/ok')
    const view = await untilDelivery(key, jobId, 'delivered')
    const [got, ...more] = receiver.received('/ok')
    expect(more).toEqual([])
    expect(verify((await getSigningSecret(owner.id)).secret, got as Received)).toEqual({
      type: 'agent.completed',
      timestamp: view.createdAt,
      data: {
        jobId,
        runId,
        conversationId: jobId,
        metadata: {},
        scheduleId: null,
        status: 'completed',
        result: 'Done.',
        creditsSpent: (await pollJob(key, jobId)).body.creditsSpent,
        poll: `/api/v1/agent/${jobId}`,
      },
    })
    expect(got?.headers).toMatchObject({ 'webhook-id': view.deliveryId, 'content-type': 'application/json' })
    expect(view).toMatchObject({
      event: 'completed',
      runId,
      url: receiver.url('/ok'),
      attempts: 1,
      answerStatus: 200,
      answerBody: 'thanks',
      error: null,
      nextAttemptAt: null,
    })
    expect(view.deliveredAt).not.toBeNull()
    // A delivery costs nothing: what was charged is what the run had spent.
    expect(await chargedTo(owner)).toBe((await pollJob(key, jobId)).body.creditsSpent)
  })

  it('gets a plan and a failure, but no cancellation', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const asking = scriptedGoal({ toolCalls: [{ name: 'present_plan', arguments: { plan: 'Go.' } }] })
    const asked = await startAgentRun(key.key, {
      goal: asking,
      mode: 'interactive',
      callbackUrl: receiver.url('/asked'),
    })
    await untilDelivery(key.key, asked.body.jobId, 'delivered')
    expect(JSON.parse(String(receiver.received('/asked')[0]?.body))).toMatchObject({
      type: 'agent.awaiting_input',
      data: {
        result: null,
        awaitingInput: { kind: 'plan', toolCallId: 'call_1', plan: expect.stringMatching(/^Go\.\n/) },
      },
    })
    await sendCancel(key.key, asked.body.jobId)
    const broken = scriptedGoal({ status: 400, message: 'No.' })
    const failed = await startAgentRun(key.key, { goal: broken, callbackUrl: receiver.url('/failed') })
    await untilDelivery(key.key, failed.body.jobId, 'delivered')
    expect(JSON.parse(String(receiver.received('/failed')[0]?.body))).toMatchObject({ type: 'agent.failed' })
    expect(await readDeliveries(key.key, asked.body.jobId)).toHaveLength(1)
  })
})

describe('a receiver that fails', () => {
  it('with 500 and then answers 200 gets the same message with the same id again', async () => {
    receiver.play('/later', (res, attempt) => void res.writeHead(attempt === 1 ? 500 : 200).end())
    const { owner, key, jobId } = await finishedRun('/later')
    expect(await untilDelivery(key, jobId, 'delivered')).toMatchObject({ attempts: 2, answerStatus: 200, error: null })
    const [first, second] = receiver.received('/later') as [Received, Received]
    expect(second.body).toBe(first.body)
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    verify((await getSigningSecret(owner.id)).secret, second)
  })

  it('with 500 each time is given up after the last attempt', async () => {
    receiver.play('/broken', answerWith(500, {}, 'out of order'))
    const { key, jobId } = await finishedRun('/broken')
    expect(await untilDelivery(key, jobId, 'failed')).toMatchObject({
      attempts: 3,
      answerStatus: 500,
      answerBody: 'out of order',
      error: 'The receiver answered 500.',
      deliveredAt: null,
      nextAttemptAt: null,
    })
  })

  it('with 410 is asked no more', async () => {
    receiver.play('/gone', answerWith(410))
    const { key, jobId } = await finishedRun('/gone')
    expect(await untilDelivery(key, jobId, 'failed')).toMatchObject({ attempts: 1, answerStatus: 410 })
  })

  it('and says Retry-After is not asked before then', async () => {
    receiver.play('/busy', answerWith(503, { 'retry-after': '3000' }))
    const { key, jobId } = await finishedRun('/busy')
    const waiting = await pollUntil('an answer', async () => {
      const [view] = await readDeliveries(key, jobId)
      return view?.answerStatus === 503 ? view : null
    })
    expect(waiting).toMatchObject({ status: 'pending', attempts: 1 })
    expect(Date.parse(String(waiting.nextAttemptAt)) - Date.parse(String(waiting.attemptedAt))).toBeGreaterThan(
      2_900_000,
    )
  })
})

describe('a receiver that misbehaves', () => {
  it('by never answering delays neither its owner’s runs nor another owner’s deliveries', async () => {
    const heldUp: (() => void)[] = []
    receiver.play('/hang', (res) => void heldUp.push(() => res.destroy()))
    Object.assign(env(), { WEBHOOK_TIMEOUT_S: 60 })
    try {
      const slow = await finishedRun('/hang')
      await pollUntil('a delivery in progress', () => receiver.received('/hang').length > 0)
      const { body } = await startAgentRun(slow.key, { goal })
      await untilStatus(slow.key, body.jobId, 'completed')
      const other = await finishedRun('/quick')
      await untilDelivery(other.key, other.jobId, 'delivered')
      expect(await readDeliveries(slow.key, slow.jobId)).toMatchObject([
        { status: 'pending', attempts: 1, nextAttemptAt: null },
      ])
      receiver.play('/hang', answerWith(200))
      for (const end of heldUp) end()
      expect(await untilDelivery(slow.key, slow.jobId, 'delivered')).toMatchObject({ attempts: 2 })
    } finally {
      Object.assign(env(), { WEBHOOK_TIMEOUT_S: 1 })
    }
  })

  it('by never answering has failed when its time is over', async () => {
    receiver.play('/silent', () => {})
    const { key, jobId } = await finishedRun('/silent')
    const { error, answerStatus } = await untilDelivery(key, jobId, 'failed')
    expect({ error, answerStatus }).toEqual({
      error: `127.0.0.1:${receiver.port()} did not answer in time.`,
      answerStatus: null,
    })
  })

  it('by redirecting to a private address leads nowhere', async () => {
    receiver.play('/away', answerWith(307, { location: inner.url('/metadata') }))
    const { key, jobId } = await finishedRun('/away')
    expect(await untilDelivery(key, jobId, 'failed')).toMatchObject({
      answerStatus: 307,
      error: 'The receiver answered 307. Redirects are not followed.',
    })
    expect(inner.received('/metadata')).toEqual([])
  })

  it('by an endless answer has the message all the same, and its answer is cut', async () => {
    receiver.play('/huge', (res) => {
      res.writeHead(200)
      const more = () => {
        while (res.write('x'.repeat(100_000)));
      }
      res.on('drain', more).on('error', () => {})
      more()
    })
    const { key, jobId } = await finishedRun('/huge')
    const { answerBody, attempts } = await untilDelivery(key, jobId, 'delivered')
    expect({ length: answerBody?.length, attempts }).toEqual({ length: 1_000, attempts: 1 })
  })

  it('by a name that leads to a private address since the start is not reached', async () => {
    const { key, jobId } = await dueAt(`http://localhost:${inner.port()}/inside`)
    const { error, answerStatus } = await untilDelivery(key, jobId, 'failed')
    expect({ error, answerStatus }).toEqual({
      error: `localhost:${inner.port()} is not on the public internet.`,
      answerStatus: null,
    })
    expect(inner.received('/inside')).toEqual([])
  })
})

describe('a worker that dies while it sends', () => {
  it('leaves the delivery to another one, and what it says too late does not count', async () => {
    const { owner, key, jobId, id } = await dueAt('http://127.0.0.1:9/held')
    // Until it is claimed here, as by a worker that is killed right after, and not by the other.
    const claimed = await pollUntil('the claim', async () => {
      await mainPool().query(
        `UPDATE webhook_delivery SET status = 'pending', due_at = now(), claimed_until = NULL WHERE id = $1`,
        [id],
      )
      return claimDelivery(owner.id, [], 1_000)
    })
    expect((await readDeliveries(key, jobId))[0]).toMatchObject({ status: 'pending', nextAttemptAt: null })
    expect(await claimDelivery(owner.id, [], 1_000)).toBeNull()
    // Its time passes.
    const moved = [id, receiver.url('/held'), `127.0.0.1:${receiver.port()}`]
    await mainPool().query(
      `UPDATE webhook_delivery SET due_at = now(), claimed_until = now(), url = $2, host = $3 WHERE id = $1`,
      moved,
    )
    const view = await untilDelivery(key, jobId, 'delivered')
    expect(view.attempts).toBe(claimed.attempts + 1)
    expect(receiver.received('/held')).toHaveLength(1)
    const late = { status: 'failed', retryInS: 0, answerStatus: 500, answerBody: null, error: 'late' } as const
    await recordAttempt(claimed, late)
    expect((await readDeliveries(key, jobId))[0]).toMatchObject({ status: 'delivered', error: null })
  })
})

describe('the signing secret', () => {
  it('is its owner’s alone, and after a rotation both sign for the overlap', async () => {
    const [mine, other] = [await finishedRun('/first'), await makeCaller()]
    const before = (await getSigningSecret(mine.owner.id)).secret
    expect(before).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect((await getSigningSecret(other.owner.id)).secret).not.toBe(before)
    await untilDelivery(mine.key, mine.jobId, 'delivered')
    const { secret: after, previousUntil } = await rotateSigningSecret(mine.owner.id, 24)
    expect(after).not.toBe(before)
    expect(Date.parse(String(previousUntil))).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    await expect(rotateSigningSecret(mine.owner.id, 24)).rejects.toMatchObject({ code: 'conflict' })
    const next = async (path: string) => {
      const { body } = await startAgentRun(mine.key, { goal, callbackUrl: receiver.url(path) })
      await untilDelivery(mine.key, body.jobId, 'delivered')
      return receiver.received(path)[0] as Received
    }
    const both = await next('/both')
    expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const secret of [before, after]) expect(verify(secret, both)).toMatchObject({ type: 'agent.completed' })
    const last = (await rotateSigningSecret(mine.owner.id, 0)).secret
    const one = await next('/one')
    expect(verify(last, one)).toMatchObject({ type: 'agent.completed' })
    for (const secret of [before, after]) expect(() => verify(secret, one)).toThrow()
  })
})
