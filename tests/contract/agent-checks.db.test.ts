import { describe, expect, it } from 'vitest'
import { prisma } from '../../server/db'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { chargedTo, send, withSandbox } from '../support/api'
import { expectUntouched } from '../support/ledger'
import { makeCaller } from '../support/owners'
import { answerWith, untilDelivery, withReceiver } from '../support/webhook-receiver'
import { withWorker } from '../support/worker'

withSandbox()
const receiver = withReceiver()
withWorker()

const AGENT = { agent: true }
const JUDGE = 'northwind/gale-4-mini'
const over = ['completed', 'failed', 'cancelled'] as const

type Tested = {
  kind: string
  verdict: string | null
  reason: string | null
  creditsCharged: number
  requestId: string | null
}

type Done = Record<string, unknown> & { checks: Tested[] | undefined }

async function run(key: string, script: object, more: object): Promise<Done> {
  const { status, body } = await startAgentRun(key, { goal: scriptedGoal(script), ...more })
  expect(status, JSON.stringify(body)).toBe(202)
  const job = await untilStatus(key, body.jobId, ...over)
  return { ...job, checks: job.checks as Tested[] | undefined }
}

/** A judge whose model says this. */
const judge = (script: object, model = JUDGE) => ({
  kind: 'judge',
  model,
  question: `Does it greet? [[sandbox ${JSON.stringify(script)}]]`,
})

const verdicts = (checks: Tested[] | undefined) => checks?.map(({ verdict }) => verdict)

describe('checks that cost nothing', () => {
  it('compare the text of the result, and look into it in any case', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const checks = [
      { kind: 'equals', value: ' Hello there. ' },
      { kind: 'equals', value: 'Hello' },
      { kind: 'contains', text: 'HELLO' },
      { kind: 'contains', text: 'goodbye' },
    ]
    const done = await run(key.key, { text: 'Hello there.' }, { checks })
    expect(done.checks).toEqual([
      { ...checks[0], verdict: 'passed', reason: null, creditsCharged: 0, requestId: null },
      { ...checks[1], verdict: 'failed', reason: 'It is "Hello there.".', creditsCharged: 0, requestId: null },
      { ...checks[2], verdict: 'passed', reason: null, creditsCharged: 0, requestId: null },
      { ...checks[3], verdict: 'failed', reason: expect.any(String), creditsCharged: 0, requestId: null },
    ])
    const steps = await readSteps(key.key, done.jobId)
    expect(steps.map(({ kind }) => kind)).toEqual(['model'])
    expect(await chargedTo(owner)).toBe(steps[0]?.creditsCharged)
    const { body } = await send('/api/v1/agent/jobs', { key: key.key })
    expect(body.jobs).toMatchObject([{ checks: { passed: 2, failed: 2, errors: 0 } }])
  })

  it('compare the output of a run with a schema, or a part of it', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const output = { city: 'Olbia', homes: [{ 'a/b': 480_000 }] }
    const checks = [
      { kind: 'equals', value: { homes: [{ 'a/b': 480_000 }], city: 'Olbia' } },
      { kind: 'equals', value: 480_000, path: '/homes/0/a~1b' },
      { kind: 'equals', value: 1, path: '/homes/1/price' },
      { kind: 'equals', value: 'olbia', path: '/city' },
    ]
    const outputSchema = { type: 'object', required: ['city'] }
    const done = await run(key.key, { text: JSON.stringify(output) }, { checks, outputSchema })
    expect(verdicts(done.checks)).toEqual(['passed', 'passed', 'failed', 'failed'])
    expect(done.checks?.[2]?.reason).toBe('The output has nothing at /homes/1/price.')
  })

  it('query the datasets of the owner, such as the run has made', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const rows = [{ price: 1 }, { price: 2 }]
    const made = { toolCalls: [{ name: 'dataset_create', arguments: { name: 'homes', rows } }] }
    const checks = [
      { kind: 'sql', query: 'SELECT count(*) = 2 FROM homes' },
      { kind: 'sql', query: 'SELECT sum(price) > 9 FROM homes' },
      { kind: 'sql', query: 'SELECT 1 FROM homes WHERE price > 9' },
      { kind: 'sql', query: 'SELECT * FROM palaces' },
    ]
    const done = await run(key.key, { turns: [made, { text: 'Made.' }] }, { checks })
    expect(verdicts(done.checks)).toEqual(['passed', 'failed', 'failed', 'error'])
    expect(done.checks?.map(({ reason }) => reason)).toEqual([
      null,
      'The first cell is 0.',
      'The query returned no row.',
      expect.stringContaining('no such table'),
    ])
  })
})

describe('a judge', () => {
  it('is charged once, to the run, with a receipt on its key; the webhook says what it found', async () => {
    receiver.play('/judged', answerWith(200))
    const { owner, key } = await makeCaller(10_000, AGENT)
    const checks = [
      judge({ text: '**Yes.** It says hello.' }),
      { kind: 'contains', text: 'hello' },
      judge({ text: 'No, it does not ask how one is.' }),
    ]
    const callbackUrl = receiver.url('/judged')
    const done = await run(key.key, { text: 'Hello.' }, { checks, callbackUrl })
    expect(done).toMatchObject({ status: 'completed', result: 'Hello.' })
    expect(done.checks).toMatchObject([
      { verdict: 'passed', reason: 'It says hello.' },
      { verdict: 'passed', creditsCharged: 0 },
      { verdict: 'failed', reason: 'it does not ask how one is.' },
    ])
    const steps = await readSteps(key.key, done.jobId)
    const judged = done.checks?.filter(({ requestId }) => requestId !== null) ?? []
    expect(judged).toHaveLength(2)
    const sum = [...steps, ...judged].reduce((total, { creditsCharged }) => total + creditsCharged, 0)
    expect(done.creditsSpent).toBe(sum)
    expect(await chargedTo(owner)).toBe(sum)
    for (const { requestId, creditsCharged } of judged) {
      const receipt = await prisma().receipt.findUniqueOrThrow({ where: { id: requestId ?? '' } })
      expect(receipt).toMatchObject({ ownerId: owner.id, keyId: key.id, limitId: done.jobId, what: JUDGE })
      expect(Number(receipt.charged)).toBe(creditsCharged)
      expect(creditsCharged).toBeGreaterThan(0)
    }
    await untilDelivery(key.key, done.jobId, 'delivered')
    const { data } = JSON.parse(receiver.received('/judged')[0]?.body ?? '') as { data: object }
    expect(data).toMatchObject({ status: 'completed', checks: done.checks, creditsSpent: sum })
  })

  it('that answers neither yes nor no has judged nothing, and is paid', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const done = await run(key.key, { text: 'Hello.' }, { checks: [judge({ text: 'It depends.' })] })
    expect(done.checks).toMatchObject([{ verdict: 'error', reason: expect.stringContaining('It depends.') }])
    expect(done.checks?.[0]?.creditsCharged).toBeGreaterThan(0)
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })

  it('whose model fails has judged nothing and costs nothing; the run is completed, and the next is asked', async () => {
    const { owner, key } = await makeCaller(10_000, AGENT)
    const checks = [judge({ status: 500, message: 'Broken.' }), judge({ text: 'Yes.' })]
    const done = await run(key.key, { text: 'Hello.' }, { checks })
    expect(done).toMatchObject({ status: 'completed', result: 'Hello.' })
    expect(done.checks).toMatchObject([
      { verdict: 'error', reason: expect.stringContaining(JUDGE), creditsCharged: 0, requestId: null },
      { verdict: 'passed', reason: null },
    ])
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
  })

  it('that the limit of the run does not pay for has judged nothing, and the run is completed', async () => {
    const { owner, key } = await makeCaller(100_000, AGENT)
    const question = `Is it good? ${'Consider it well. '.repeat(100)}`
    const checks = [{ kind: 'judge', model: 'alpenglow/edelweiss-large', question }]
    const goal = scriptedGoal({ text: 'Hello.', usage: { prompt_tokens: 10, completion_tokens: 5 } })
    const fields = { goal, model: JUDGE, checks, maxCredits: 5 }
    const { body } = await startAgentRun(key.key, fields)
    const done = await untilStatus(key.key, body.jobId, ...over)
    expect(done.status).toBe('completed')
    expect(done.checks).toMatchObject([
      { verdict: 'error', reason: expect.stringMatching(/could not be paid/), creditsCharged: 0 },
    ])
    expect(await chargedTo(owner)).toBe(done.creditsSpent)
    expect(done.creditsSpent).toBeLessThanOrEqual(5)
  })
})

describe('a run', () => {
  it('that a limit stopped is checked by its final summary, which is written and paid once', async () => {
    const { owner, key } = await makeCaller(100_000, AGENT)
    const search = { name: 'microblog_search', arguments: { query: 'tolls {{count}}', limit: 20, searchType: 'Top' } }
    const checks = [{ kind: 'contains', text: 'this run was stopped' }, judge({ text: 'Yes.' }), judge({ text: 'No.' })]
    const done = await run(key.key, { toolCalls: Array.from({ length: 8 }, () => search) }, { checks, maxCredits: 400 })
    expect(done).toMatchObject({ status: 'completed', budget: { stoppedBy: 'run' } })
    expect(verdicts(done.checks)).toEqual(['passed', 'passed', 'failed'])
    const steps = await readSteps(key.key, done.jobId)
    expect(steps.filter(({ kind }) => kind === 'wrap_up')).toHaveLength(1)
    const sum = [...steps, ...(done.checks ?? [])].reduce((total, { creditsCharged }) => total + creditsCharged, 0)
    expect(done.creditsSpent).toBe(sum)
    expect(sum).toBeLessThanOrEqual(400)
    expect(await chargedTo(owner)).toBe(sum)
  })

  it('that fails is not checked', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const checks = [{ kind: 'contains', text: 'x' }, judge({ text: 'Yes.' })]
    const done = await run(key.key, { text: 'x' }, { checks, outputSchema: { type: 'object' } })
    expect(done).toMatchObject({ status: 'failed' })
    expect(verdicts(done.checks)).toEqual([null, null])
  })

  it('without checks says nothing of them, also the next turn of one that had some', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const first = await run(key.key, { text: 'x' }, { checks: [{ kind: 'contains', text: 'x' }] })
    const next = await run(key.key, { text: 'y' }, { conversationId: first.jobId })
    expect(next).toEqual(expect.not.objectContaining({ checks: expect.anything() }))
    const { body } = await send('/api/v1/agent/jobs', { key: key.key })
    expect(body.jobs).toEqual([expect.not.objectContaining({ checks: expect.anything() })])
  })

  it('of a schedule has its checks', async () => {
    const { key } = await makeCaller(10_000, AGENT)
    const checks = [{ kind: 'contains', text: 'report' }]
    const goal = scriptedGoal({ text: 'The report.' })
    const made = await send('/api/v1/agent/schedules', { key: key.key, body: { cron: '0 9 * * *', goal, checks } })
    expect(made.body).toMatchObject({ checks })
    const started = await send(`/api/v1/agent/schedules/${made.body.scheduleId}/run`, { key: key.key, method: 'POST' })
    const done = await untilStatus(key.key, started.body.jobId, ...over)
    expect(done.checks).toMatchObject([{ ...checks[0], verdict: 'passed' }])
    const path = `/api/v1/agent/schedules/${made.body.scheduleId}`
    const changed = await send(path, { key: key.key, method: 'PATCH', body: { checks: null } })
    expect(changed.body).not.toHaveProperty('checks')
  })
})

describe('refused before anything is spent', () => {
  const text = { kind: 'contains', text: 'x' }
  it.each([
    ['a judge that is not a chat model: 400', 400, [{ kind: 'judge', model: 'no/such', question: 'Is it?' }]],
    ['a path without outputSchema: 400', 400, [{ kind: 'equals', value: 1, path: '/a' }]],
    ['an invalid path: 400', 400, [{ kind: 'equals', value: 1, path: 'a.b' }]],
    ['no value: 400', 400, [{ kind: 'equals' }]],
    ['an unknown kind: 400', 400, [{ kind: 'regex', text: 'x' }]],
    ['a field of another kind: 400', 400, [{ ...text, question: 'Is it?' }]],
    ['a blank text: 400', 400, [{ kind: 'contains', text: ' ' }]],
    ['a question that is too long: 400', 400, [{ kind: 'judge', model: JUDGE, question: 'x'.repeat(2_001) }]],
    ['an empty list: 400', 400, []],
    ['eleven: 400', 400, Array.from({ length: 11 }, () => text)],
  ])('%s', async (_what, expected, checks) => {
    const { owner, key } = await makeCaller(1_000, AGENT)
    const { status, body } = await startAgentRun(key.key, { checks })
    expect(status, JSON.stringify(body)).toBe(expected)
    await expectUntouched(owner)
  })

  it('a judge that the key may not use: 403', async () => {
    const { owner, key } = await makeCaller(1_000, { ...AGENT, allowedModels: [JUDGE] })
    const checks = [{ kind: 'judge', model: 'northwind/gale-4', question: 'Is it?' }]
    expect(await startAgentRun(key.key, { checks, model: JUDGE })).toMatchObject({ status: 403 })
    await expectUntouched(owner)
  })
})
