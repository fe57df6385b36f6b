import { beforeAll, describe, expect, test } from 'vitest'
import { customerIds } from '../../server/accounts/customers/names'
import { invite } from '../../server/accounts/members/invitations'
import { makeSessionCookie } from '../../server/accounts/session'
import { createSchedule } from '../../server/agent/schedules/create'
import { makeContext } from '../../server/api/context'
import { appRouter } from '../../server/api/router'
import { createCallerFactory, toAppError } from '../../server/api/trpc'
import { conversationItemsOf, createConversation } from '../../server/chat/responses/conversations'
import { writeRow } from '../../server/chat/responses/rows'
import { createBudget } from '../../server/credits/budgets/change'
import { inTransaction, mainPool, prisma } from '../../server/db'
import { readCallerGrants } from '../../server/keys/grants'
import { uuidv7 } from '../../server/kit/id'
import { idFor } from '../../server/models/wires/responses/response'
import { countRequest, flushRequests } from '../../server/request-log/count-requests'
import { flushRefusals, noteRefusal } from '../../server/request-log/note-refusal'
import { createTask } from '../../server/tools/tasks'
import { withSandbox } from '../support/api'
import { makeFile } from '../support/file'
import { takeHold } from '../support/hold'
import { makeDelivery, makeJob } from '../support/job'
import { makeManagementKey } from '../support/management'
import { joinSomebody, makeCaller } from '../support/owners'
import { settleById } from '../support/settle'

withSandbox()

type Procedure = { _def: { type: string; inputs: { shape?: Record<string, unknown> }[]; meta?: { openapi?: unknown } } }
/**
 * Those of operators act on any owner: tests/contract/operators.db.test.ts shows that nobody else
 * gets in.
 */
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>).filter(
  ([name]) => !name.startsWith('operators.'),
)

/** Fields that name one thing; what a caller's own programs call a thing names nobody else's. */
const NAMES_ONE = /^(id|(?!external).*Id)$/
const OF_OWN_NAMES = ['public.manage.keys.declare', 'public.manage.budgets.declare']

/**
 * How to name something of a victim's, and something that never was, for each procedure that takes
 * an id.
 */
type Victim = {
  accountId: number
  memberId: number
  invitationId: string
  keyId: number
  customerId: number
  requestId: string
  sessionId: string
  responseId: string
  conversationId: string
  itemId: string
  passkeyId: string
  pausedId: string
  doneId: string
  doneRunId: string
  taskId: string
  deliveryId: string
  scheduleId: string
  budgetId: string
  fileId: string
}
const NAMED: Record<string, { of: (victim: Victim) => object; never: object }> = {
  'library.removeFile': { of: ({ fileId }) => ({ id: fileId }), never: { id: '0'.repeat(32) } },
  'public.library.deleteFile': { of: ({ fileId }) => ({ id: fileId }), never: { id: '0'.repeat(32) } },
  'keys.get': { of: (v) => ({ id: v.keyId }), never: { id: 2_000_000_000 } },
  'keys.change': {
    of: (v) => ({ id: v.keyId, changes: { name: 'mine now' } }),
    never: { id: 2_000_000_000, changes: { name: 'x' } },
  },
  'keys.revoke': { of: (v) => ({ id: v.keyId }), never: { id: 2_000_000_000 } },
  'keys.rotate': { of: (v) => ({ id: v.keyId, overlapMinutes: 5 }), never: { id: 2_000_000_000 } },
  'public.manage.customers.get': { of: (v) => ({ id: v.customerId }), never: { id: 2_000_000_000 } },
  'public.manage.customers.change': {
    of: (v) => ({ id: v.customerId, suspended: true }),
    never: { id: 2_000_000_000, suspended: true },
  },
  'public.manage.customers.deleteName': { of: (v) => ({ id: v.customerId }), never: { id: 2_000_000_000 } },
  'public.manage.keys.get': { of: (v) => ({ id: v.keyId }), never: { id: 2_000_000_000 } },
  'public.manage.keys.change': {
    of: (v) => ({ id: v.keyId, name: 'mine now' }),
    never: { id: 2_000_000_000, name: 'x' },
  },
  'public.manage.keys.revoke': { of: (v) => ({ id: v.keyId }), never: { id: 2_000_000_000 } },
  'public.manage.keys.rotate': { of: (v) => ({ id: v.keyId, overlapMinutes: 5 }), never: { id: 2_000_000_000 } },
  ...Object.fromEntries(
    ['budgets', 'public.manage.budgets'].flatMap((at) =>
      ['get', 'customers', 'remove'].map((name) => [
        `${at}.${name}`,
        { of: (v: Victim) => ({ id: v.budgetId }), never: { id: uuidv7() } },
      ]),
    ),
  ),
  'budgets.change': {
    of: (v) => ({ id: v.budgetId, changes: { credits: 9 } }),
    never: { id: 'no uuid', changes: { credits: 9 } },
  },
  'public.manage.budgets.change': {
    of: (v) => ({ id: v.budgetId, credits: 9 }),
    never: { id: 'no uuid', credits: 9 },
  },
  'public.manage.members.change': {
    of: (v) => ({ id: v.memberId, role: 'viewer' }),
    never: { id: 2_000_000_000, role: 'viewer' },
  },
  'public.manage.members.get': { of: (v) => ({ id: v.memberId }), never: { id: 2_000_000_000 } },
  'public.manage.members.remove': { of: (v) => ({ id: v.memberId }), never: { id: 2_000_000_000 } },
  'public.manage.members.withdraw': { of: (v) => ({ id: v.invitationId }), never: { id: uuidv7() } },
  'members.changeRole': {
    of: (v) => ({ personId: v.memberId, role: 'viewer' }),
    never: { personId: 2_000_000_000, role: 'viewer' },
  },
  'members.remove': { of: (v) => ({ personId: v.memberId }), never: { personId: 2_000_000_000 } },
  'members.withdraw': { of: (v) => ({ id: v.invitationId }), never: { id: uuidv7() } },
  'members.switchAccount': { of: (v) => ({ accountId: v.accountId }), never: { accountId: 2_000_000_000 } },
  'members.deleteAccount': { of: (v) => ({ accountId: v.accountId }), never: { accountId: 2_000_000_000 } },
  'security.removePasskey': { of: (v) => ({ id: v.passkeyId }), never: { id: 'bm9uZQ' } },
  'account.endSession': { of: (v) => ({ id: v.sessionId }), never: { id: uuidv7() } },
  'usage.get': { of: (v) => ({ requestId: v.requestId }), never: { requestId: uuidv7() } },
  'public.usage.log': { of: (v) => ({ requestId: v.requestId }), never: { requestId: uuidv7() } },
  'usage.step': { of: (v) => ({ requestId: v.requestId }), never: { requestId: uuidv7() } },
  'public.tasks.get': { of: (v) => ({ taskId: v.taskId }), never: { taskId: uuidv7() } },
  'public.tasks.cancel': { of: (v) => ({ taskId: v.taskId }), never: { taskId: uuidv7() } },
  'public.mcp.cancelTask': { of: (v) => ({ taskId: v.taskId }), never: { taskId: uuidv7() } },
  'public.generation': { of: (v) => ({ id: v.requestId }), never: { id: uuidv7() } },
  'public.usage.get': { of: (v) => ({ requestId: v.requestId }), never: { requestId: uuidv7() } },
  'jobs.live': {
    of: (v) => ({ jobId: v.pausedId, have: null }),
    never: { jobId: uuidv7(), have: null },
  },
  'jobs.get': { of: (v) => ({ jobId: v.pausedId }), never: { jobId: uuidv7() } },
  'jobs.steps': { of: (v) => ({ jobId: v.pausedId }), never: { jobId: uuidv7() } },
  'jobs.cancel': { of: (v) => ({ jobId: v.pausedId }), never: { jobId: uuidv7() } },
  'jobs.answer': {
    of: (v) => ({ jobId: v.pausedId, approved: true, feedback: 'Yes.' }),
    never: { jobId: uuidv7(), approved: true, feedback: 'Yes.' },
  },
  'jobs.deliveries': { of: (v) => ({ jobId: v.doneId }), never: { jobId: uuidv7() } },
  'jobs.sendDelivery': {
    of: (v) => ({ jobId: v.doneId, deliveryId: v.deliveryId }),
    never: { jobId: uuidv7(), deliveryId: uuidv7() },
  },
  'jobs.runKey': { of: (v) => ({ keyId: v.keyId }), never: { keyId: 2_000_000_000 } },
  'jobs.share': { of: (v) => ({ runId: v.doneRunId, shows: [] }), never: { runId: uuidv7(), shows: [] } },
  'jobs.unshare': { of: (v) => ({ runId: v.doneRunId }), never: { runId: uuidv7() } },
  'jobs.raiseLimit': {
    of: (v) => ({ jobId: v.pausedId, capCredits: 6_000 }),
    never: { jobId: uuidv7(), capCredits: 6_000 },
  },
  'jobs.rerun': {
    of: (v) => ({ jobId: v.doneId, keyId: v.keyId, idempotencyKey: uuidv7() }),
    never: { jobId: uuidv7(), keyId: 2_000_000_000, idempotencyKey: uuidv7() },
  },
  'jobs.estimate': { of: (v) => ({ keyId: v.keyId }), never: { keyId: 2_000_000_000 } },
  'jobs.start': {
    of: (v) => ({ goal: 'x', idempotencyKey: uuidv7(), keyId: v.keyId }),
    never: { goal: 'x', idempotencyKey: uuidv7(), keyId: 2_000_000_000 },
  },
  'public.schedules.get': { of: (v) => ({ scheduleId: v.scheduleId }), never: { scheduleId: uuidv7() } },
  'public.schedules.runs': { of: (v) => ({ scheduleId: v.scheduleId }), never: { scheduleId: uuidv7() } },
  'public.schedules.change': {
    of: (v) => ({ scheduleId: v.scheduleId, name: 'mine now' }),
    never: { scheduleId: uuidv7(), name: 'x' },
  },
  'public.schedules.pause': { of: (v) => ({ scheduleId: v.scheduleId }), never: { scheduleId: uuidv7() } },
  'public.schedules.resume': { of: (v) => ({ scheduleId: v.scheduleId }), never: { scheduleId: 'no uuid' } },
  'public.schedules.run': { of: (v) => ({ scheduleId: v.scheduleId }), never: { scheduleId: uuidv7() } },
  'public.schedules.remove': { of: (v) => ({ scheduleId: v.scheduleId }), never: { scheduleId: uuidv7() } },
  'schedules.get': { of: (v) => ({ scheduleId: v.scheduleId }), never: { scheduleId: uuidv7() } },
  'schedules.runs': { of: (v) => ({ scheduleId: v.scheduleId }), never: { scheduleId: uuidv7() } },
  'schedules.pause': { of: (v) => ({ scheduleId: v.scheduleId }), never: { scheduleId: uuidv7() } },
  'schedules.resume': { of: (v) => ({ scheduleId: v.scheduleId }), never: { scheduleId: uuidv7() } },
  'schedules.run': { of: (v) => ({ scheduleId: v.scheduleId }), never: { scheduleId: uuidv7() } },
  'schedules.remove': { of: (v) => ({ scheduleId: v.scheduleId }), never: { scheduleId: uuidv7() } },
  'schedules.change': {
    of: (v) => ({ scheduleId: v.scheduleId, keyId: v.keyId, name: 'mine now' }),
    never: { scheduleId: uuidv7(), keyId: 2_000_000_000, name: 'x' },
  },
  'schedules.create': {
    of: (v) => ({ cron: '0 9 1 1 *', goal: 'x', keyId: v.keyId }),
    never: { cron: '0 9 1 1 *', goal: 'x', keyId: 2_000_000_000 },
  },
  ...Object.fromEntries(
    ['get', 'delete', 'inputItems', 'cancel'].map((name) => [
      `public.keptResponses.${name}`,
      { of: (v: Victim) => ({ responseId: v.responseId }), never: { responseId: idFor('resp', uuidv7()) } },
    ]),
  ),
  ...Object.fromEntries(
    ['get', 'delete', 'items'].map((name) => [
      `public.conversations.${name}`,
      { of: (v: Victim) => ({ conversationId: v.conversationId }), never: { conversationId: idFor('conv', uuidv7()) } },
    ]),
  ),
  'public.conversations.change': {
    of: (v) => ({ conversationId: v.conversationId, metadata: {} }),
    never: { conversationId: idFor('conv', uuidv7()), metadata: {} },
  },
  'public.conversations.addItems': {
    of: (v) => ({ conversationId: v.conversationId, items: [{ role: 'user', content: 'x' }] }),
    never: { conversationId: idFor('conv', uuidv7()), items: [{ role: 'user', content: 'x' }] },
  },
  'public.conversations.deleteItem': {
    of: (v) => ({ conversationId: v.conversationId, itemId: v.itemId }),
    never: { conversationId: idFor('conv', uuidv7()), itemId: 'msg_1' },
  },
  'public.mcp.getTask': { of: (v) => ({ taskId: v.taskId }), never: { taskId: uuidv7() } },
  'public.agent.get': { of: (v) => ({ jobId: v.pausedId }), never: { jobId: uuidv7() } },
  'public.agent.steps': { of: (v) => ({ jobId: v.pausedId }), never: { jobId: 'no uuid' } },
  'public.agent.events': { of: (v) => ({ jobId: v.pausedId }), never: { jobId: uuidv7() } },
  'public.agent.raiseLimit': {
    of: (v) => ({ jobId: v.pausedId, capCredits: 6_000 }),
    never: { jobId: uuidv7(), capCredits: 6_000 },
  },
  'public.agent.rerun': {
    of: (v) => ({ jobId: v.doneId, idempotencyKey: uuidv7() }),
    never: { jobId: uuidv7(), idempotencyKey: uuidv7() },
  },
  'public.agent.cancel': { of: (v) => ({ jobId: v.pausedId }), never: { jobId: uuidv7() } },
  'public.agent.answer': {
    of: (v) => ({ jobId: v.pausedId, approved: true, feedback: 'Yes.' }),
    never: { jobId: uuidv7(), approved: true, feedback: 'Yes.' },
  },
  'public.agent.deliveries': { of: (v) => ({ jobId: v.doneId }), never: { jobId: uuidv7() } },
  'public.agent.sendDelivery': {
    of: (v) => ({ jobId: v.doneId, deliveryId: v.deliveryId }),
    never: { jobId: uuidv7(), deliveryId: uuidv7() },
  },
  'public.agent.start': {
    of: (v) => ({ goal: 'x', idempotencyKey: uuidv7(), conversationId: v.doneId, mode: 'autonomous', wait: false }),
    never: { goal: 'x', idempotencyKey: uuidv7(), conversationId: uuidv7(), mode: 'autonomous', wait: false },
  },
}

/**
 * Procedures where an id only narrows a list of the owner's own: another owner's narrows it to
 * nothing.
 */
type Filter = { of: (victim: Victim) => object; nothing: object; mine: (victim: Victim) => object }
const receipts: Filter = {
  of: (v) => ({ keyId: v.keyId }),
  nothing: { rows: [] },
  mine: (v) => ({ rows: [{ requestId: v.requestId }] }),
}
const FILTERS: Record<string, Filter> = {
  'usage.refusals': receipts,
  'public.usage.refusals': receipts,
  'usage.refusalTotals': { of: receipts.of, nothing: { requests: 0 }, mine: () => ({ requests: 1 }) },
  'usage.list': receipts,
  'public.usage.list': receipts,
  'usage.find': { ...receipts, of: (v) => ({ id: v.requestId, limit: 5 }) },
  'usage.grouped': { ...receipts, mine: (v) => ({ rows: [{ receipt: { requestId: v.requestId } }] }) },
  'usage.totals': {
    of: (v) => ({ keyId: v.keyId }),
    nothing: { total: { calls: 0 }, series: [] },
    mine: () => ({ total: { calls: 1, charged: 5 } }),
  },
  'usage.pace': { of: (v) => ({ keyId: v.keyId }), nothing: { measured: 0 }, mine: () => ({ measured: 1 }) },
  'usage.log': {
    of: (v) => ({ requestId: v.requestId }),
    nothing: { log: null },
    mine: (v) => ({ log: { requestId: v.requestId } }),
  },
  'usage.newer': { of: (v) => ({ keyId: v.keyId, max: 5 }), nothing: { count: 0 }, mine: () => ({ count: 1 }) },
  'jobs.list': {
    of: (v) => ({ keyId: v.keyId, status: 'completed' }),
    nothing: { jobs: [] },
    mine: (v) => ({ jobs: [{ jobId: v.doneId }] }),
  },
  'jobs.totals': { of: (v) => ({ keyId: v.keyId }), nothing: { jobs: 0 }, mine: () => ({ jobs: 2 }) },
  'jobs.listed': {
    of: (v) => ({ keyId: v.keyId, ids: [v.doneId], since: '2020-01-01T00:00:00.000Z' }),
    nothing: { jobs: [], newer: 0 },
    mine: (v) => ({ jobs: [{ jobId: v.doneId }], newer: 2 }),
  },
}

const createCaller = createCallerFactory(appRouter)

type Person = Awaited<ReturnType<typeof person>>

/** Someone with a key and a finished call, and how they call a procedure: by key or by session. */
async function person() {
  const { owner, key } = await makeCaller(1_000, { llm: true, agent: true, agentRunBudgetCredits: 10_000 })
  const of = { ownerId: owner.id, keyId: key.id }
  const pausedId = await makeJob({ ...of, status: 'awaiting_input' })
  const doneId = await makeJob({ ...of, status: 'completed' })
  const { runId: doneRunId } = await prisma().turn.findFirstOrThrow({ where: { jobId: doneId } })
  const deliveryId = await makeDelivery(owner.id, doneId)
  const requestId = await takeHold(owner, 5, { keyId: key.id })
  await settleById({ id: requestId, actual: 5n, status: 'ok' })
  await prisma().owner.update({ where: { id: owner.id }, data: { keepsRequestLog: true } })
  await prisma().requestLog.create({ data: { id: requestId, ownerId: owner.id, request: '{}', response: '{}' } })
  const refused = { ...of, id: requestId, status: 402, code: 'insufficient_credits', reason: 'x', message: 'x' }
  noteRefusal({ ...refused, operation: 'query' })
  countRequest({ ...of, status: 402, ms: 1 })
  await Promise.all([flushRefusals(), flushRequests()])
  const grants = await readCallerGrants(key.id)
  const timing = { cron: '0 9 1 1 *', timeZone: 'UTC', goal: 'x', mode: 'autonomous' as const }
  const { scheduleId } = await createSchedule({ ownerId: owner.id, keyId: key.id, grants }, timing)
  const { id: taskId } = await createTask(owner.id, uuidv7())
  const [responseRow, keeper] = [uuidv7(), { ownerId: owner.id, days: 1 }]
  const kept = {
    input: [{ role: 'user', content: 'x' }],
    response: { id: idFor('resp', responseRow), background: true },
  }
  await writeRow(keeper, { id: responseRow, kind: 'response' }, kept)
  const conversation = await createConversation(keeper, { items: kept.input, metadata: {} })
  const [item] = await conversationItemsOf(owner.id, conversation.id)
  const cookie = await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id: owner.id } }))
  const byKey = createCaller(makeContext({ via: 'key', headers: new Headers({ authorization: `Bearer ${key.key}` }) }))
  const bySession = createCaller(
    makeContext({ via: 'session', headers: new Headers({ cookie: `${cookie.name}=${cookie.value}` }) }),
  )
  const manager = await makeManagementKey(owner)
  const byManager = createCaller(
    makeContext({ via: 'key', headers: new Headers({ authorization: `Bearer ${manager.key}` }) }),
  )
  const call = (name: string, input: unknown): Promise<unknown> => {
    let at: unknown = name.startsWith('public.manage.') ? byManager : name.startsWith('public.') ? byKey : bySession
    for (const part of name.split('.')) at = (at as Record<string, unknown>)[part]
    return (at as (input: unknown) => Promise<unknown>)(input)
  }
  const { id: sessionId } = await prisma().session.findFirstOrThrow({ where: { ownerId: owner.id } })
  const passkeyId = uuidv7()
  await prisma().passkey.create({
    data: { id: passkeyId, ownerId: owner.id, name: 'x', publicKey: new Uint8Array(1), counter: 0 },
  })
  const shop = { name: 'shop', credits: 5, window: 'month', scope: { customers: 'each' } } as const
  const { id: budgetId } = await inTransaction((tx) => createBudget(tx, owner.id, shop))
  const ofResponses = {
    responseId: kept.response.id,
    conversationId: conversation.id,
    itemId: String(item?.id),
  }
  const customerId = (await customerIds(owner.id, ['acme'])).get('acme') ?? 0
  const victim = {
    ...ofResponses,
    accountId: owner.id,
    memberId: await joinSomebody(owner.id),
    invitationId: (
      await invite({ accountId: owner.id, by: 'owner', madeBy: owner.email }, { role: 'viewer', email: null })
    ).id,
    keyId: key.id,
    customerId,
    requestId,
    sessionId,
    passkeyId,
    pausedId,
    doneId,
    doneRunId,
    taskId,
    deliveryId,
    scheduleId,
    budgetId,
    fileId: (await makeFile(owner.id)).id,
  }
  return { owner, key, victim, call }
}

/** Everything an owner has, to see that nothing of it changed. */
async function allOf(ownerId: number): Promise<unknown> {
  const read = (sql: string) =>
    mainPool()
      .query(sql, [ownerId])
      .then((r) => r.rows)
  return Promise.all([
    read('SELECT id, name, revoked_at, expires_at, rpm, budget FROM "key" WHERE owner_id = $1 ORDER BY id'),
    read('SELECT s.* FROM key_secret s JOIN "key" k ON k.id = s.key_id WHERE k.owner_id = $1 ORDER BY s.hash'),
    read('SELECT id FROM session WHERE owner_id = $1 ORDER BY id'),
    read('SELECT * FROM receipt WHERE owner_id = $1 ORDER BY id'),
    read('SELECT * FROM account WHERE owner_id = $1'),
    read('SELECT * FROM mcp_task WHERE owner_id = $1 ORDER BY id'),
    read('SELECT * FROM model_response WHERE owner_id = $1 ORDER BY id'),
    read('SELECT * FROM task_delivery WHERE owner_id = $1 ORDER BY id'),
    read('SELECT * FROM notice WHERE owner_id = $1 ORDER BY id'),
    read('SELECT * FROM notice_settings WHERE owner_id = $1'),
    read('SELECT * FROM job WHERE owner_id = $1 ORDER BY id'),
    read('SELECT * FROM budget WHERE owner_id = $1 ORDER BY id'),
    read('SELECT * FROM schedule WHERE owner_id = $1 ORDER BY id'),
    read('SELECT * FROM webhook_delivery WHERE owner_id = $1 ORDER BY id'),
    read('SELECT * FROM member WHERE account_id = $1 ORDER BY person_id'),
    read('SELECT * FROM invitation WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM customer WHERE owner_id = $1'),
    read('SELECT * FROM turn WHERE owner_id = $1 ORDER BY run_id'),
  ])
}

test('every procedure that takes an id is looked at here', () => {
  const taking = procedures.filter(
    ([name, { _def }]) =>
      !OF_OWN_NAMES.includes(name) &&
      _def.inputs.some((i) => Object.keys(i.shape ?? {}).some((f) => NAMES_ONE.test(f))),
  )
  expect(taking.map(([name]) => name).sort()).toEqual([...Object.keys(NAMED), ...Object.keys(FILTERS)].sort())
})

/** Two owners of whom no test may change anything: what changes is done to somebody new. */
let me: Person
let other: Person
beforeAll(async () => {
  me = await person()
  other = await person()
})

describe.each(Object.entries(NAMED))('%s', (name, { of, never }) => {
  test('says not_found of another owner’s, word for word as of what never was, and changes nothing', async () => {
    const before = await allOf(other.owner.id)
    const refusal = async (input: object) => {
      const error = await me.call(name, input).then(
        () => null,
        (e) => toAppError(e),
      )
      return error && { code: error.code, message: error.message, detail: error.detail }
    }
    const theirs = await refusal(of(other.victim))
    expect(theirs).toMatchObject({ code: 'not_found' })
    expect(theirs).toEqual(await refusal(never))
    expect(await allOf(other.owner.id)).toEqual(before)
  })

  test('finds the owner’s own', async () => {
    const isRead = Object.fromEntries(procedures)[name]?._def.type === 'query'
    const somebody = isRead ? me : await person()
    expect(await somebody.call(name, of(somebody.victim))).toBeTruthy()
  })
})

test.each(Object.entries(FILTERS))('%s shows nothing for another owner’s id', async (name, { of, nothing, mine }) => {
  const [me, other] = [await person(), await person()]
  expect(await me.call(name, of(other.victim))).toMatchObject(nothing)
  expect(await me.call(name, of(me.victim))).toMatchObject(mine(me.victim))
})

describe('without the right credentials', () => {
  const open = ['public.catalog', 'public.models.list', 'public.models.get', 'public.models.endpoints']
  const inputOf = (name: string) => NAMED[name]?.never ?? (name === 'public.query' ? { tool: 'x' } : {})
  const isOpen = (name: string) => open.includes(name) || name.startsWith('visitor.')
  const closed = procedures.map(([name]) => name).filter((name) => !isOpen(name))
  // Who is let in nowhere changes nothing, so that one is enough.
  let key: string
  let cookie: string
  beforeAll(async () => {
    const caller = await makeCaller()
    key = caller.key.key
    const { name, value } = await makeSessionCookie(
      await prisma().owner.findUniqueOrThrow({ where: { id: caller.owner.id } }),
    )
    cookie = `${name}=${value}`
  })

  test.each(closed)('%s is unauthorized: to nobody, and to the other kind', async (name) => {
    const via = name.startsWith('public.') ? 'key' : 'session'
    const wrong = via === 'key' ? { cookie } : { authorization: `Bearer ${key}`, 'x-api-key': key }
    for (const headers of [{}, wrong]) {
      let at: unknown = createCaller(makeContext({ via, headers: new Headers(headers as Record<string, string>) }))
      for (const part of name.split('.')) at = (at as Record<string, unknown>)[part]
      const error = await (at as (input: unknown) => Promise<unknown>)(inputOf(name)).catch((e) => e)
      expect(toAppError(error).code).toBe('unauthorized')
    }
  })

  test.each(closed)('%s is unauthorized through the other door, even with both', async (name) => {
    const via = name.startsWith('public.') ? 'session' : 'key'
    const headers = new Headers({ authorization: `Bearer ${key}`, cookie })
    let at: unknown = createCaller(makeContext({ via, headers }))
    for (const part of name.split('.')) at = (at as Record<string, unknown>)[part]
    const error = await (at as (input: unknown) => Promise<unknown>)(inputOf(name)).catch((e) => e)
    expect(toAppError(error).code).toBe('unauthorized')
  })
})
