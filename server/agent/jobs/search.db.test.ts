import { describe, expect, it } from 'vitest'
import { makeDelivery, makeJob } from '../../../tests/support/job'
import { makeCaller, makeOwner } from '../../../tests/support/owners'
import { mainPool, prisma } from '../../db'
import { readCallerGrants } from '../../keys/grants'
import { uuidv7 } from '../../kit/id'
import type { RunOrigin } from '../shape'
import { cancelJob } from './cancel'
import { searchJobs } from './search'
import { SearchJobs } from './shape'
import { startJob } from './start'
import { totalJobs } from './total'
import { watchListedJobs } from './watch-list'

const makeRunner = async () => {
  const { owner, key } = await makeCaller(50_000, { agent: true })
  const grants = await readCallerGrants(key.id)
  const start = async (goal: string, more: { conversationId?: string; origin?: RunOrigin } = {}) => {
    const { conversationId, origin } = more
    const request = { goal, conversationId, idempotencyKey: uuidv7(), mode: 'autonomous', wait: false } as const
    return (await startJob({ ownerId: owner.id, keyId: key.id, grants }, request, origin && { origin })).job.jobId
  }
  const cancel = (jobId: string) => cancelJob({ ownerId: owner.id, keyId: null, grants: null }, jobId)
  const find = async (asked: Partial<SearchJobs>) =>
    (await searchJobs(owner.id, SearchJobs.parse(asked))).jobs.map(({ title }) => title)
  return { owner, key, start, cancel, find }
}

describe('the search', () => {
  it('finds words of goals by their beginning, of every turn, and ids by theirs', async () => {
    const { owner, start, cancel, find } = await makeRunner()
    const coins = await start('Compare bitcoin prices.\nIn Zürich, please.')
    await start('Find homes near the Isar')
    expect(await find({ q: 'bitc PRICE' })).toEqual(['Compare bitcoin prices.'])
    expect(await find({ q: 'zürich' })).toEqual(['Compare bitcoin prices.'])
    expect(await find({ q: 'coin' })).toEqual([])
    expect(await find({ q: `isar'); --` })).toEqual(['Find homes near the Isar'])
    expect(await find({ q: '?!' })).toHaveLength(2)
    await cancel(coins)
    await start('And now litecoin', { conversationId: coins })
    expect(await find({ q: 'litecoin' })).toEqual(['Compare bitcoin prices.'])
    expect(await find({ q: coins })).toEqual(['Compare bitcoin prices.'])
    expect(await find({ q: coins.slice(0, 20) })).toContain('Compare bitcoin prices.')
    const other = await makeRunner()
    expect(await other.find({ q: 'bitcoin' })).toEqual([])
    expect(await other.find({ q: coins })).toEqual([])
    expect((await watchListedJobs(other.owner.id, { ids: [coins] })).jobs).toEqual([])
    expect((await watchListedJobs(owner.id, { ids: [coins] })).jobs).toMatchObject([
      { jobId: coins, status: 'running' },
    ])
  })
})

describe('filters, totals and orders', () => {
  it('filter by status, key, mode, origin and days, and add up what matches', async () => {
    const { owner, key, start, cancel, find } = await makeRunner()
    await start('One', { origin: 'schedule' })
    await cancel(await start('Two', { origin: 'dashboard' }))
    const createdAt = new Date('2026-01-10T23:30:00Z')
    const old = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'failed', title: 'Old', createdAt })
    await prisma().spendLimit.update({ where: { id: old }, data: { spent: 70n } })
    expect(await find({})).toEqual(['Two', 'One', 'Old'])
    expect(await find({ status: 'cancelled' })).toEqual(['Two'])
    expect(await find({ origin: 'schedule' })).toEqual(['One'])
    expect(await find({ mode: 'interactive' })).toEqual(['Old'])
    expect(await find({ keyId: key.id, to: '2026-01-10' })).toEqual(['Old'])
    expect(await find({ keyId: key.id + 1 })).toEqual([])
    await makeDelivery(owner.id, old)
    expect(await find({ webhook: 'failed' })).toEqual(['Old'])
    await prisma().owner.update({ where: { id: owner.id }, data: { timeZone: 'Asia/Tokyo' } })
    expect(await find({ to: '2026-01-10' })).toEqual([])
    expect(await find({ from: '2026-01-11', to: '2026-01-11' })).toEqual(['Old'])
    const all = await totalJobs(owner.id, {})
    expect(all).toMatchObject({ jobs: 3, credits: 70 })
    expect(all.byStatus.filter(({ jobs }) => jobs > 0)).toEqual([
      { status: 'running', jobs: 1, credits: 0 },
      { status: 'failed', jobs: 1, credits: 70 },
      { status: 'cancelled', jobs: 1, credits: 0 },
    ])
    expect(await totalJobs(owner.id, { status: 'failed' })).toMatchObject({ jobs: 1, credits: 70 })
    expect(await totalJobs((await makeOwner()).id, {})).toMatchObject({ jobs: 0, credits: 0 })
  })

  it.each([
    ['created', 'desc'],
    ['created', 'asc'],
    ['credits', 'desc'],
    ['credits', 'asc'],
    ['duration', 'desc'],
    ['duration', 'asc'],
  ] as const)('pages by %s, %s, show each job once while new ones are started', async (sort, order) => {
    const { owner, key } = await makeRunner()
    const at = new Date('2026-02-01T00:00:00Z')
    for (let i = 0; i < 7; i++) {
      const jobId = await makeJob({
        ownerId: owner.id,
        keyId: key.id,
        status: 'completed',
        title: `${i}`,
        createdAt: at,
      })
      const data = { credits: BigInt(i % 3), workedMs: BigInt(i % 2) * 1_000n }
      await prisma().job.update({ where: { id: jobId }, data })
    }
    const whole = await searchJobs(owner.id, SearchJobs.parse({ sort, order, limit: 100 }))
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await searchJobs(owner.id, SearchJobs.parse({ sort, order, limit: 2, cursor }))
      seen.push(...page.jobs.map(({ jobId }) => jobId))
      cursor = page.nextCursor ?? undefined
      if (sort === 'created' && order === 'desc')
        await makeJob({ ownerId: owner.id, keyId: key.id, status: 'completed', title: 'new' })
    } while (cursor)
    expect(seen).toEqual(whole.jobs.map(({ jobId }) => jobId))
    await expect(searchJobs(owner.id, SearchJobs.parse({ sort, order, cursor: 'abc' }))).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })
})

describe('a list that is looked at', () => {
  it('receives how its rows are now, and how many newer jobs match', async () => {
    const { owner, key, start, cancel } = await makeRunner()
    const first = await start('First')
    const { jobs } = await searchJobs(owner.id, SearchJobs.parse({ status: 'running' }))
    const since = jobs[0]?.createdAt
    await cancel(first)
    await mainPool().query('UPDATE job SET created_at = $2 WHERE id = $1', [first, since])
    await start('Second')
    await makeJob({ ownerId: owner.id, keyId: key.id, status: 'failed', title: 'Third' })
    const now = await watchListedJobs(owner.id, { ids: [first], status: 'running', since })
    expect(now).toMatchObject({ jobs: [{ title: 'First', status: 'cancelled' }], newer: 1 })
    expect(now.jobs[0]?.workedMs).toBeGreaterThan(0)
  })
})
