import { describe, expect, test } from 'vitest'
import { makeSessionCookie } from '../../server/accounts/session'
import { makeContext } from '../../server/api/context'
import { appRouter } from '../../server/api/router'
import { createCallerFactory } from '../../server/api/trpc'
import { planCall } from '../../server/chat/complete'
import { holdAndRun, settleRun } from '../../server/credits/perform'
import { getReceipt } from '../../server/credits/receipts'
import { mainPool, prisma } from '../../server/db'
import { uuidv7 } from '../../server/kit/id'
import { chatWireCall } from '../../server/models/wires/chat/call'
import type { AnyTool } from '../../server/tools/define'
import { exampleInput } from '../../server/tools/example'
import { availableTools } from '../../server/tools/registry'
import { withSandbox } from '../support/api'
import { callTool } from '../support/call-tool'
import { takeHold } from '../support/hold'
import { makeJob } from '../support/job'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { makeCaller, makeKey, makeOwner, type TestOwner } from '../support/owners'
import { settleById } from '../support/settle'

withSandbox()

const MODEL = 'northwind/gale-4'
const createCaller = createCallerFactory(appRouter)

/** The dashboard of a signed-in owner. */
async function dashboardOf({ id }: TestOwner) {
  const { name, value } = await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } }))
  return createCaller(makeContext({ via: 'session', headers: new Headers({ cookie: `${name}=${value}` }) }))
}

type Dashboard = Awaited<ReturnType<typeof dashboardOf>>

const estimateTool = async (api: Dashboard, tool: string, params: unknown) => {
  const estimate = await api.tools.estimate({ tool, params })
  if (!estimate) throw new Error(`no estimate of ${tool}`)
  return estimate
}

/** What is held for a call of a tool; the tool itself does nothing. */
async function heldFor(owner: TestOwner, tool: AnyTool, params: unknown): Promise<number> {
  const id = uuidv7()
  const idle = { ...tool, run: async () => ({}) }
  const payer = { ownerId: owner.id, keyId: null }
  await callTool({ tool: idle, params, payer, granted: true, id, channel: 'playground' })
  return (await getReceipt(owner.id, id)).credits.held
}

describe('the estimate of a tool call', () => {
  test('is what is held for it, for every tool, and moves nothing', async () => {
    const owner = await makeOwner(1_000_000)
    const api = await dashboardOf(owner)
    for (const tool of availableTools()) {
      const params = exampleInput(tool)
      const estimate = await api.tools.estimate({ tool: tool.id, params })
      expect([tool.id, estimate?.most]).toEqual([tool.id, await heldFor(owner, tool, params)])
    }
  })

  test('takes no credits and leaves no receipt', async () => {
    const owner = await makeOwner(1_000)
    const api = await dashboardOf(owner)
    await api.tools.estimate({ tool: 'video_generate', params: { prompt: 'Waves' } })
    await api.playground.estimate({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] })
    await expectUntouched(owner, 1_000)
  })

  test('follows the parameters, and says what they become', async () => {
    const api = await dashboardOf(await makeOwner(100_000))
    const ask = (given: object) => estimateTool(api, 'video_generate', { prompt: 'Waves', ...given })
    const [short, long] = [await ask({ durationSeconds: 2 }), await ask({ durationSeconds: 30 })]
    expect(long.most ?? 0).toBeGreaterThan(10 * (short.most ?? 0))
    expect(short).toMatchObject({ basis: 'estimate', typical: expect.any(Number), fitted: [] })
    expect((await ask({ durationSeconds: 90, resolution: '480p', aspectRatio: '2:3' })).fitted).toEqual([
      { param: 'durationSeconds', asked: '90 s', becomes: '30 s' },
      { param: 'resolution', asked: '480p', becomes: '720p' },
      { param: 'aspectRatio', asked: '2:3', becomes: '9:16' },
    ])
    const image = await estimateTool(api, 'image_generate', { prompt: 'Waves', aspectRatio: '21:9' })
    expect(image.fitted).toMatchObject([{ param: 'aspectRatio', asked: '21:9' }])
  })

  test('is unknown where only the provider knows the price, which is then asked about', async () => {
    const api = await dashboardOf(await makeOwner(100_000))
    const params = { actorId: 'tide/places', input: {} }
    const unknown = await estimateTool(api, 'marketplace_run_actor', params)
    expect(unknown).toMatchObject({ most: null, typical: null, isShort: false, mustConfirm: true })
    const capped = { ...params, maxCostUsd: 0.05 }
    const known = await estimateTool(api, 'marketplace_run_actor', capped)
    expect(known.most).toBeGreaterThan(0)
  })

  test('has as typical charge the middle one of the owner’s own calls, scaled to what is asked', async () => {
    const [owner, other] = [await makeOwner(100_000), await makeOwner(100_000)]
    const [api, otherApi] = [await dashboardOf(owner), await dashboardOf(other)]
    for (const charged of [200, 400, 1_000]) await paidCall(owner, { what: 'video_generate', held: 1_000, charged })
    const params = { prompt: 'Waves' }
    const { most, typical, basis } = await estimateTool(api, 'video_generate', params)
    expect([typical, basis]).toEqual([Math.ceil((most ?? 0) * 0.4), 'receipts'])
    expect((await estimateTool(otherApi, 'video_generate', params)).basis).toBe('estimate')
  })

  test('is null for parameters that the call would refuse', async () => {
    const api = await dashboardOf(await makeOwner())
    expect(await api.tools.estimate({ tool: 'web_search', params: { nope: 1 } })).toBeNull()
    expect(await api.tools.estimate({ tool: 'video_generate', params: { prompt: 'x', model: MODEL } })).toBeNull()
    const unknown = api.tools.estimate({ tool: 'no_such', params: {} }).catch((e) => e.cause)
    expect(await unknown).toMatchObject({ code: 'unknown_tool' })
  })

  test('says when too little is free', async () => {
    const api = await dashboardOf(await makeOwner(10))
    const video = await estimateTool(api, 'video_generate', { prompt: 'Waves' })
    expect(video).toMatchObject({ isShort: true, available: 10 })
    expect(video.most).toBeGreaterThan(10)
    const search = await estimateTool(api, 'web_search', { query: 'tides' })
    expect(search).toMatchObject({ isShort: false, most: 1, typical: 1, basis: 'price' })
  })
})

describe('the estimate of a chat turn', () => {
  const request = { model: MODEL, messages: [{ role: 'user' as const, content: 'Hello there' }] }

  test.each([
    ['with a limit', { max_completion_tokens: 300 }, 1_000_000],
    ['without one', {}, 1_000_000],
    ['without one and with few credits', {}, 20],
  ])('%s is what is held for it', async (_name, given, credits) => {
    const owner = await makeOwner(credits)
    const api = await dashboardOf(owner)
    const body = { ...request, ...given }
    const estimate = await api.playground.estimate(body)
    expect(estimate?.isShort).toBe(false)
    expect(estimate?.typical).toBeLessThanOrEqual(estimate?.most ?? 0)
    const id = uuidv7()
    const payer = { ownerId: owner.id, keyId: null }
    const signal = new AbortController().signal
    const call = {
      wire: chatWireCall(body),
      ownerId: owner.id,
      grants: null,
      id,
      channel: 'playground',
      signal,
    } as const
    await settleRun(await holdAndRun(payer, await planCall(call)))
    expect((await getReceipt(owner.id, id)).credits.held).toBe(estimate?.most)
  })

  test('says when not even a short answer can be paid for', async () => {
    const api = await dashboardOf(await makeOwner(0))
    expect(await api.playground.estimate(request)).toMatchObject({ isShort: true, available: 0 })
  })
})

describe('the estimate of a run', () => {
  test('is the key’s limit, or what is free under budget and balance', async () => {
    const { owner, key } = await makeCaller(10_000, { agent: true, agentRunBudgetCredits: 900 })
    const api = await dashboardOf(owner)
    expect(await api.jobs.estimate({ keyId: key.id })).toMatchObject({
      most: 900,
      typical: null,
      available: 10_000,
      limitedBy: 'balance',
      isShort: false,
      mustConfirm: true,
    })
    const small = await makeKey(owner, { agent: true, agentRunBudgetCredits: 900, budget: 300 })
    expect(await api.jobs.estimate({ keyId: small.id })).toMatchObject({
      most: 300,
      available: 300,
      limitedBy: 'key_budget',
      mustConfirm: false,
    })
    const tiny = await makeKey(owner, { agent: true, budget: 50 })
    expect(await api.jobs.estimate({ keyId: tiny.id })).toMatchObject({ isShort: true, available: 50, least: 100 })
  })

  test('has as typical charge what finished runs of its model cost', async () => {
    const { owner, key } = await makeCaller(10_000, { agent: true })
    const api = await dashboardOf(owner)
    for (const spent of [90, 120, 500, 100, 130]) await finishedRun(owner, key.id, spent)
    expect(await api.jobs.estimate({ keyId: key.id, model: MODEL })).toMatchObject({
      most: 5_000,
      typical: 120,
      basis: 'receipts',
      range: { from: 90, to: 500, basis: 'history', runs: 5 },
      mustConfirm: false,
    })
    expect(await api.jobs.estimate({ keyId: key.id, model: 'alpenglow/edelweiss-small' })).toMatchObject({
      typical: null,
      range: { from: expect.any(Number), to: expect.any(Number), basis: 'tokens', runs: 0 },
    })
  })

  test('of a conversation leaves out what that has spent', async () => {
    const { owner, key } = await makeCaller(10_000, { agent: true, agentRunBudgetCredits: 900 })
    const conversationId = await finishedRun(owner, key.id, 250)
    const api = await dashboardOf(owner)
    expect(await api.jobs.estimate({ keyId: key.id, conversationId })).toMatchObject({ most: 650 })
  })

  test('does not know other owners’ conversations', async () => {
    const [mine, theirs] = [await makeCaller(500, { agent: true }), await makeCaller(500, { agent: true })]
    const conversationId = await finishedRun(theirs.owner, theirs.key.id, 5)
    const api = await dashboardOf(mine.owner)
    for (const id of [conversationId, uuidv7(), 'no uuid']) {
      const asked = api.jobs.estimate({ keyId: mine.key.id, conversationId: id }).catch((e) => e.cause)
      expect(await asked).toMatchObject({ code: 'not_found' })
    }
  })
})

describe('the confirmation', () => {
  test('is wanted above 500 credits, until the owner says otherwise; the change is in the audit log', async () => {
    const owner = await makeOwner(100_000)
    const api = await dashboardOf(owner)
    const asks = async (tool: string) => (await estimateTool(api, tool, { prompt: 'Waves' })).mustConfirm
    const [dear, cheap] = ['video_generate', 'image_generate']
    expect(await api.settings.confirmAbove()).toBe(500)
    expect([await asks(dear), await asks(cheap)]).toEqual([true, false])
    expect(await api.settings.setConfirmAbove({ confirmAbove: 0 })).toBe(0)
    expect([await asks(dear), await asks(cheap)]).toEqual([true, true])
    await api.settings.setConfirmAbove({ confirmAbove: null })
    expect([await api.settings.confirmAbove(), await asks(dear)]).toEqual([null, false])
    const example = () => api.examples.estimate({ example: 'research' })
    expect(await example()).toMatchObject({ most: 400, typical: 20, mustConfirm: false, isShort: false })
    await api.settings.setConfirmAbove({ confirmAbove: 399 })
    expect(await example()).toMatchObject({ mustConfirm: true })
    const unknown = api.examples.estimate({ example: 'no such' }).catch((e) => e.cause)
    expect(await unknown).toMatchObject({ code: 'not_found' })
    const { rows } = await api.account.audit({ limit: 1 })
    expect(rows).toMatchObject([{ action: 'settings_changed', detail: { confirmAbove: 399 } }])
    await expect(api.settings.setConfirmAbove({ confirmAbove: -1 })).rejects.toThrow()
    expect((await readOwnerMoney(owner)).charged).toBe(0)
  })
})

/** A call that ended well. */
async function paidCall(owner: TestOwner, { what, held, charged }: { what: string; held: number; charged: number }) {
  const id = await takeHold(owner, held, { what })
  await settleById({ id, actual: BigInt(charged), status: 'ok' })
}

/** A completed conversation of one turn, with what it spent. */
async function finishedRun(owner: TestOwner, keyId: number, spent: number): Promise<string> {
  const jobId = await makeJob({ ownerId: owner.id, keyId, status: 'completed' })
  const id = await takeHold(owner, spent, { keyId, jobId, channel: 'agent', product: 'agent' })
  await settleById({ id, actual: BigInt(spent), status: 'ok' })
  // As the commit of its step would.
  await mainPool().query('UPDATE job SET credits = $2, step_count = 1 WHERE id = $1', [jobId, spent])
  await mainPool().query(
    `INSERT INTO step (job_id, index, run_id, kind, name, hold_id, charged, started_at)
      SELECT id, 0, run_id, 'model', 'northwind/gale-4', $2, $3, now() FROM job WHERE id = $1`,
    [jobId, id, spent],
  )
  return jobId
}

test('the conversations of each account have a name of their own, always the same', async () => {
  const [one, other] = [await makeOwner(), await makeOwner()]
  const name = async (owner: TestOwner) => (await dashboardOf(owner)).playground.historyName()
  expect(await name(one)).toMatch(/^[0-9a-f]{20}$/)
  expect(await name(one)).toBe(await name(one))
  expect(await name(one)).not.toBe(await name(other))
})
