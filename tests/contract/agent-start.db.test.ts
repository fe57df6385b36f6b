import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { prisma } from '../../server/db'
import { env } from '../../server/env'
import { pollJob, readSteps, scriptedGoal, sendAnswer, sendCancel, startAgentRun, untilStatus } from '../support/agent'
import { send, withSandbox } from '../support/api'
import { expectUntouched } from '../support/ledger'
import { makeCaller, makeKey, makeOwner } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const AGENT = { agent: true }
const slow = scriptedGoal({ delayMs: 3_000, text: 'Done.' })
const jobsOf = (ownerId: number) => prisma().job.count({ where: { ownerId } })

describe('202', () => {
  it('returns the same run for the same idempotency key, whatever else is sent, and starts nothing', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const idempotencyKey = randomUUID()
    const first = await startAgentRun(key.key, { idempotencyKey })
    const other = await makeKey(owner, AGENT)
    for (const body of [{}, { goal: 'Something else.', mode: 'interactive' }, { conversationId: randomUUID() }]) {
      const again = await startAgentRun(other.key, { ...body, idempotencyKey })
      expect(again.status).toBe(202)
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again.body).toEqual(first.body)
    }
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(await jobsOf(owner.id)).toBe(1)
    const stranger = await makeCaller(10_000, AGENT)
    expect((await startAgentRun(stranger.key.key, { idempotencyKey })).body.jobId).not.toBe(first.body.jobId)
    await untilStatus(key.key, first.body.jobId, 'completed')
  })

  it('starts one run for 50 concurrent requests with one idempotency key, also as another turn', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const idempotencyKey = randomUUID()
    const answers = await Promise.all(Array.from({ length: 50 }, () => startAgentRun(key.key, { idempotencyKey })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(answers.map(({ body }) => body.runId)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    const jobId = answers[0]?.body.jobId
    await untilStatus(key.key, jobId, 'completed')
    const turn = { conversationId: jobId, idempotencyKey: randomUUID() }
    const turns = await Promise.all(Array.from({ length: 50 }, () => startAgentRun(key.key, turn)))
    expect(new Set(turns.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(turns.map(({ body }) => body.runId)).size).toBe(1)
    await untilStatus(key.key, jobId, 'completed')
    expect(await prisma().turn.count({ where: { ownerId: owner.id } })).toBe(2)
  })

  it('is 200 with wait, with the result or with what the run asks', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const done = await startAgentRun(key.key, { goal: scriptedGoal({ text: 'Done.' }), wait: true })
    expect(done.status).toBe(200)
    expect(done.body).toMatchObject({ status: 'completed', result: 'Done.', runBudgetScope: 'conversation' })
    expect(done.body.poll).toBe(`/api/v1/agent/${done.body.jobId}`)
    expect(done.body).not.toHaveProperty('service')
    const asking = await startAgentRun(key.key, { mode: 'interactive', wait: true })
    expect(asking.status).toBe(200)
    expect(asking.body).toMatchObject({ status: 'awaiting_input', awaitingInput: { kind: 'plan' }, result: null })
  })

  it('remains 202 with wait when the run takes longer than the configured maximum', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const before = env().AGENT_WAIT_MAX_S
    Object.assign(env(), { AGENT_WAIT_MAX_S: 0.3 })
    const answered = await startAgentRun(key.key, { goal: slow, wait: true }).finally(() =>
      Object.assign(env(), { AGENT_WAIT_MAX_S: before }),
    )
    expect(answered.status).toBe(202)
    expect(answered.body).not.toHaveProperty('status')
    expect(await untilStatus(key.key, answered.body.jobId, 'completed', 'failed')).toMatchObject({ result: 'Done.' })
  })

  it('continues the run when a waiting client disconnects', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const leaving = new AbortController()
    const body = { goal: slow, idempotencyKey: randomUUID(), wait: true }
    const asked = send('/api/v1/agent', { key: key.key, body, signal: leaving.signal }).catch(() => null)
    const job = await vi.waitFor(() => prisma().job.findFirstOrThrow({ where: { ownerId: owner.id } }), 60_000)
    leaving.abort()
    expect(await asked).toBeNull()
    expect(await untilStatus(key.key, job.id, 'completed', 'failed')).toMatchObject({ result: 'Done.' })
  })

  it('makes the title from the first line of the goal, at most 80 characters', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    await startAgentRun(key.key, { goal: `  ${'word '.repeat(40)}\nsecond line` })
    const { body } = await send('/api/v1/agent/jobs', { key: key.key })
    const [{ title }] = body.jobs as [{ title: string }]
    expect(title.length).toBeLessThanOrEqual(80)
    expect(title).toMatch(/^word word .*…$/)
  })
})

describe('400', () => {
  const bad: [string, object][] = [
    ['no goal', { goal: undefined }],
    ['an empty goal', { goal: '' }],
    ['a blank goal', { goal: ' \n\t ' }],
    ['a huge goal', { goal: 'x'.repeat(100_001) }],
    ['a goal with NUL', { goal: 'a\0b' }],
    ['a goal that is not text', { goal: 5 }],
    ['no idempotencyKey', { idempotencyKey: undefined }],
    ['an empty idempotencyKey', { idempotencyKey: '' }],
    ['a long idempotencyKey', { idempotencyKey: 'x'.repeat(256) }],
    ['an unknown mode', { mode: 'careful' }],
    ['wait as text', { wait: 'true' }],
    ['historyTurnLimit 0', { historyTurnLimit: 0 }],
    ['historyTurnLimit -1', { historyTurnLimit: -1 }],
    ['historyTurnLimit 1.5', { historyTurnLimit: 1.5 }],
    ['historyTurnLimit as text', { historyTurnLimit: '2' }],
    ['an unknown model', { model: 'no/such' }],
    ['an image engine', { model: 'brushworks/umber-1' }],
    ['an unknown capability', { capabilities: ['teleport'] }],
    ['no capability at all', { capabilities: [] }],
    ['an unknown field', { budget: 5 }],
  ]
  it.each(bad)('%s: nothing is started, nothing is charged', async (_what, body) => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const answered = await startAgentRun(key.key, body)
    expect(answered.status).toBe(400)
    expect(['invalid_request', 'unknown_model']).toContain(answered.body.code)
    expect(answered.body).not.toHaveProperty('service')
    expect(await jobsOf(owner.id)).toBe(0)
    await expectUntouched(owner, 10_000)
  })

  it('comes before 403: a key without the scope gets the errors of the body first', async () => {
    const { key } = await makeCaller(10_000)
    expect((await startAgentRun(key.key, { goal: '' })).status).toBe(400)
    expect((await startAgentRun(key.key, { model: 'no/such' })).status).toBe(400)
    expect((await startAgentRun(key.key)).status).toBe(403)
  })
})

describe('401, 405, 413, 415', () => {
  it('are as for every endpoint', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    expect((await send('/api/v1/agent', { body: { goal: 'x', idempotencyKey: 'y' } })).status).toBe(401)
    const wrong = await send('/api/v1/agent', { key: key.key, method: 'GET' })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
    const raw = { key: key.key, method: 'POST' }
    expect((await send('/api/v1/agent', { ...raw, raw: 'x', headers: { 'content-type': 'text/plain' } })).status).toBe(
      415,
    )
    const large = JSON.stringify({ goal: 'x'.repeat(20 * 1024 * 1024 + 1), idempotencyKey: 'y' })
    const json = { 'content-type': 'application/json' }
    expect((await send('/api/v1/agent', { ...raw, raw: large, headers: json })).status).toBe(413)
  })
})

describe('402', () => {
  it('is for fewer than 100 free credits, by balance or by key budget: nothing is started', async () => {
    const poor = await makeCaller(99, AGENT)
    const byBalance = await startAgentRun(poor.key.key)
    expect(byBalance).toMatchObject({ status: 402, body: { code: 'insufficient_credits', limitSource: 'balance' } })
    const bounded = await makeCaller(10_000, { ...AGENT, budget: 99 })
    const byBudget = await startAgentRun(bounded.key.key)
    expect(byBudget).toMatchObject({ status: 402, body: { limitSource: 'key_budget' } })
    for (const { owner } of [poor, bounded]) expect(await jobsOf(owner.id)).toBe(0)
    await expectUntouched(poor.owner, 99)
  })
})

describe('403', () => {
  it('is for a key that lacks the scope, the model or the capability', async () => {
    const owner = await makeOwner(10_000)
    const plain = await makeKey(owner)
    const narrow = await makeKey(owner, {
      ...AGENT,
      allowedModels: ['northwind/gale-4-mini'],
      capabilities: ['web', 'crypto'],
    })
    expect((await startAgentRun(plain.key)).status).toBe(403)
    for (const path of ['/api/v1/agent/jobs', `/api/v1/agent/${randomUUID()}`])
      expect((await send(path, { key: plain.key })).status).toBe(403)
    expect((await startAgentRun(narrow.key, { model: 'northwind/gale-4' })).status).toBe(403)
    // The owner's default is another one.
    expect((await startAgentRun(narrow.key)).status).toBe(403)
    const model = 'northwind/gale-4-mini'
    expect((await startAgentRun(narrow.key, { model, capabilities: ['web', 'media'] })).status).toBe(403)
    expect(await jobsOf(owner.id)).toBe(0)
    const fine = await startAgentRun(narrow.key, { model, capabilities: ['web'] })
    expect(fine).toMatchObject({ status: 202, body: { capabilities: ['web'], model } })
    expect((await startAgentRun(narrow.key, { model })).body.capabilities).toEqual(['web', 'crypto'])
  })
})

describe('404', () => {
  it('is for another owner’s conversation, on every path', async () => {
    const mine = await makeCaller(10_000, AGENT)
    const theirs = await makeCaller(10_000, AGENT)
    const { body } = await startAgentRun(theirs.key.key, { goal: scriptedGoal({ text: 'Done.' }) })
    await untilStatus(theirs.key.key, body.jobId, 'completed')
    for (const id of [body.jobId, randomUUID(), 'nonsense', '%00']) {
      const key = mine.key.key
      const answers = await Promise.all([
        pollJob(key, id),
        send(`/api/v1/agent/${id}/steps`, { key }),
        send(`/api/v1/agent/${id}/events`, { key }),
        sendAnswer(key, id, { approved: true }),
        sendCancel(key, id),
        ...(id === '%00' ? [] : [startAgentRun(key, { conversationId: id })]),
      ])
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    }
    expect(await jobsOf(mine.owner.id)).toBe(0)
    expect(await readSteps(theirs.key.key, body.jobId)).toHaveLength(1)
  })
})

describe('409', () => {
  it('is for another turn while a run of the conversation is live', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const { body } = await startAgentRun(key.key, { goal: slow })
    const turn = await startAgentRun(key.key, { conversationId: body.jobId })
    expect(turn).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await untilStatus(key.key, body.jobId, 'completed')
    const asking = await startAgentRun(key.key, {
      goal: scriptedGoal({ toolCalls: [{ name: 'present_plan', arguments: { plan: 'Go.' } }] }),
      conversationId: body.jobId,
      mode: 'interactive',
    })
    expect(asking.status).toBe(202)
    await untilStatus(key.key, body.jobId, 'awaiting_input')
    expect((await startAgentRun(key.key, { conversationId: body.jobId })).status).toBe(409)
    await sendCancel(key.key, body.jobId)
    expect((await startAgentRun(key.key, { conversationId: body.jobId })).status).toBe(202)
  })
})
