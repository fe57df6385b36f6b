import { expect, it } from 'vitest'
import { makeDelivery, makeJob } from '../../../tests/support/job'
import { makeCaller, makeOwner } from '../../../tests/support/owners'
import { dismissFailures } from '../../agent/jobs/waiting'
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
  const undelivered = [
    {
      text: `2 webhooks to example.com failed, the last of: Not sent`,
      href: `/jobs/${failed}`,
      receiver: 'example.com',
    },
  ]
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

it('failed webhooks are grouped by receiver, and dismissed until another one fails', async () => {
  const { owner, key } = await makeCaller(1_000, { agent: true })
  const job = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'failed', title: 'Report' })
  const fail = async (host: string) => {
    const id = await makeDelivery(owner.id, job)
    await prisma().webhookDelivery.update({ where: { id }, data: { host } })
  }
  const textsOf = async () => (await needsOf(owner.id)).flatMap(({ items }) => items.map(({ text }) => text))
  for (let i = 0; i < 2; i++) await fail('one.example')
  await fail('two.example')
  const of = { one: '2 webhooks to one.example failed, the last of: Report' }
  expect(await textsOf()).toEqual(['A webhook to two.example failed: Report', of.one])
  await dismissFailures((await makeOwner()).id, 'two.example')
  await dismissFailures(owner.id, 'two.example')
  expect(await textsOf()).toEqual([of.one])
  await fail('two.example')
  expect(await textsOf()).toHaveLength(2)
})

it('a balance is named when it is gone, or soon will be', () => {
  const textOf = (available: number, daysLeft: number | null, of: 'days' | 'hours' = 'days') =>
    balanceNeeds(available, { daysLeft, of })[0]?.items[0]?.text
  expect([textOf(5_000, null), textOf(5_000, 40)]).toEqual([undefined, undefined])
  expect(textOf(5_000, 1.51)).toBe('At the rate of the last days the balance lasts 1.5 days.')
  expect(textOf(5_000, 0.2, 'hours')).toBe('At the rate of the last hours the balance lasts 5 hours.')
  expect(textOf(0, 0)).toContain('No credits are left')
})

it('the limit of today matters once a tenth of it is left', () => {
  const limit = { credits: 100, spent: 0, held: 0, remaining: 100, resetsAt: '2026-11-24T00:00:00.000Z' }
  const textOf = (remaining: number) => dayLimitNeeds({ ...limit, remaining })[0]?.items[0]?.text
  expect([dayLimitNeeds(null), dayLimitNeeds({ ...limit, remaining: 10 })]).toEqual([[], []])
  expect(textOf(9)).toBe('9 of 100 credits are left of the limit of today.')
  for (const remaining of [0, -10]) expect(textOf(remaining)).toContain('is reached: calls are refused')
})
