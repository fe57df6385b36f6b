import { describe, expect, it } from 'vitest'
import { makeCaller, makeKey } from '../../../tests/support/owners'
import { runRetentionTask } from '../../../tests/support/retention-task'
import { makeDue } from '../../../tests/support/schedules'
import { prisma } from '../../db'
import { readCallerGrants } from '../../keys/grants'
import { revokeKey } from '../../keys/revoke'
import { resumeSchedule } from './change'
import { createSchedule } from './create'
import { startDueRuns } from './due'
import { endFinishedRuns } from './end-run'
import { oldScheduleRuns } from './old-runs'
import { getSchedule } from './read'
import { runScheduleNow } from './run-now'
import type { NewSchedule } from './shape'
import { starterOf } from './starter'

const YEARLY: NewSchedule = { cron: '0 9 1 1 *', timeZone: 'UTC', goal: 'Look.', mode: 'autonomous' }

/** A schedule of a new owner, whose key has these settings. */
async function made(fields: Partial<NewSchedule> = {}, settings: object = {}) {
  const { owner, key } = await makeCaller(10_000, { agent: true, ...settings })
  const starter = { ownerId: owner.id, keyId: key.id, grants: await readCallerGrants(key.id) }
  const { scheduleId } = await createSchedule(starter, { ...YEARLY, ...fields })
  return { owner, starter, key, id: scheduleId, read: () => getSchedule(owner.id, scheduleId) }
}

const runsOf = (scheduleId: string) =>
  prisma().scheduleRun.findMany({ where: { scheduleId }, orderBy: { dueAt: 'asc' } })
const turnsOf = (ownerId: number) => prisma().turn.findMany({ where: { ownerId } })

/** What several workers do at the same time. */
const atOnce = (act: () => Promise<void>) => Promise.all(Array.from({ length: 6 }, act))

/** Ends every run of an owner, as their workers would. */
const endTurns = (ownerId: number, status: string, result: string | null = null) =>
  prisma().turn.updateMany({ where: { ownerId, status: 'running' }, data: { status, result, endedAt: new Date() } })

describe('due schedules', () => {
  it('start once, however many workers look at the same time', async () => {
    const schedules = await Promise.all(Array.from({ length: 4 }, () => made()))
    for (let round = 1; round <= 2; round++) {
      for (const { id } of schedules) await makeDue(id)
      await atOnce(startDueRuns)
      for (const { owner, id } of schedules) {
        expect(await turnsOf(owner.id)).toHaveLength(round)
        expect(await runsOf(id)).toHaveLength(round)
        await endTurns(owner.id, 'completed')
      }
      await atOnce(endFinishedRuns)
    }
    const [first] = schedules
    const [run] = await runsOf(first?.id ?? '')
    const [turn] = await turnsOf(first?.owner.id ?? 0)
    expect(turn).toMatchObject({ runId: run?.runId, keyId: first?.key.id, goal: 'Look.', mode: 'autonomous' })
    expect(turn?.idempotencyKey).toBe(`schedule/${first?.id}/${run?.dueAt.toISOString()}`)
  })

  it('start one run for all the times that were missed', async () => {
    const { owner, id } = await made({ cron: '* * * * *' })
    const dueAt = await makeDue(id, 180)
    await startDueRuns()
    await startDueRuns()
    expect(await runsOf(id)).toMatchObject([{ dueAt, state: 'running' }])
    expect(await turnsOf(owner.id)).toHaveLength(1)
    const { nextAt } = await prisma().schedule.findUniqueOrThrow({ where: { id } })
    expect(nextAt?.getTime()).toBeGreaterThan(dueAt.getTime() + 179 * 60_000)
  })

  it('start after a worker died between the time and the start, and only once', async () => {
    const { owner, id } = await made()
    const dueAt = await makeDue(id)
    await startDueRuns()
    const [run] = await runsOf(id)
    // As the row was before the start was recorded: first just attempted, then long ago.
    const before = { state: 'starting', jobId: null, runId: null }
    await prisma().scheduleRun.updateMany({ where: { scheduleId: id }, data: before })
    await atOnce(startDueRuns)
    expect(await runsOf(id)).toMatchObject([before])
    await prisma().scheduleRun.updateMany({ where: { scheduleId: id }, data: { attemptAt: new Date(0) } })
    await atOnce(startDueRuns)
    expect(await runsOf(id)).toMatchObject([{ dueAt, state: 'running', jobId: run?.jobId, attempts: 2 }])
    expect(await turnsOf(owner.id)).toHaveLength(1)
  })

  it('are skipped while the run before is in progress, and say so', async () => {
    const { owner, id, read } = await made()
    await makeDue(id, 2)
    await startDueRuns()
    await makeDue(id, 1)
    await startDueRuns()
    expect(await turnsOf(owner.id)).toHaveLength(1)
    const reason = 'The run before it was still in progress.'
    expect((await read()).lastRun).toMatchObject({ state: 'skipped', jobId: null, creditsSpent: null, reason })
    await endTurns(owner.id, 'completed')
    await endFinishedRuns()
    await makeDue(id, 0)
    await startDueRuns()
    expect((await runsOf(id)).map(({ state }) => state)).toEqual(['completed', 'skipped', 'running'])
    expect((await read()).failures).toBe(0)
  })

  it('do not start while paused', async () => {
    const { owner, id } = await made()
    await prisma().schedule.update({ where: { id }, data: { pausedBy: 'owner', nextAt: null } })
    await startDueRuns()
    expect(await turnsOf(owner.id)).toEqual([])
  })
})

describe('failures', () => {
  /** Lets a due run end so, as seen by several workers. */
  async function runsAndEnds({ owner, id }: { owner: { id: number }; id: string }, status: string, result?: string) {
    await makeDue(id)
    await startDueRuns()
    await endTurns(owner.id, status, result)
    await atOnce(endFinishedRuns)
  }

  it('in a row pause the schedule at the third, with the reason', async () => {
    const schedule = await made()
    await runsAndEnds(schedule, 'failed', 'The model failed 5 times.')
    await runsAndEnds(schedule, 'failed', 'The model failed 5 times.')
    expect(await schedule.read()).toMatchObject({ status: 'active', failures: 2 })
    await runsAndEnds(schedule, 'completed', 'Done.')
    expect(await schedule.read()).toMatchObject({ status: 'active', failures: 0, lastRun: { reason: null } })
    for (const n of [1, 2, 3]) await runsAndEnds(schedule, 'failed', `The model failed again: ${n}.`)
    expect(await schedule.read()).toMatchObject({
      status: 'paused',
      failures: 3,
      paused: { by: 'failures', reason: 'The model failed again: 3.' },
      nextRuns: [],
      lastRun: { state: 'failed', reason: 'The model failed again: 3.' },
    })
    const resumed = await resumeSchedule(schedule.starter, schedule.id)
    expect(resumed).toMatchObject({ status: 'active', failures: 0, paused: null })
    expect(resumed.nextRuns).toHaveLength(5)
  })

  it('are not runs that a person cancelled', async () => {
    const schedule = await made()
    await runsAndEnds(schedule, 'failed', 'No.')
    await runsAndEnds(schedule, 'cancelled')
    expect(await schedule.read()).toMatchObject({ failures: 1, lastRun: { state: 'cancelled' } })
  })

  it('are starts for which there are too few credits, each with its reason', async () => {
    const schedule = await made({}, { budget: 99 })
    for (let n = 1; n <= 3; n++) {
      await makeDue(schedule.id)
      await atOnce(startDueRuns)
    }
    const reason = expect.stringContaining('A run needs 100 free credits to start')
    const runs = await runsOf(schedule.id)
    expect(runs).toMatchObject([1, 2, 3].map(() => ({ state: 'refused', reason, jobId: null })))
    expect(await schedule.read()).toMatchObject({ status: 'paused', paused: { by: 'failures', reason } })
    expect(await turnsOf(schedule.owner.id)).toEqual([])
  })

  it('are starts with a model that is no longer served', async () => {
    const schedule = await made()
    const request = { goal: 'Look.', mode: 'autonomous', model: 'gone/away-1' }
    await prisma().schedule.update({ where: { id: schedule.id }, data: { request } })
    await makeDue(schedule.id)
    await startDueRuns()
    expect((await schedule.read()).lastRun).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('gone/away-1'),
    })
  })

  it('are not runs that a person started', async () => {
    const schedule = await made()
    await runScheduleNow(schedule.starter, schedule.id)
    await endTurns(schedule.owner.id, 'failed', 'No.')
    await endFinishedRuns()
    expect(await schedule.read()).toMatchObject({
      failures: 0,
      lastRun: { manual: true, state: 'failed', reason: 'No.' },
    })
  })
})

describe('the key of a schedule', () => {
  it('pauses it at its next time once it was revoked; another key resumes it', async () => {
    const { owner, starter, id, read } = await made()
    await revokeKey(owner.id, starter.keyId)
    await makeDue(id)
    await startDueRuns()
    const reason = 'The key "test" was revoked.'
    expect(await read()).toMatchObject({ paused: { by: 'key', reason }, lastRun: { state: 'refused', reason } })
    expect(await turnsOf(owner.id)).toEqual([])
    await expect(resumeSchedule(starter, id)).rejects.toMatchObject({ code: 'conflict' })
    const other = await makeKey(owner, { agent: true })
    expect(await resumeSchedule(await starterOf(owner.id, other.id), id)).toMatchObject({
      status: 'active',
      keyId: other.id,
    })
  })

  it('pauses it once it has expired', async () => {
    const { id, read, starter } = await made()
    await prisma().key.update({ where: { id: starter.keyId }, data: { expiresAt: new Date(0) } })
    await makeDue(id)
    await startDueRuns()
    expect(await read()).toMatchObject({ paused: { by: 'key', reason: 'The key "test" has expired.' } })
  })
})

it('what became of old times is deleted after 90 days, but for a run in progress', async () => {
  const { id } = await made()
  const days = (n: number) => new Date(Date.now() - n * 86_400_000)
  const run = (n: number, state: string) => ({ scheduleId: id, dueAt: days(n), createdAt: days(n), state })
  await prisma().scheduleRun.createMany({
    data: [run(100, 'completed'), run(99, 'refused'), run(98, 'running'), run(89, 'failed')],
  })
  expect(await oldScheduleRuns().count()).toBe(2)
  expect(await runRetentionTask(oldScheduleRuns())).toMatchObject({ deleted: 2 })
  expect((await runsOf(id)).map(({ state }) => state)).toEqual(['running', 'failed'])
})
