import { expect, it } from 'vitest'
import { makeSessionCookie } from '../../server/accounts/session'
import { createBudget, getBudget } from '../../server/credits/budgets/change'
import { inTransaction, prisma } from '../../server/db'
import { uuidv7 } from '../../server/kit/id'
import { scriptedGoal, sendAnswer, sendCancel, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, send, type TestResponse, withSandbox } from '../support/api'
import { makeDelivery, makeJob } from '../support/job'
import { joinSomebody, makeKey, makeOwner, type TestOwner } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

async function cookieOf({ id }: TestOwner): Promise<string> {
  const { name, value } = await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } }))
  return `${name}=${value}`
}

type TrpcBody = { result?: { data: Record<string, unknown> }; error?: { data: Record<string, unknown> } }
const dataOf = ({ body }: TestResponse) => (body as TrpcBody).result?.data

it('an owner sees what callback URLs were sent, and sends it again', async () => {
  const owner = await makeOwner(10_000)
  const cookie = await cookieOf(owner)
  const key = await makeKey(owner, { agent: true })
  const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'completed' })
  const deliveryId = await makeDelivery(owner.id, jobId)
  const list = async () => {
    const input = encodeURIComponent(JSON.stringify({ jobId }))
    return dataOf(await send(`/api/trpc/jobs.deliveries?input=${input}`, { headers: { cookie } }))
  }
  expect(await list()).toMatchObject({ deliveries: [{ deliveryId, status: 'failed', attempts: 8 }], nextCursor: null })
  const body = { jobId, deliveryId }
  const again = await send('/api/trpc/jobs.sendDelivery', { headers: { cookie }, body })
  expect(dataOf(again)).toMatchObject({ deliveryId, status: 'pending' })
  const stranger = await cookieOf(await makeOwner())
  expect(await send('/api/trpc/jobs.sendDelivery', { headers: { cookie: stranger }, body })).toMatchObject({
    status: 404,
  })
})

it('a member starts a run under a key, answers it without one, continues and cancels, by their own name', async () => {
  const owner = await makeOwner(10_000)
  const person = await joinSomebody(owner.id)
  const { email } = await prisma().owner.findUniqueOrThrow({ where: { id: person } })
  const cookie = await cookieOf({ id: person, email })
  const budget = await inTransaction((tx) =>
    createBudget(tx, owner.id, { name: 'his', credits: 5_000, window: 'month', scope: { members: [person] } }),
  )
  const key = await makeKey(owner, { agent: true, name: 'runner' })
  const byMember = { origin: 'dashboard', startedBy: email }
  await makeKey(owner, { name: 'no runs' })
  const act = (path: string, body: object) => send(`/api/trpc/jobs.${path}`, { headers: { cookie }, body })
  const read = async (path: string, input: object = {}) =>
    dataOf(
      await send(`/api/trpc/jobs.${path}?input=${encodeURIComponent(JSON.stringify(input))}`, { headers: { cookie } }),
    )

  expect(await read('runKey')).toEqual({ id: key.id, name: 'runner' })
  const plan = { toolCalls: [{ name: 'present_plan', arguments: { plan: 'Go.' } }] }
  const goal = scriptedGoal({ turns: [plan, { text: 'Gone.' }] })
  const started = dataOf(await act('start', { goal, idempotencyKey: uuidv7(), keyId: key.id, mode: 'interactive' }))
  const jobId = String(started?.jobId)
  await untilStatus(key.key, jobId, 'awaiting_input')
  expect(await read('list', { status: 'awaiting_input' })).toMatchObject({ jobs: [{ jobId }], nextCursor: null })
  expect(dataOf(await act('answer', { jobId, approved: true, toolCallId: 'call_1' }))).toMatchObject({
    status: 'running',
  })
  const late = await act('answer', { jobId, approved: true, toolCallId: 'call_1' })
  expect([late.status, (late.body as TrpcBody).error?.data.appCode]).toEqual([409, 'conflict'])
  expect(await untilStatus(key.key, jobId, 'completed', 'failed')).toMatchObject({ result: 'Gone.' })
  // What he starts counts under his budget, whoever made the key.
  const { spent } = await getBudget(owner.id, budget.id)
  expect(spent).toBeGreaterThan(0)
  expect(spent).toBe(await chargedTo(owner))
  const ran = { tool: 'web_search', params: { query: 'tolls' } }
  expect((await send('/api/trpc/tools.run', { headers: { cookie }, body: ran })).status).toBe(200)
  expect((await getBudget(owner.id, budget.id)).spent).toBe(await chargedTo(owner))

  const more = {
    goal: scriptedGoal({ delayMs: 5_000 }),
    idempotencyKey: uuidv7(),
    keyId: key.id,
    conversationId: jobId,
  }
  expect(dataOf(await act('start', more))).toMatchObject({ jobId })
  expect(dataOf(await act('cancel', { jobId }))).toMatchObject({ status: 'cancelled' })
  expect(await read('get', { jobId })).toMatchObject({
    job: { status: 'cancelled' },
    turns: [
      { number: 1, status: 'completed', keyName: 'runner', cancelled: null, ...byMember },
      { number: 2, status: 'cancelled', cancelled: { by: email, keyId: null }, ...byMember },
    ],
    answers: [
      {
        index: 1,
        approved: true,
        feedback: null,
        keyId: null,
        answeredBy: email,
        answeredAt: expect.any(String),
      },
    ],
  })
})

it('a run that a key started, answered and cancelled names the key, also when it is renamed', async () => {
  const owner = await makeOwner(10_000)
  const cookie = await cookieOf(owner)
  const key = await makeKey(owner, { agent: true, name: 'ci' })
  const ask = { toolCalls: [{ name: 'ask_user', arguments: { question: 'Which?' } }] }
  const goal = scriptedGoal({ turns: [ask, { text: 'Done.', delayMs: 5_000 }] })
  const { body } = await startAgentRun(key.key, { goal, mode: 'interactive' })
  await untilStatus(key.key, body.jobId, 'awaiting_input')
  await sendAnswer(key.key, body.jobId, { approved: true, feedback: 'This one.' })
  expect((await sendCancel(key.key, body.jobId)).status).toBe(200)
  await prisma().key.update({ where: { id: key.id }, data: { name: 'renamed' } })
  const input = encodeURIComponent(JSON.stringify({ jobId: body.jobId }))
  expect(dataOf(await send(`/api/trpc/jobs.get?input=${input}`, { headers: { cookie } }))).toMatchObject({
    turns: [{ origin: 'api', startedBy: 'ci', keyName: 'renamed', cancelled: { by: 'ci', keyId: key.id } }],
    answers: [{ feedback: 'This one.', keyId: key.id, answeredBy: 'ci' }],
  })
})
