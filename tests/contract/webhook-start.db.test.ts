import { beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { env } from '../../server/env'
import { scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const AGENT = { agent: true }
const goal = scriptedGoal({ text: 'Done.' })

const callbacksOf = async (jobId: unknown) => {
  const turns = await prisma().turn.findMany({ where: { jobId: String(jobId) }, orderBy: { number: 'asc' } })
  return turns.map(({ callbackUrl }) => callbackUrl)
}

describe('callbackUrl', () => {
  it('is kept with the turn, and each turn names its own', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    // The discard port, where nothing listens.
    Object.assign(env(), { ALLOW_PRIVATE_HOSTS: [...env().ALLOW_PRIVATE_HOSTS, '127.0.0.1:9'] })
    const callbackUrl = 'http://127.0.0.1:9/hook?token=a#part'
    const { status, body } = await startAgentRun(key.key, { goal, callbackUrl })
    expect(status).toBe(202)
    await untilStatus(key.key, body.jobId, 'completed')
    await startAgentRun(key.key, { goal, conversationId: body.jobId })
    await untilStatus(key.key, body.jobId, 'completed')
    await startAgentRun(key.key, { goal, conversationId: body.jobId, callbackUrl: 'http://127.0.0.1:9/other' })
    await untilStatus(key.key, body.jobId, 'completed')
    expect(await callbacksOf(body.jobId)).toEqual(['http://127.0.0.1:9/hook?token=a', null, 'http://127.0.0.1:9/other'])
    const deliveries = await prisma().webhookDelivery.findMany({ where: { jobId: String(body.jobId) } })
    expect(deliveries.map(({ url, event }) => [url, event]).sort()).toEqual([
      ['http://127.0.0.1:9/hook?token=a', 'completed'],
      ['http://127.0.0.1:9/other', 'completed'],
    ])
  })

  it('changes nothing of a run that a repeated idempotencyKey returns', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const first = await startAgentRun(key.key, { goal, idempotencyKey: 'once' })
    await untilStatus(key.key, first.body.jobId, 'completed')
    const before = await chargedTo(owner)
    const again = await startAgentRun(key.key, {
      goal,
      idempotencyKey: 'once',
      callbackUrl: 'https://example.com/hook',
    })
    expect(again).toMatchObject({ status: 202, body: { jobId: first.body.jobId } })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await callbacksOf(first.body.jobId)).toEqual([null])
    expect(await chargedTo(owner)).toBe(before)
  })
})

describe('400', () => {
  // As a service that others reach: a simulation may call its own machine.
  beforeAll(() => Object.assign(env(), { HOST: '0.0.0.0' }))

  it.each([
    ['no text', 5, /string/],
    ['an empty text', '', /callbackUrl/],
    ['a text without a protocol', 'hook', /must be an http or https URL/],
    ['another protocol', 'ftp://example.com/', /Only http and https/],
    ['credentials', 'https://user:secret@example.com/', /user name or password/],
    ['a URL of more than 2,000 characters', `https://example.com/${'x'.repeat(2_000)}`, /2000/],
    ['a loopback address', 'http://127.0.0.1/', /not on the public internet/],
    ['a loopback address in another form', 'http://2130706433/', /not on the public internet/],
    ['the metadata address of a cloud', 'http://169.254.169.254/latest', /not on the public internet/],
    ['a private IPv6 address', 'https://[fd00::1]/', /not on the public internet/],
    ['a name that leads to a private address', 'http://localhost:8080/', /not on the public internet/],
  ])('for %s: nothing is started or charged', async (_what, callbackUrl, text) => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const { status, body } = await startAgentRun(key.key, { goal, callbackUrl })
    expect({ status, body }).toMatchObject({ status: 400, body: { error: expect.stringMatching(text) } })
    expect(await prisma().job.count({ where: { ownerId: owner.id } })).toBe(0)
    expect(await chargedTo(owner)).toBe(0)
  })
})
