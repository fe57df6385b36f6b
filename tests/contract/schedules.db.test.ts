import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { scriptedGoal, sendCancel, untilStatus } from '../support/agent'
import { send, withSandbox } from '../support/api'
import { expectUntouched } from '../support/ledger'
import { makeCaller, makeKey } from '../support/owners'
import { makeDue, makeSchedule, makeScheduleId, readScheduleRuns, SCHEDULES } from '../support/schedules'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const AGENT = { agent: true }
const post = (key: string, id: string, verb: string) => send(`${SCHEDULES}/${id}/${verb}`, { key, method: 'POST' })
const change = (key: string, id: string, body: object) => send(`${SCHEDULES}/${id}`, { key, method: 'PATCH', body })
const read = (key: string, id: string) => send(`${SCHEDULES}/${id}`, { key })
const schedulesOf = (ownerId: number) => prisma().schedule.count({ where: { ownerId } })

describe('201', () => {
  it('has the schedule with its next five times, and charges nothing', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const goal = 'Read the news.\nBriefly.'
    const made = await makeSchedule(key.key, { cron: ' 0 9  * * 1-5', timeZone: 'America/New_York', goal })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      name: 'Read the news.',
      cron: '0 9 * * 1-5',
      timeZone: 'America/New_York',
      goal,
      mode: 'autonomous',
      model: null,
      capabilities: null,
      keyId: key.id,
      keyName: 'test',
      status: 'active',
      paused: null,
      failures: 0,
      lastRun: null,
    })
    const times = made.body.nextRuns as string[]
    expect(times).toHaveLength(5)
    expect(times).toEqual([...times].sort())
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', timeStyle: 'short' })
    for (const at of times) expect(format.format(new Date(at))).toBe('09:00')
    expect(made.body).not.toHaveProperty('service')
    await expectUntouched(owner, 10_000)
  })
})

describe('what is attached', () => {
  it('is kept once, given to each run, and replaced by a change', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const data = (text: string) => `data:text/plain;base64,${Buffer.from(text).toString('base64')}`
    const made = await makeSchedule(key.key, { attachments: [{ name: 'rules.txt', data: data('Be brief.') }] })
    expect(made.body.attachments).toMatchObject([{ name: 'rules.txt', contentType: 'text/plain', bytes: 9 }])
    const id = String(made.body.scheduleId)
    const started = await post(key.key, id, 'run')
    expect(started.status).toBe(202)
    const turn = await prisma().turn.findFirstOrThrow({ where: { ownerId: owner.id } })
    expect(turn.attachments).toMatchObject([{ name: 'rules.txt', text: 'Be brief.' }])
    await untilStatus(key.key, started.body.jobId, 'completed', 'failed')
    expect((await change(key.key, id, { name: 'Other' })).body.attachments).toHaveLength(1)
    expect((await change(key.key, id, { attachments: null })).body.attachments).toEqual([])
    expect(await prisma().file.count({ where: { ownerId: owner.id } })).toBe(1)
    expect(await makeSchedule(key.key, { attachments: [{ fileId: '0'.repeat(32) }] })).toMatchObject({ status: 400 })
  })
})

describe('200', () => {
  it('lists, newest first, in pages, what every key of the owner made', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const other = await makeKey(owner, AGENT)
    const ids: string[] = []
    for (const maker of [key, other, key]) ids.push(await makeScheduleId(maker.key))
    const first = await send(`${SCHEDULES}?limit=2`, { key: key.key })
    const second = await send(`${SCHEDULES}?limit=2&cursor=${first.body.nextCursor}`, { key: key.key })
    const listed = [first, second].flatMap(({ body }) => body.schedules as { scheduleId: string }[])
    expect(listed.map(({ scheduleId }) => scheduleId)).toEqual(ids.reverse())
    expect(second.body.nextCursor).toBeNull()
  })

  it('changes what is sent, and keeps the rest; null returns to the defaults', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const id = await makeScheduleId(key.key, { model: 'northwind/gale-4-mini', capabilities: ['web'], name: 'First' })
    const timed = await change(key.key, id, { cron: '30 8 1 1 *', timeZone: 'Asia/Tokyo' })
    expect(timed).toMatchObject({ status: 200, body: { name: 'First', model: 'northwind/gale-4-mini' } })
    expect((timed.body.nextRuns as string[])[0]).toMatch(/-12-31T23:30:00\.000Z$/)
    const extras = { callbackUrl: 'https://example.com/hook', outputSchema: { type: 'object' } }
    expect((await change(key.key, id, extras)).body).toMatchObject({ ...extras, capabilities: ['web'] })
    const none = { model: null, capabilities: null, callbackUrl: null, outputSchema: null }
    const reset = await change(key.key, id, { ...none, mode: 'interactive' })
    for (const field of Object.keys(extras)) expect(reset.body).not.toHaveProperty(field)
    expect(reset.body).toMatchObject({ model: null, capabilities: null, mode: 'interactive', timeZone: 'Asia/Tokyo' })
    expect((await read(key.key, id)).body).toEqual(reset.body)
  })

  it('pauses and resumes, any number of times', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const id = await makeScheduleId(key.key)
    const paused = { status: 'paused', paused: { by: 'owner', reason: null }, nextRuns: [] }
    for (let i = 0; i < 2; i++) expect(await post(key.key, id, 'pause')).toMatchObject({ status: 200, body: paused })
    // A paused one stays paused when its times change.
    expect((await change(key.key, id, { cron: '0 8 1 1 *' })).body).toMatchObject(paused)
    for (let i = 0; i < 2; i++) {
      const resumed = await post(key.key, id, 'resume')
      expect(resumed).toMatchObject({ status: 200, body: { status: 'active', paused: null } })
      expect(resumed.body.nextRuns).toHaveLength(5)
    }
  })

  it('runs under the key that changed or resumed it last', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const id = await makeScheduleId(key.key)
    const narrow = await makeKey(owner, { ...AGENT, capabilities: ['web'], name: 'narrow' })
    expect((await change(narrow.key, id, { name: 'Mine' })).body).toMatchObject({ keyId: narrow.id, keyName: 'narrow' })
    expect((await post(key.key, id, 'resume')).body).toMatchObject({ keyId: key.id })
  })

  it('deletes the schedule and keeps its jobs', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const id = await makeScheduleId(key.key)
    const { body } = await post(key.key, id, 'run')
    await untilStatus(key.key, body.jobId, 'completed')
    expect(await send(`${SCHEDULES}/${id}`, { key: key.key, method: 'DELETE' })).toMatchObject({
      status: 200,
      body: { scheduleId: id },
    })
    expect((await read(key.key, id)).status).toBe(404)
    expect((await send(`/api/v1/agent/${body.jobId}`, { key: key.key })).status).toBe(200)
  })
})

describe('202', () => {
  it('starts a run now, under the calling key, also of a paused schedule, whose times stay', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const other = await makeKey(owner, { ...AGENT, agentRunBudgetCredits: 700 })
    const id = await makeScheduleId(key.key)
    await post(key.key, id, 'pause')
    const started = await post(other.key, id, 'run')
    expect(started).toMatchObject({ status: 202, body: { runBudgetCredits: 700, mode: 'autonomous' } })
    await untilStatus(key.key, started.body.jobId, 'completed')
    const [run] = await readScheduleRuns(key.key, id)
    expect(run).toMatchObject({ manual: true, jobId: started.body.jobId, creditsSpent: expect.any(Number) })
    expect((await read(key.key, id)).body).toMatchObject({ status: 'paused', keyId: key.id, lastRun: { manual: true } })
  })
})

describe('400', () => {
  const bad: [string, object][] = [
    ['no cron', { cron: undefined }],
    ['a cron of words', { cron: 'every day' }],
    ['six fields', { cron: '0 0 9 * * *' }],
    ['a time that never comes', { cron: '0 0 31 2 *' }],
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }],
    ['no goal', { goal: undefined }],
    ['a blank goal', { goal: '  ' }],
    ['a blank name', { name: ' ' }],
    ['an unknown mode', { mode: 'careful' }],
    ['an unknown model', { model: 'no/such' }],
    ['an unknown capability', { capabilities: ['teleport'] }],
    ['a callback URL that is not http', { callbackUrl: 'ftp://example.com/' }],
    ['a private callback URL', { callbackUrl: 'http://10.0.0.1/' }],
    ['an output schema that is not one', { outputSchema: { type: 'nonsense' } }],
    ['a field of a start that it has not', { idempotencyKey: 'x' }],
    ['a key', { keyId: 1 }],
  ]
  it.each(bad)('%s: nothing is made or changed', async (what, fields) => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const refused = await makeSchedule(key.key, fields)
    expect(refused.status).toBe(400)
    expect(['invalid_request', 'unknown_model']).toContain(refused.body.code)
    expect(await schedulesOf(owner.id)).toBe(0)
    if (what.startsWith('no ')) return
    const id = await makeScheduleId(key.key)
    const before = (await read(key.key, id)).body
    expect((await change(key.key, id, fields)).status).toBe(400)
    expect((await read(key.key, id)).body).toEqual(before)
  })

  it('is for a cursor of another list', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const id = await makeScheduleId(key.key)
    for (const path of [SCHEDULES, `${SCHEDULES}/${id}/runs`])
      expect((await send(`${path}?cursor=nonsense`, { key: key.key })).status).toBe(400)
  })
})

describe('401, 405, 413, 415', () => {
  it('are as for every endpoint', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    expect((await send(SCHEDULES)).status).toBe(401)
    const wrong = await send(SCHEDULES, { key: key.key, method: 'PUT', body: {} })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, GET'])
    const raw = { key: key.key, method: 'POST', raw: 'x', headers: { 'content-type': 'text/plain' } }
    expect((await send(SCHEDULES, raw)).status).toBe(415)
    const large = JSON.stringify({ goal: 'x'.repeat(20 * 1024 * 1024) })
    const json = { 'content-type': 'application/json' }
    expect((await send(SCHEDULES, { ...raw, raw: large, headers: json })).status).toBe(413)
  })
})

describe('402', () => {
  it('is for "run now" with fewer than 100 free credits: nothing is started or recorded', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const id = await makeScheduleId(key.key)
    const bounded = await makeKey(owner, { ...AGENT, budget: 99 })
    const refused = await post(bounded.key, id, 'run')
    expect(refused).toMatchObject({ status: 402, body: { code: 'insufficient_credits', limitSource: 'key_budget' } })
    expect(await readScheduleRuns(key.key, id)).toEqual([])
    await expectUntouched(owner, 10_000)
  })
})

describe('403', () => {
  it('is for a key without the scope, on every path', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const id = await makeScheduleId(key.key)
    const before = (await read(key.key, id)).body
    const plain = (await makeKey(owner)).key
    const answers = await Promise.all([
      makeSchedule(plain),
      send(SCHEDULES, { key: plain }),
      read(plain, id),
      send(`${SCHEDULES}/${id}/runs`, { key: plain }),
      change(plain, id, { name: 'x' }),
      ...['pause', 'resume', 'run'].map((verb) => post(plain, id, verb)),
      send(`${SCHEDULES}/${id}`, { key: plain, method: 'DELETE' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
    expect((await read(key.key, id)).body).toEqual(before)
  })

  it('is for a model or a capability that the key lacks', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const narrow = await makeKey(owner, { ...AGENT, allowedModels: ['northwind/gale-4-mini'], capabilities: ['web'] })
    const model = 'northwind/gale-4-mini'
    for (const fields of [{}, { model: 'northwind/gale-4' }, { model, capabilities: ['web', 'media'] }])
      expect((await makeSchedule(narrow.key, fields)).status).toBe(403)
    const wide = await makeScheduleId(key.key, { model })
    for (const answer of [
      await post(narrow.key, wide, 'pause'),
      await send(`${SCHEDULES}/${wide}`, { key: narrow.key, method: 'DELETE' }),
    ])
      expect(answer.status).toBe(403)
    const covered = await makeScheduleId(key.key, { model, capabilities: ['web'] })
    expect((await post(narrow.key, covered, 'pause')).status).toBe(200)
  })
})

describe('404', () => {
  it('is for another owner’s schedule, on every path', async () => {
    const mine = await makeCaller(10_000, AGENT)
    const theirs = await makeCaller(10_000, AGENT)
    const theirId = await makeScheduleId(theirs.key.key)
    const before = (await read(theirs.key.key, theirId)).body
    const key = mine.key.key
    for (const id of [theirId, randomUUID(), 'nonsense', '%00']) {
      const answers = await Promise.all([
        read(key, id),
        send(`${SCHEDULES}/${id}/runs`, { key }),
        change(key, id, { name: 'x' }),
        ...['pause', 'resume', 'run'].map((verb) => post(key, id, verb)),
        send(`${SCHEDULES}/${id}`, { key, method: 'DELETE' }),
      ])
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    }
    expect((await read(theirs.key.key, theirId)).body).toEqual(before)
    expect((await send(SCHEDULES, { key })).body.schedules).toEqual([])
  })
})

describe('409', () => {
  it('is for "run now" while a run of the schedule is in progress', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const id = await makeScheduleId(key.key, { goal: scriptedGoal({ delayMs: 2_000, text: 'Done.' }) })
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(key.key, id, 'run')))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409])
    const started = answers.find(({ status }) => status === 202)
    await sendCancel(key.key, started?.body.jobId)
  })

  it('is for more schedules than an account may have', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const id = await makeScheduleId(key.key)
    const row = await prisma().schedule.findUniqueOrThrow({ where: { id } })
    const rows = Array.from({ length: 99 }, () => ({
      ...row,
      id: randomUUID(),
      request: row.request as object,
      attachments: undefined,
    }))
    await prisma().schedule.createMany({ data: rows })
    expect(await makeSchedule(key.key)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await schedulesOf(owner.id)).toBe(100)
  })
})

describe('a schedule that is due', () => {
  it('starts a run of its own within seconds, charged to its key', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const id = await makeScheduleId(key.key)
    const dueAt = await makeDue(id)
    await expect
      .poll(() => readScheduleRuns(key.key, id), { timeout: 55_000 })
      .toMatchObject([
        { dueAt: dueAt.toISOString(), manual: false, state: 'completed', jobId: expect.any(String), reason: null },
      ])
    const [run] = await readScheduleRuns(key.key, id)
    const { body } = await send(`/api/v1/agent/${run?.jobId}`, { key: key.key })
    expect(body).toMatchObject({ status: 'completed', result: 'Done.', creditsSpent: run?.creditsSpent })
    expect(Number(run?.creditsSpent)).toBeGreaterThan(0)
    expect((await send('/api/v1/key', { key: key.key })).body).toMatchObject({ spent: run?.creditsSpent })
  })
})

describe('an Idempotency-Key', () => {
  const fields = { cron: '0 9 1 1 *', timeZone: 'UTC', goal: scriptedGoal({ text: 'Done.' }) }
  const make = (key: string, token: string, more: object = {}) =>
    send('/api/v1/agent/schedules', { key, headers: { 'idempotency-key': token }, body: { ...fields, ...more } })

  it('makes one schedule of a request that is repeated, also at once', async () => {
    const { key } = await makeCaller(1_000, { agent: true })
    const answers = await Promise.all(Array.from({ length: 4 }, () => make(key.key, 'weekly')))
    const later = await make(key.key, 'weekly')
    for (const { status, text } of [...answers, later]) expect(status, text).toBe(201)
    expect(new Set([...answers, later].map(({ body }) => body.scheduleId)).size).toBe(1)
    expect(later.headers.get('idempotent-replayed')).toBe('true')
    const { body } = await send('/api/v1/agent/schedules', { key: key.key })
    expect(body.schedules).toHaveLength(1)
    expect((await make(key.key, 'weekly', { name: 'Another' })).status).toBe(422)
    expect((await make(key.key, 'monthly')).body.scheduleId).not.toBe(later.body.scheduleId)
  })
})
