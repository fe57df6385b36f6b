import { describe, expect, it } from 'vitest'
import { sendingApproval } from '../../server/agent/run/approvals/sending'
import { startDueRuns } from '../../server/agent/schedules/due'
import { endFinishedRuns } from '../../server/agent/schedules/end-run'
import { answerUnanswered } from '../../server/agent/schedules/waiting'
import { prisma } from '../../server/db'
import { readSteps, scriptedGoal, sendAnswer, startAgentRun, untilStatus } from '../support/agent'
import { send, withSandbox } from '../support/api'
import { firstPending, runWith } from '../support/flow-run'
import { makeCaller, makeOwner } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { makeDue, makeSchedule, readScheduleRuns, SCHEDULES } from '../support/schedules'
import { withTemporaryStorage } from '../support/temporary-storage'
import { withWorker } from '../support/worker'

withTemporaryStorage()
withSandbox()
withWorker()

const over = ['completed', 'failed', 'cancelled', 'awaiting_input'] as const
const publish = (slug: string, content: string) => ({
  toolCalls: [{ name: 'site_publish', arguments: { slug, files: [{ path: 'index.html', content }] } }],
})
const replacing = (slug: string, content: string) =>
  scriptedGoal({ turns: [publish(slug, content), { text: 'Done.' }] })

/** A caller with a live site, and how it starts runs that replace it. */
async function siteOwner() {
  const { key } = await makeCaller(50_000, { agent: true })
  const slug = `report-${key.id}`
  const run = async (content: string, fields: object = {}) => {
    const { body } = await startAgentRun(key.key, { goal: replacing(slug, content), ...fields })
    return untilStatus(key.key, body.jobId, ...over)
  }
  await run('one')
  const live = async () => (await prisma().site.findUniqueOrThrow({ where: { slug } })).live
  return { key: key.key, slug, run, live }
}

describe('permissions of a run', () => {
  it('let it replace a site that they name, and an approval says which it lacks', async () => {
    const { slug, run, live } = await siteOwner()
    const asked = await run('two')
    expect(asked.awaitingInput).toMatchObject({ approval: { permissions: [{ kind: 'sites', name: slug }] } })
    expect(await live()).toBe(1)
    const other = await run('two', { permissions: { sites: ['another-site'] } })
    expect(other.status).toBe('awaiting_input')
    const permitted = await run('two', { permissions: { sites: [slug] } })
    expect([permitted.status, await live()]).toEqual(['completed', 2])
  })

  it('let it give texts to a host that they name, but never what looks like a secret', async () => {
    const { id: ownerId } = await makeOwner(0)
    const reads = [
      {
        name: 'dataset_query',
        output: {
          columns: ['a'],
          rows: [{ a: 1 }],
          totalRows: 1,
          truncated: false,
          nextCursor: null,
          datasets: [{ name: 'own', made: false, foreignText: true }],
        },
      },
    ]
    const opening = (url: string, permissions: object) => {
      const run = { ...runWith({ ownerId, reads, calls: [{ name: 'web_read_url', input: { url } }] }), permissions }
      return sendingApproval(run, firstPending(run))
    }
    const url = 'https://outside.example/?q=numbers'
    expect(await opening(url, {})).toMatchObject({ needs: [{ kind: 'hosts', name: 'outside.example' }] })
    expect(await opening(url, { hosts: ['example'] })).not.toBeNull()
    expect(await opening(url, { hosts: ['outside.example'] })).toBeNull()
    const secret = `${url}&k=ghp_${'a1B2'.repeat(6)}`
    expect(await opening(secret, { hosts: ['outside.example'] })).toMatchObject({ needs: [] })
  })
})

it('an approval for the whole run covers every later call of its tool, and no other tool', async () => {
  const { slug, key } = await siteOwner()
  const makeFiles = { toolCalls: [{ name: 'pod_run', arguments: { command: 'touch x; echo 1 > a; echo 2 > b' } }] }
  const { body } = await startAgentRun(key, { goal: scriptedGoal({ turns: [makeFiles, { text: 'Made.' }] }) })
  await untilStatus(key, body.jobId, ...over)
  const remove = (name: string) => ({ toolCalls: [{ name: 'pod_run', arguments: { command: `rm ${name}` } }] })
  const goal = scriptedGoal({ turns: [remove('a'), remove('b'), publish(slug, 'two'), { text: 'Done.' }] })
  await startAgentRun(key, { goal, conversationId: body.jobId })
  expect((await untilStatus(key, body.jobId, ...over)).awaitingInput).toMatchObject({ approval: { command: 'rm a' } })
  await sendAnswer(key, body.jobId, { approved: true, scope: 'run' })
  const next = await untilStatus(key, body.jobId, ...over)
  expect(next.awaitingInput).toMatchObject({ approval: { deploymentId: `${slug}@2` } })
  const removed = (await readSteps(key, body.jobId)).filter(({ input }) => String(input?.command).startsWith('rm'))
  expect(removed.map(({ output }) => output?.exitCode)).toEqual([0, 0])
})

describe('a schedule whose run waits', () => {
  /** A schedule that replaces a live site, with its first run waiting. */
  async function waiting(fields: object) {
    const owner = await siteOwner()
    const { body } = await makeSchedule(owner.key, { goal: replacing(owner.slug, 'two'), ...fields })
    const id = String(body.scheduleId)
    const read = async () => (await send(`${SCHEDULES}/${id}`, { key: owner.key })).body
    await makeDue(id, 9)
    await startDueRuns()
    await pollUntil('its question', async () => (await read()).waiting !== null)
    return { ...owner, id, read }
  }

  it('says what is asked, what it would have to be permitted, and skips its times', async () => {
    const { key, slug, id, read } = await waiting({})
    const { waiting: asked, ...schedule } = await read()
    expect(asked).toMatchObject({ kind: 'approval', summary: expect.stringContaining(slug), answersNoAt: null })
    expect(schedule).toMatchObject({
      ...{ status: 'active', whenWaiting: 'skip', lastRun: { state: 'waiting' } },
      proposedPermissions: [{ kind: 'sites', name: slug }],
    })
    await makeDue(id, 1)
    await startDueRuns()
    const skipped = { state: 'skipped', reason: 'The run before it waited for an answer.' }
    expect(await readScheduleRuns(key, id)).toMatchObject([skipped, { state: 'waiting' }])
    await send(`${SCHEDULES}/${id}`, { key, method: 'PATCH', body: { permissions: { sites: [slug] } } })
    expect(await read()).toMatchObject({ permissions: { sites: [slug] }, proposedPermissions: [] })
  })

  it('queues its times where it is made so, and starts them one after another', async () => {
    const { key, id, read, live } = await waiting({ whenWaiting: 'queue', permissions: {} })
    for (const minutes of [3, 2]) {
      await makeDue(id, minutes)
      await startDueRuns()
    }
    const states = async () => (await readScheduleRuns(key, id)).map(({ state }) => state)
    expect(await states()).toEqual(['queued', 'queued', 'waiting'])
    const { jobId } = (await read()).waiting as { jobId: string }
    await sendAnswer(key, jobId, { approved: true })
    await untilStatus(key, jobId, 'completed')
    await endFinishedRuns()
    await startDueRuns()
    expect((await states()).slice(2)).toEqual(['completed'])
    expect((await states())[0]).toBe('queued')
    // What it publishes is live by now, so that it has nothing to ask.
    await pollUntil('the end of its runs', async () => {
      await endFinishedRuns()
      await startDueRuns()
      return (await states()).every((state) => state === 'completed')
    })
    expect(await live()).toBe(2)
  })

  it('is answered no after its hours, which its page names, and goes on', async () => {
    const { key, id, read, live } = await waiting({ whenWaiting: 'answer_no', answerNoAfterHours: 2 })
    const { jobId, since, answersNoAt } = (await read()).waiting as Record<string, string>
    expect(Date.parse(answersNoAt ?? '') - Date.parse(since ?? '')).toBe(2 * 3_600_000)
    await answerUnanswered()
    expect((await read()).waiting).not.toBeNull()
    await prisma().job.update({ where: { id: jobId ?? '' }, data: { updatedAt: new Date(Date.now() - 7_300_000) } })
    await answerUnanswered()
    await untilStatus(key, jobId, 'completed')
    expect(await live()).toBe(1)
    const steps = await readSteps(key, jobId)
    expect(steps.find(({ kind }) => kind === 'tool')?.error).toMatchObject({
      code: 'rejected',
      message: expect.stringContaining('Nobody answered within 2 hours.'),
    })
    expect(await prisma().answer.findFirst({ where: { jobId } })).toMatchObject({ answeredBy: 'its schedule' })
    await endFinishedRuns()
    expect(await read()).toMatchObject({
      waiting: null,
      lastRun: { state: 'completed' },
      proposedPermissions: [{ kind: 'sites' }],
    })
    expect(await readScheduleRuns(key, id)).toHaveLength(1)
  })
})

it('the value of a run with a schema is in lists', async () => {
  const { key } = await makeCaller(50_000, { agent: true })
  const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ text: '{"n": 7}' }), outputSchema })
  await untilStatus(key.key, body.jobId, 'completed')
  const { body: list } = await send('/api/v1/agent/jobs', { key: key.key })
  expect((list.jobs as object[])[0]).toMatchObject({ output: { n: 7 } })
})
