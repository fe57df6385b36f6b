import { expect, it } from 'vitest'
import { makeDelivery, makeJob } from '../../../tests/support/job'
import { makeCaller, makeOwner } from '../../../tests/support/owners'
import { createSchedule } from '../../agent/schedules/create'
import { prisma } from '../../db'
import { readCallerGrants } from '../../keys/grants'
import { balanceNeeds, dayLimitNeeds, readNeeds } from './needs'

const needsOf = (ownerId: number) => readNeeds(ownerId, new AbortController().signal)

it('the first of each kind is shown, with how many more there are and where', async () => {
  const { owner, key } = await makeCaller(1_000, { agent: true })
  const of = { ownerId: owner.id, keyId: key.id }
  for (let i = 0; i < 7; i++) await makeJob({ ...of, status: 'awaiting_input', title: `Question ${i}` })
  const failed = await makeJob({ ...of, status: 'failed', title: 'Not sent' })
  await makeDelivery(owner.id, failed)
  await makeDelivery(owner.id, failed)
  const grants = await readCallerGrants(key.id)
  const timing = { cron: '0 9 1 1 *', timeZone: 'UTC', goal: 'x', mode: 'autonomous' as const, name: 'Nightly' }
  const { scheduleId } = await createSchedule({ ...of, grants }, timing)
  await prisma().key.update({ where: { id: key.id }, data: { budget: 100n, spent: 95n } })
  const [jobs, keys, webhooks] = await needsOf(owner.id)
  expect(jobs).toMatchObject({ kind: 'job', more: 2, href: '/jobs?status=awaiting_input' })
  expect(jobs?.items).toHaveLength(5)
  expect(jobs?.items[0]?.text).toMatch(/^A run waits for your input: Question \d$/)
  expect(keys).toMatchObject({ kind: 'key_budget', items: [{ href: `/keys/${key.id}` }], more: 0 })
  const undelivered = [{ text: 'A webhook was not delivered: Not sent', href: `/jobs/${failed}` }]
  expect(webhooks).toEqual({ kind: 'webhook', items: undelivered, more: 0, href: '/jobs?webhook=failed' })
  const paused = { pausedBy: 'failures', nextAt: null }
  await prisma().schedule.update({ where: { id: scheduleId }, data: paused })
  const schedule = (await needsOf(owner.id)).find(({ kind }) => kind === 'schedule')
  expect(schedule?.items).toEqual([
    { text: 'A schedule was paused after failures: Nightly', href: `/jobs/schedules/${scheduleId}` },
  ])
  await prisma().schedule.update({ where: { id: scheduleId }, data: { pausedBy: 'owner' } })
  expect((await needsOf(owner.id)).map(({ kind }) => kind)).toEqual(['job', 'key_budget', 'webhook'])
  expect(await needsOf((await makeOwner()).id)).toEqual([])
})

it('a balance is named when it is gone, or soon will be', () => {
  expect(balanceNeeds({ available: 5_000, left: null })).toEqual([])
  expect(balanceNeeds({ available: 5_000, left: 40 })).toEqual([])
  expect(balanceNeeds({ available: 5_000, left: 1.5 })[0]?.items[0]?.text).toContain('lasts 1.5 days')
  expect(balanceNeeds({ available: 0, left: 0 })[0]?.items[0]?.text).toContain('No credits are left')
})

it('the limit of today matters once a tenth of it is left', () => {
  const limit = { credits: 100, spent: 0, held: 0, remaining: 100, resetsAt: '2026-11-24T00:00:00.000Z' }
  const textOf = (remaining: number) => dayLimitNeeds({ ...limit, remaining })[0]?.items[0]?.text
  expect([dayLimitNeeds(null), dayLimitNeeds({ ...limit, remaining: 10 })]).toEqual([[], []])
  expect(textOf(9)).toBe('9 of 100 credits are left of the limit of today.')
  for (const remaining of [0, -10]) expect(textOf(remaining)).toContain('is reached: calls are refused')
})
