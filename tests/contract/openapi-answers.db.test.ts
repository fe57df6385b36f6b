import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerIds } from '../../server/accounts/customers/names'
import { invite } from '../../server/accounts/members/invitations'
import { restOperations } from '../../server/api/operations'
import { createBudget } from '../../server/credits/budgets/change'
import { inTransaction, prisma } from '../../server/db'
import { env } from '../../server/env'
import { hostFile } from '../../server/files/put'
import { makeSecret } from '../../server/keys/secret'
import type { NewKey } from '../../server/keys/shape'
import { uuidv7 } from '../../server/kit/id'
import { setRequestLog } from '../../server/request-log/consent'
import { findRequestLog } from '../../server/request-log/read'
import { publishSite } from '../../server/sites/publish'
import { availableTools } from '../../server/tools/registry'
import { closeChromium } from '../../server/tools/web/chromium'
import { scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { callQuery, send, type TestResponse, withSandbox } from '../support/api'
import { CHAT_MODEL, CHAT_PATH, scriptedBody } from '../support/chat'
import { makeFile } from '../support/file'
import { makeDelivery } from '../support/job'
import { makeManagementKey } from '../support/management'
import { messagesBody } from '../support/messages'
import { loadOpenApi } from '../support/openapi'
import { openApiSamples, type Sample } from '../support/openapi-samples'
import { joinSomebody, makeCaller, makeKey, type TestOwner } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { scriptedResponse } from '../support/responses'
import { exampleOf } from '../support/tool'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()
afterAll(closeChromium)

const EVERYTHING: Partial<NewKey> = { llm: true, agent: true, agentRunBudgetCredits: 1_000_000 }
/** What operations that are no procedures have of these. */
const OTHERS: Record<string, { isOpen: boolean; traits: string[] }> = {
  getOpenApi: { isOpen: true, traits: [] },
  callMcp: { isOpen: false, traits: [] },
  getFile: { isOpen: true, traits: ['named'] },
}
const known = new Map(restOperations().map((operation) => [operation.openapi.operationId, operation]))
const traitsOf = (id: string): readonly string[] => known.get(id)?.rest.traits ?? OTHERS[id]?.traits ?? []
const ids = [...known.keys(), ...Object.keys(OTHERS)]
const withTrait = (...traits: string[]) => ids.filter((id) => traitsOf(id).some((trait) => traits.includes(trait)))

const BUDGET = { name: 'shop', credits: 9, window: 'day', scope: { customers: 'each' } } as const

let openApi: Awaited<ReturnType<typeof loadOpenApi>>
let samples: Record<string, Sample>
let key: string
let managerKey: string
let owner: TestOwner
beforeAll(async () => {
  openApi = await loadOpenApi()
  const caller = await makeCaller(10_000_000, EVERYTHING)
  key = caller.key.key
  owner = caller.owner
  managerKey = (await makeManagementKey(owner)).key
  const stores = ['homes', 'flats', 'old'].map((name) => ({
    name: 'dataset_create',
    arguments: { name, rows: [{ city: 'Olbia' }] },
  }))
  await publishSite(owner.id, { slug: 'sample-site', files: [{ path: 'index.html', content: 'x' }] })
  const small = await makeKey(owner, { agent: true, agentRunBudgetCredits: 5_000 })
  const { body } = await startAgentRun(small.key, {
    goal: scriptedGoal({ turns: [{ toolCalls: stores }, { text: 'Done.' }] }),
  })
  await untilStatus(key, body.jobId, 'completed')
  Object.assign(env(), { REQUEST_LOG: 'on' })
  await setRequestLog(owner.id, true)
  const call = await callQuery(key, 'crypto_get_prices', { coinIds: ['bitcoin'] })
  const requestId = call.headers.get('x-request-id') ?? ''
  await pollUntil('the request log', () => findRequestLog({ ownerId: owner.id, keyId: null }, requestId))
  const { url } = await hostFile({ ownerId: caller.owner.id, bytes: Buffer.from('x'), contentType: 'text/plain' })
  const task = await send('/api/v1/query', {
    key,
    headers: { prefer: 'respond-async' },
    body: { tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } },
  })
  const cancelled = {
    id: uuidv7(),
    ownerId: owner.id,
    holderId: uuidv7(),
    tool: 'crypto_get_prices',
    isCancelled: true,
  }
  await prisma().mcpTask.create({ data: cancelled })
  const yearly = { cron: '0 9 1 1 *', goal: scriptedGoal({ text: 'Done.' }) }
  const made = await Promise.all([1, 2].map(() => send('/api/v1/agent/schedules', { key, body: yearly })))
  const [scheduleId = '', oldScheduleId = ''] = made.map(({ body: schedule }) => String(schedule.scheduleId))
  const [managed, oldManaged] = [await makeKey(owner, { externalId: 'crm-7' }), await makeKey(owner)]
  const [budget, oldBudget] = await inTransaction((tx) =>
    Promise.all(['crm-7', null].map((externalId) => createBudget(tx, owner.id, { ...BUDGET, externalId }))),
  )
  const respond = async (more: Record<string, unknown> = {}) =>
    String((await send('/api/v1/responses', { key, body: scriptedResponse({ text: 'Hi.' }, more) })).body.id)
  const converse = async (text: string) => {
    const items = [{ type: 'message', role: 'user', content: text }]
    const { body: made } = await send('/api/v1/conversations', { key, body: { items } })
    const listed = await send(`/api/v1/conversations/${made.id}/items`, { key })
    return { id: String(made.id), itemId: String((listed.body.data as { id: string }[])[0]?.id) }
  }
  const conversation = await converse('One.')
  samples = openApiSamples({
    responseId: await respond(),
    oldResponseId: await respond(),
    backgroundId: await respond({ background: true }),
    conversationId: conversation.id,
    itemId: conversation.itemId,
    oldConversationId: (await converse('Two.')).id,
    memberId: await joinSomebody(owner.id),
    oldMemberId: await joinSomebody(owner.id),
    invitationId: (await invite({ accountId: owner.id, by: 'admin', madeBy: 'ops' }, { role: 'viewer', email: null }))
      .id,
    budgetId: String(budget?.id),
    oldBudgetId: String(oldBudget?.id),
    managedId: managed.id,
    customerId: (await customerIds(owner.id, ['acme'])).get('acme') ?? 0,
    oldManagedId: oldManaged.id,
    scheduleId,
    oldScheduleId,
    jobId: String(body.jobId),
    deliveryId: await makeDelivery(caller.owner.id, String(body.jobId)),
    requestId,
    taskId: String(task.body.taskId),
    cancelledTaskId: cancelled.id,
    file: new URL(url).pathname,
    oldFileId: (await makeFile(owner.id)).id,
  })
})

/** Whether an operation takes a management key. */
const isManaged = (id: string) => known.get(id)?.openapi.path.startsWith('/manage/') ?? false

const sampleOf = (id: string): Sample => samples[id] ?? expect.unreachable(`no sample of ${id}`)

/** Sends a request to an operation, and compares its answer with the document. */
async function ask(id: string, given: Partial<Parameters<typeof send>[1]> & { path?: string } = {}) {
  const { method, path, body, headers } = sampleOf(id)
  const { path: otherPath = path, ...more } = given
  const hasBody = 'body' in more || 'raw' in more
  const answer = await send(otherPath, {
    method,
    key: isManaged(id) ? managerKey : key,
    ...(body && !hasBody && { body: body() }),
    ...more,
    headers: { ...headers, ...more.headers },
  })
  openApi.expectDescribed(id, answer)
  return answer
}

const statusOf = async (answer: Promise<TestResponse>) => (await answer).status

it('has a sample of every operation', () => {
  expect(openApi.operations.map(({ id }) => id).sort()).toEqual(Object.keys(samples).sort())
})

describe('successes are as the document says', () => {
  const FINISHED = ['answerAgentJob', 'cancelAgentJob']
  it.each(ids.filter((id) => !FINISHED.includes(id)))('%s', async (id) => {
    const { status, text } = await ask(id)
    expect(status, text).toBeLessThan(300)
    expect(status).toBe(known.get(id)?.success ?? 200)
  })

  it.each(availableTools().map(({ id }) => id))('query with %s', async (tool) => {
    expect(await statusOf(ask('query', { body: { tool, params: exampleOf(tool) } }))).toBe(200)
  })

  it('of a run that asks, is answered and cancelled', async () => {
    const plan = { toolCalls: [{ name: 'present_plan', arguments: { plan: 'Go.' } }] }
    const asking = scriptedGoal({ turns: [plan, { text: 'Done.' }] })
    const { body } = await startAgentRun(key, { goal: asking, mode: 'interactive', wait: true })
    const job = `/api/v1/agent/${body.jobId}`
    expect(body.status).toBe('awaiting_input')
    await ask('getAgentJob', { path: job })
    expect(await statusOf(ask('answerAgentJob', { path: `${job}/answer` }))).toBe(200)
    await untilStatus(key, body.jobId, 'completed', 'awaiting_input')
    const { body: other } = await startAgentRun(key, { goal: scriptedGoal({ delayMs: 5_000, text: 'x' }) })
    expect(await statusOf(ask('cancelAgentJob', { path: `/api/v1/agent/${other.jobId}/cancel` }))).toBe(200)
    await ask('listAgentSteps', { path: `${job}/steps` })
  })

  it('of a run that was waited for, and of one that was started before', async () => {
    const body = { goal: scriptedGoal({ text: 'Done.' }), idempotencyKey: randomUUID(), wait: true }
    expect(await statusOf(ask('startAgentRun', { body }))).toBe(200)
    const again = await ask('startAgentRun', { body: { ...body, wait: false } })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  it('of streams, Markdown and events', async () => {
    for (const [id, body] of [
      ['chatCompletion', scriptedBody({ text: 'Hi.' }, { stream: true })],
      ['createResponse', scriptedResponse({ text: 'Hi.' }, { stream: true })],
      ['createMessage', messagesBody(CHAT_MODEL, { text: 'Hi.' }, { stream: true })],
    ] as const) {
      const { headers } = await ask(id, { body })
      expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    }
    const markdown = await ask('getCatalog', { path: '/api/v1/catalog?format=md' })
    expect(markdown.headers.get('content-type')).toMatch(/^text\/markdown/)
    const events = await ask('watchAgentJob')
    const last = [...events.text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? ''
    expect(await statusOf(ask('watchAgentJob', { headers: { 'last-event-id': last } }))).toBe(204)
  })

  it('of MCP: lists, notifications, messages that are not understood, and progress', async () => {
    const accept = 'application/json, text/event-stream'
    const params = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] }, _meta: { progressToken: 1 } }
    const rpc = (message: object) => ask('callMcp', { headers: { accept }, body: { jsonrpc: '2.0', ...message } })
    expect((await rpc({ id: 1, method: 'tools/list' })).status).toBe(200)
    expect((await rpc({ method: 'notifications/initialized' })).status).toBe(202)
    expect((await rpc({ id: 1, method: 'tools/call', params })).headers.get('content-type')).toMatch(/event-stream/)
    expect(await statusOf(ask('callMcp', { body: {} }))).toBe(400)
    expect(await statusOf(ask('callMcp', { raw: '{' }))).toBe(400)
    expect(await statusOf(ask('callMcp', { headers: { origin: 'http://evil.example' } }))).toBe(403)
  })

  it('of files: parts, and what has not changed', async () => {
    const etag = (await ask('getFile', { key: undefined })).headers.get('etag') ?? ''
    expect(await statusOf(ask('getFile', { headers: { 'if-none-match': etag } }))).toBe(304)
    expect(await statusOf(ask('getFile', { headers: { range: 'bytes=0-0' } }))).toBe(206)
    expect(await statusOf(ask('getFile', { headers: { range: 'bytes=9-' } }))).toBe(416)
  })
})

describe('refusals are as the document says', () => {
  const keyed = ids.filter((id) => id !== 'getFile')
  const posts = () => keyed.filter((id) => sampleOf(id).method === 'POST')

  it('401, also where no key is needed', async () => {
    for (const id of keyed) {
      expect(await statusOf(ask(id, { key: makeSecret() })), id).toBe(401)
      const isOpen = known.get(id)?.openapi.protect === false || OTHERS[id]?.isOpen
      expect(await statusOf(ask(id, { key: undefined })), id).toBe(isOpen ? 200 : 401)
    }
  })

  it('429', async () => {
    const { key: limited } = await makeCaller(10_000_000, { ...EVERYTHING, rpm: 1 })
    await send('/api/v1/key', { key: limited.key })
    for (const id of keyed.filter((each) => each !== 'callMcp'))
      expect(await statusOf(ask(id, { key: limited.key })), id).toBe(429)
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect(await statusOf(ask('callMcp', { key: limited.key, body: list }))).toBe(429)
  })

  it('400, 413 and 415', async () => {
    for (const id of posts()) {
      expect(await statusOf(ask(id, { raw: '{' })), id).toBe(400)
      expect(await statusOf(ask(id, { raw: '{"a":1}', headers: { 'content-type': 'text/plain' } })), id).toBe(415)
      expect(await statusOf(ask(id, { raw: Buffer.alloc(21 * 1024 * 1024) })), id).toBe(413)
    }
    for (const id of keyed.filter((each) => sampleOf(each).method === 'GET')) {
      if (known.get(id)?.ignoresUnknown || OTHERS[id] || known.get(id)?.ownHandler) continue
      expect(await statusOf(ask(id, { path: `${sampleOf(id).path}?nobodyKnows=1` })), id).toBe(400)
    }
  })

  it('403', async () => {
    const closed = await makeKey(owner, { tools: [] })
    for (const id of withTrait('granted')) expect(await statusOf(ask(id, { key: closed.key })), id).toBe(403)
  })

  it('404', async () => {
    const stranger = await makeCaller(10_000_000, EVERYTHING)
    const strangeManager = await makeManagementKey(stranger.owner)
    for (const id of withTrait('named')) {
      if (id === 'startAgentRun') {
        const { body } = sampleOf(id)
        const asked = ask(id, { body: { ...body?.(), conversationId: randomUUID() } })
        expect(await statusOf(asked), id).toBe(404)
      } else if (id === 'listModelEndpoints')
        expect(await statusOf(ask(id, { path: '/api/v1/models/nobody/knows/endpoints' })), id).toBe(404)
      else if (id === 'getModel') expect(await statusOf(ask(id, { path: '/api/v1/models/nobody/knows' })), id).toBe(404)
      else if (id === 'getFile') expect(await statusOf(ask(id, { path: '/files/nothing' })), id).toBe(404)
      else expect(await statusOf(ask(id, { key: (isManaged(id) ? strangeManager : stranger.key).key })), id).toBe(404)
    }
  })

  it('402', async () => {
    const { key: poor } = await makeCaller(0, EVERYTHING)
    // A schedule and a job of the same owner.
    const bounded = await makeKey(owner, { ...EVERYTHING, budget: 99 })
    for (const id of withTrait('billed', 'paid')) {
      const { key: empty } = ['runAgentSchedule', 'rerunAgentJob'].includes(id) ? bounded : poor
      expect(await statusOf(ask(id, { key: empty })), id).toBe(402)
    }
  })

  it('409 and 422, and the header of a replay', async () => {
    for (const id of withTrait('idempotent')) {
      const headers = { 'idempotency-key': randomUUID() }
      const body = sampleOf(id).body?.()
      await ask(id, { headers, body })
      expect((await ask(id, { headers, body })).headers.get('idempotent-replayed'), id).toBe('true')
      expect(
        await statusOf(ask(id, { headers, body: { ...body, user: 'somebody', tool: 'web_search' } })),
        id,
      ).toBeOneOf([400, 422])
    }
    for (const id of withTrait('repeatable')) {
      const headers = { 'idempotency-key': randomUUID() }
      const body = sampleOf(id).body?.()
      await ask(id, { headers, body })
      expect((await ask(id, { headers, body })).headers.get('idempotent-replayed'), id).toBe('true')
      const others: Record<string, object> = { rotateKey: { overlapMinutes: 1 }, createInvitation: { role: 'billing' } }
      const other = others[id] ?? { name: 'another' }
      expect(await statusOf(ask(id, { headers, body: { ...body, ...other } })), id).toBe(422)
    }
    for (const id of ['answerAgentJob', 'cancelAgentJob']) expect(await statusOf(ask(id)), id).toBe(409)
  })

  it('412', async () => {
    // What its own sample has deleted is no more.
    const elsewhere: Record<string, string> = {
      deleteBudget: sampleOf('readBudget').path,
      removeMember: sampleOf('readMember').path,
    }
    for (const id of withTrait('matched')) {
      const path = elsewhere[id] ?? sampleOf(id).path
      expect(await statusOf(ask(id, { path, headers: { 'if-match': '"x"' } })), id).toBe(412)
    }
  })

  it('502', async () => {
    const failing = { tool: 'crypto_get_prices', params: { coinIds: ['sandbox-500'] } }
    expect(await statusOf(ask('query', { body: failing }))).toBe(502)
    for (const [id, body] of [
      ['chatCompletion', scriptedBody({ status: 500 })],
      ['createResponse', scriptedResponse({ status: 500 })],
      ['createMessage', messagesBody(CHAT_MODEL, { status: 500 })],
    ] as const)
      expect(await statusOf(ask(id, { body })), id).toBe(502)
  })
})

it('a status that the document lacks fails', async () => {
  const answer = await send(CHAT_PATH, { key, body: scriptedBody({ text: 'x' }) })
  expect(() => openApi.expectDescribed('getKey', { ...answer, status: 418 })).toThrow(/lacks getKey 418/)
  expect(() => openApi.expectDescribed('getKey', answer)).toThrow()
})
