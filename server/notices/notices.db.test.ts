import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeJob } from '../../tests/support/job'
import { makeCaller, makeKey, makeOwner } from '../../tests/support/owners'
import { startMailServer } from '../../tests/support/smtp'
import { withReceiver } from '../../tests/support/webhook-receiver'
import { addMember, leaveAccount } from '../accounts/members/change'
import { deliverForOwner } from '../agent/webhooks/deliver'
import { signingSecrets } from '../agent/webhooks/secret'
import { createBudget } from '../credits/budgets/change'
import { inTransaction, mainPool, prisma } from '../db'
import { env } from '../env'
import { uuidv7 } from '../kit/id'
import { flushRefusals, noteRefusal } from '../request-log/note-refusal'
import { countUnreadNotices, listNotices, markNoticesRead } from './list'
import { saveMailChoices, saveNoticeSettings } from './settings'
import { NoticeKind } from './shape'
import { NOTICE_DATA } from './texts'
import { findNotices, sendNotices } from './work'

const receiver = withReceiver()
let mail: Awaited<ReturnType<typeof startMailServer>>

beforeAll(async () => {
  mail = await startMailServer()
  Object.assign(env(), { SMTP_URL: mail.url })
  return () => mail.stop()
})
const readerOf = (ownerId: number) => ({ ownerId, personId: ownerId, kinds: NoticeKind.options })

const textsOf = async (ownerId: number): Promise<string[]> =>
  (await listNotices(readerOf(ownerId), { limit: 100 })).rows.map(({ text }) => text).toSorted()

/** What the mail server took for an owner. */
const mailsTo = (email: string) => mail.mails.filter(({ to }) => to.includes(email))

const spend = (keyId: number, credits: number) =>
  mainPool().query('UPDATE "key" SET spent = spent + $2 WHERE id = $1', [keyId, credits])

describe('limits', () => {
  test('a budget that passes several percentages gets one notice, of the highest, and no second one', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 100, name: 'shop' })
    await spend(key.id, 85)
    await findNotices()
    await findNotices()
    expect(await textsOf(owner.id)).toEqual(['The key shop has used 80 %: 85 of 100 credits are spent.'])
    await spend(key.id, 15)
    await findNotices()
    expect(await textsOf(owner.id)).toContain('The key shop has used 100 %: 100 of 100 credits are spent.')
  })

  test('the balance counts from the last credits that were added', async () => {
    const owner = await makeOwner(1_000)
    await mainPool().query('UPDATE account SET available = 450 WHERE owner_id = $1', [owner.id])
    await findNotices()
    expect(await textsOf(owner.id)).toEqual(['50 % of the balance is used: 450 credits of 1,000 are left.'])
  })

  test('a budget of the account has percentages of its own, and a new end begins anew', async () => {
    const owner = await makeOwner(1_000)
    const budget = await inTransaction((tx) =>
      createBudget(tx, owner.id, { name: 'web', credits: 10, window: 'day', scope: {}, alertAt: [90] }),
    )
    await mainPool().query('UPDATE spend_limit SET spent = 8 WHERE id = $1', [budget.id])
    await findNotices()
    expect(await textsOf(owner.id)).toEqual([])
    await mainPool().query('UPDATE spend_limit SET spent = 9 WHERE id = $1', [budget.id])
    await findNotices()
    await mainPool().query('UPDATE spend_limit SET cap = 9 WHERE id = $1', [budget.id])
    await findNotices()
    expect(await textsOf(owner.id)).toEqual([
      'The budget web has used 90 %: 9 of 10 credits are spent today.',
      'The budget web has used 90 %: 9 of 9 credits are spent today.',
    ])
  })

  test('an account without percentages gets none', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 100 })
    await saveNoticeSettings(owner.id, { alertAt: [], callbackUrl: null, kinds: [] })
    await spend(key.id, 100)
    await findNotices()
    expect(await textsOf(owner.id)).toEqual([])
  })
})

describe('what else is found', () => {
  test('a limit that refuses calls is noticed once, with the answer; not where calls only wait for others', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 10, name: 'bot' })
    await spend(key.id, 9)
    await saveNoticeSettings(owner.id, { alertAt: [], callbackUrl: null, kinds: [] })
    const refusal = { id: uuidv7(), ownerId: owner.id, keyId: key.id, status: 402, code: 'insufficient_credits' }
    const limit = { limitSource: 'key_budget', limitName: 'bot', operation: 'query' } as const
    noteRefusal({ ...refusal, ...limit, reason: 'credits_reserved', message: '1 left while 1 is reserved.' })
    await flushRefusals()
    await findNotices()
    expect(await textsOf(owner.id)).toEqual([])
    noteRefusal({ ...refusal, ...limit, id: uuidv7(), reason: 'insufficient_credits', message: 'It has 1 left.' })
    await flushRefusals()
    // What it is raised to afterwards is not what refused.
    await mainPool().query('UPDATE "key" SET budget = 500 WHERE id = $1', [key.id])
    await findNotices()
    await findNotices()
    expect(await textsOf(owner.id)).toEqual(['The key bot refused a call. It has 1 left.'])
    const [notice] = await prisma().notice.findMany({ where: { ownerId: owner.id } })
    expect(notice?.data).toMatchObject({ message: 'It has 1 left.', limit: { resetsAt: null } })
  })

  test('a run that is answered before anybody was asked is not announced', async () => {
    const { owner, key } = await makeCaller()
    const running = () => makeJob({ ownerId: owner.id, keyId: key.id, status: 'running' })
    const [answered, waiting] = [await running(), await running()]
    await mainPool().query(
      `UPDATE job SET status = 'awaiting_input', awaiting = '{"kind": "question"}' WHERE id = ANY ($1::uuid[])`,
      [[answered, waiting]],
    )
    expect(await textsOf(owner.id)).toHaveLength(2)
    await mainPool().query(`UPDATE job SET status = 'running', awaiting = NULL WHERE id = $1`, [answered])
    await sendNotices()
    const left = await prisma().notice.findMany({ where: { ownerId: owner.id } })
    expect(left.map(({ data }) => (data as { jobId: string }).jobId)).toEqual([waiting])
  })

  test('an hour with five times the median of its product is unusual, once a day; half of that is not', async () => {
    const [quiet, loud] = [await makeOwner(), await makeOwner()]
    for (const [owner, last] of [
      [quiet, 490],
      [loud, 500],
    ] as const)
      await mainPool().query(
        `INSERT INTO usage_hour (owner_id, key_id, hour, channel, product, what, outcome, calls, charged, input_tokens, output_tokens)
         SELECT $1, -1, date_trunc('hour', now()) - make_interval(hours => n), 'rest', 'tool', 'web_search', 'ok', 1,
           CASE n WHEN 1 THEN $2::int ELSE 100 END, 0, 0 FROM generate_series(1, 20) n`,
        [owner.id, last],
      )
    await findNotices()
    await findNotices()
    expect(await textsOf(loud.id)).toEqual(['Tool calls took 500 credits within an hour; 100 are usual.'])
    expect(await textsOf(quiet.id)).toEqual([])
  })

  test('a key that expires within a week is noticed, one that was made for a day is not', async () => {
    const owner = await makeOwner()
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const [old] = [
      await makeKey(owner, { name: 'old', expiresAt: inDays(6) }),
      await makeKey(owner, { expiresAt: inDays(1) }),
    ]
    await mainPool().query(`UPDATE "key" SET created_at = now() - interval '30 days' WHERE id = $1`, [old.id])
    await findNotices()
    expect(await textsOf(owner.id)).toEqual([expect.stringMatching(/^The key old expires on /)])
  })

  test('runs that wait or fail are noticed as that is stored; one that a program started completes in silence', async () => {
    const { owner, key } = await makeCaller()
    const become = async (status: string) => {
      const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'running', title: status })
      await prisma().turn.updateMany({ where: { jobId }, data: { origin: 'api' } })
      await mainPool().query(
        `UPDATE job SET status = $2, awaiting = CASE $2 WHEN 'awaiting_input' THEN '{}'::jsonb END WHERE id = $1`,
        [jobId, status],
      )
    }
    for (const status of ['awaiting_input', 'failed', 'completed', 'cancelled']) await become(status)
    expect(await textsOf(owner.id)).toEqual(['A run failed: failed', 'A run waits for you: awaiting_input'])
  })
})

describe('what is sent', () => {
  test('a webhook of its kind is signed and delivered once, whoever looks', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 10, name: 'hook' })
    const url = receiver.url('/notices')
    await saveNoticeSettings(owner.id, { alertAt: [80], callbackUrl: url, kinds: ['limit'] })
    await spend(key.id, 8)
    await Promise.all([findNotices(), findNotices()])
    await Promise.all([sendNotices(), sendNotices()])
    const { signal } = new AbortController()
    await Promise.all([deliverForOwner(owner.id, signal), deliverForOwner(owner.id, signal)])
    const [first, ...others] = receiver.received('/notices')
    expect(others).toEqual([])
    if (!first) throw new Error('nothing came')
    const [secret = ''] = await signingSecrets(owner.id)
    expect(new Webhook(secret).verify(first.body, first.headers)).toMatchObject({
      type: 'notice.limit',
      data: {
        percent: 80,
        limit: { source: 'key_budget', cap: 10, spent: 8 },
        url: `${env().PUBLIC_URL}/keys/${key.id}`,
      },
    })
  })

  test('an e-mail has all that is due; what the server refuses is sent again later', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 10, name: 'mailed' })
    await spend(key.id, 10)
    await mainPool().query('UPDATE account SET available = 100 WHERE owner_id = $1', [owner.id])
    await findNotices()
    mail.state.refuse = true
    await sendNotices()
    mail.state.refuse = false
    await sendNotices()
    expect(mailsTo(owner.email)).toEqual([])
    await mainPool().query(`UPDATE notice_mail SET due_at = now() WHERE person_id = $1`, [owner.id])
    await Promise.all([sendNotices(), sendNotices()])
    expect(mailsTo(owner.email)).toMatchObject([{ subject: '2 notices of Tollgate' }])
    expect(mailsTo(owner.email)[0]?.text).toContain('The key mailed has used 100 %: 10 of 10 credits are spent.')
    expect(mailsTo(owner.email)[0]?.text).toContain(`${env().PUBLIC_URL}/keys/${key.id}`)
    expect(await prisma().noticeMail.count({ where: { personId: owner.id } })).toBe(0)
  })

  test('members get what their role is about, and nothing once they have left', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 10 })
    const [pays, builds] = [await makeOwner(0), await makeOwner(0)]
    await inTransaction(async (tx) => {
      await addMember(tx, { accountId: owner.id, personId: pays.id, role: 'billing' })
      await addMember(tx, { accountId: owner.id, personId: builds.id, role: 'developer' })
    })
    await spend(key.id, 10)
    await findNotices()
    await sendNotices()
    for (const { email } of [owner, pays]) expect(mailsTo(email)).toHaveLength(1)
    expect(mailsTo(builds.email)).toEqual([])

    await saveMailChoices({ ownerId: owner.id, personId: pays.id }, { limit: 'daily' })
    await mainPool().query('UPDATE account SET available = 0 WHERE owner_id = $1', [owner.id])
    await findNotices()
    await sendNotices()
    expect(await prisma().noticeMail.count({ where: { personId: pays.id } })).toBe(1)
    await leaveAccount({ accountId: owner.id, personId: pays.id })
    expect(await prisma().noticeMail.count({ where: { personId: pays.id } })).toBe(0)
  })

  test('a kind that a person has together comes at eight of the next morning, one that is off never', async () => {
    const { owner, key } = await makeCaller(1_000, { budget: 10 })
    await mainPool().query(`UPDATE owner SET time_zone = 'Asia/Tokyo' WHERE id = $1`, [owner.id])
    await saveMailChoices(readerOf(owner.id), { limit: 'daily', run_failed: 'off' })
    await spend(key.id, 10)
    const jobId = await makeJob({ ownerId: owner.id, keyId: key.id, status: 'running' })
    await mainPool().query(`UPDATE job SET status = 'failed' WHERE id = $1`, [jobId])
    await findNotices()
    await sendNotices()
    expect(mailsTo(owner.email)).toEqual([])
    const [due, ...others] = await prisma().noticeMail.findMany({ where: { personId: owner.id } })
    expect(others).toEqual([])
    const hours = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Asia/Tokyo' })
    expect(hours.format(due?.dueAt)).toBe('08')
    const aheadMs = (due?.dueAt.getTime() ?? 0) - Date.now()
    expect(aheadMs).toBeGreaterThan(0)
    expect(aheadMs).toBeLessThanOrEqual(86_400_000)
  })
})

test('reading moves the mark of one person forward, never back', async () => {
  const { owner, key } = await makeCaller(1_000, { budget: 10 })
  const reader = readerOf(owner.id)
  await spend(key.id, 10)
  await findNotices()
  expect(await countUnreadNotices(reader)).toBe(1)
  await markNoticesRead(reader, new Date())
  await markNoticesRead(reader, new Date(0))
  expect(await countUnreadNotices(reader)).toBe(0)
  expect(await countUnreadNotices({ ...reader, personId: -1 })).toBe(1)
  expect((await listNotices(reader, { limit: 10 })).rows).toMatchObject([{ isUnread: false }])
})

test('what the notices above are about has the fields of its shape and no other, as webhooks and clients have it', async () => {
  const stored = await prisma().notice.findMany()
  for (const { kind, data } of stored)
    expect({ kind, data: JSON.parse(JSON.stringify(NOTICE_DATA[NoticeKind.parse(kind)].parse(data))) }).toEqual({
      kind,
      data,
    })
  const found: NoticeKind[] = ['limit', 'limit_refused', 'unusual_spend', 'key_expiring', 'run_waiting', 'run_failed']
  expect(stored.map(({ kind }) => kind)).toEqual(expect.arrayContaining(found))
})
