import { describe, expect, it } from 'vitest'
import { toolCallCurl, toolCallMcp } from '../../components/catalog/snippets'
import { makeSessionCookie } from '../../server/accounts/session'
import { mainPool, prisma } from '../../server/db'
import { exampleInput } from '../../server/tools/example'
import { availableTools } from '../../server/tools/registry'
import { send, type TestResponse, withSandbox } from '../support/api'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { makeCaller, makeOwner, type TestOwner } from '../support/owners'

const sandbox = withSandbox()

const prices = { tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } }
/** This actor reports more than its hold. */
const dear = {
  tool: 'marketplace_run_actor',
  params: { actorId: 'tide/overrun', input: { query: 'boats' }, maxItems: 15 },
}

async function cookieOf({ id }: TestOwner): Promise<string> {
  const { name, value } = await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } }))
  return `${name}=${value}`
}

const run = async (owner: TestOwner, body: unknown, headers: Record<string, string> = {}) =>
  send('/api/trpc/tools.run', { body, headers: { cookie: await cookieOf(owner), ...headers } })

const read = async (owner: TestOwner, path: string, input: unknown = {}) =>
  send(`/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`, {
    headers: { cookie: await cookieOf(owner) },
  })

type TrpcBody = {
  result?: { data: Record<string, unknown> }
  error?: { message: string; data: Record<string, unknown> }
}
const dataOf = ({ body }: TestResponse) => (body as TrpcBody).result?.data
const errorOf = ({ body }: TestResponse) => (body as TrpcBody).error

describe('tools.run', () => {
  it('runs a tool for its owner without a key, at the ledger’s price, with a receipt of the playground', async () => {
    const owner = await makeOwner()
    const answer = await run(owner, prices)
    const requestId = answer.headers.get('x-request-id')
    expect(answer.status).toBe(200)
    expect(dataOf(answer)).toMatchObject({
      requestId,
      charged: 3,
      result: { totalRows: 1, rows: [{ coinId: 'bitcoin' }] },
      columns: [],
    })
    expect(await readOwnerMoney(owner)).toEqual({ available: 997, held: 0, charged: 3, receipts: 1, holds: 0 })
    expect(dataOf(await read(owner, 'usage.get', { requestId }))).toMatchObject({
      what: 'crypto_get_prices',
      channel: 'playground',
      product: 'tool',
      keyId: null,
      status: 'ok',
      credits: { held: 3, charged: 3 },
    })
  })

  it('no other owner finds that receipt', async () => {
    const [owner, other] = [await makeOwner(), await makeOwner()]
    const requestId = (await run(owner, prices)).headers.get('x-request-id')
    expect((await read(other, 'usage.get', { requestId })).status).toBe(404)
    expect(dataOf(await read(other, 'usage.list'))).toMatchObject({ rows: [] })
    await expectUntouched(other)
  })

  it.each([
    ['a missing parameter', {}, 'params.coinIds'],
    ['a text where a list belongs', { coinIds: 'bitcoin' }, 'params.coinIds'],
    ['one beyond its range', { coinIds: [] }, 'params.coinIds'],
    ['one nobody knows', { coinIds: ['bitcoin'], nobodyKnows: 1 }, 'params'],
    ['a list', [], 'params'],
    ['nothing', undefined, 'params'],
  ])('400 for %s as parameters: issues have a path, nothing runs, nothing is charged', async (_what, params, path) => {
    const owner = await makeOwner()
    const answer = await run(owner, { ...prices, params })
    expect(answer.status).toBe(400)
    expect(errorOf(answer)?.data).toMatchObject({
      appCode: 'invalid_request',
      issues: [{ path, message: expect.any(String) }],
    })
    expect(errorOf(answer)?.data).not.toHaveProperty('charge')
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner)
  })

  it('400 for a tool there is not, and for a field nobody knows', async () => {
    const owner = await makeOwner()
    expect(errorOf(await run(owner, { tool: 'no_such', params: {} }))?.data).toMatchObject({ appCode: 'unknown_tool' })
    expect((await run(owner, { ...prices, keyId: 1 })).status).toBe(400)
    await expectUntouched(owner)
  })

  it('402 before the tool runs names the limit and has no charge', async () => {
    const owner = await makeOwner(2)
    const answer = await run(owner, prices)
    expect(answer.status).toBe(402)
    expect(errorOf(answer)?.data).toMatchObject({ appCode: 'insufficient_credits', limitSource: 'balance' })
    expect(errorOf(answer)?.data).not.toHaveProperty('charge')
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner, 2)
  })

  it('502 of a tool that ran and failed carries its charge and its receipt’s id, and no stack', async () => {
    const owner = await makeOwner()
    const answer = await run(owner, { ...prices, params: { coinIds: ['sandbox-500'] } })
    expect(answer.status).toBe(502)
    const requestId = answer.headers.get('x-request-id')
    expect(errorOf(answer)?.data).toEqual({
      code: 'BAD_GATEWAY',
      httpStatus: 502,
      path: 'tools.run',
      appCode: 'upstream_error',
      requestId,
      charge: { credits: 3 },
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 997, charged: 3, receipts: 1, holds: 0 })
    expect(dataOf(await read(owner, 'usage.get', { requestId }))).toMatchObject({ status: 'failed' })
  })

  it('402 in the middle of a metered call carries what was left and charged, and no result', async () => {
    const owner = await makeOwner(500)
    const answer = await run(owner, dear)
    expect(answer.status).toBe(402)
    expect(errorOf(answer)?.data).toMatchObject({
      appCode: 'insufficient_credits',
      limitSource: 'balance',
      charge: { credits: 500 },
    })
    expect(dataOf(answer)).toBeUndefined()
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 0, held: 0, charged: 500, receipts: 1 })
  })

  it('a caller who leaves before the provider took the request is charged nothing', async () => {
    const owner = await makeOwner()
    const cookie = await cookieOf(owner)
    await send('/api/trpc/tools.run', {
      body: prices,
      headers: { cookie },
      signal: AbortSignal.abort(),
      isDirect: true,
    }).catch(() => {})
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, charged: 0, holds: 0 })
  })

  it('a second run in one request is refused: it would share the hold of the first', async () => {
    const owner = await makeOwner()
    const answer = await send('/api/trpc/tools.run,tools.run,tools.run?batch=1', {
      body: { 0: prices, 1: prices, 2: prices },
      headers: { cookie: await cookieOf(owner) },
    })
    const answers = answer.body as unknown as TrpcBody[]
    expect(answers.map((a) => a.error?.data.appCode ?? 'ran').sort()).toEqual([
      'invalid_request',
      'invalid_request',
      'ran',
    ])
    expect(await sandbox.calls()).toBe(1)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, receipts: 1 })
  })

  it('takes the owner’s own pages only: no other site, no key, no stranger', async () => {
    const owner = await makeOwner()
    expect((await run(owner, prices, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await send('/api/trpc/tools.run', { body: prices })).status).toBe(401)
    await expectUntouched(owner)
  })

  it('429 after 30 in a minute, chat turns counted in, with nothing run', async () => {
    const owner = await makeOwner()
    await mainPool().query(`SELECT rate_hit($1, 30, 60) FROM generate_series(1, 29)`, [`turn:${owner.id}`])
    expect((await run(owner, prices)).status).toBe(200)
    const answer = await run(owner, prices)
    expect([answer.status, errorOf(answer)?.data.appCode]).toEqual([429, 'rate_limited'])
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, receipts: 1 })
  })
})

describe('the example with which a form begins', () => {
  it.each(availableTools())('succeeds in the sandbox: $id', async (tool) => {
    const answer = await run(await makeOwner(20_000), { tool: tool.id, params: exampleInput(tool) })
    expect([answer.status, errorOf(answer)?.message]).toEqual([200, undefined])
  })
})

describe('the call to take along', () => {
  const call = { baseUrl: 'http://127.0.0.1:3000', ...prices }

  it.each([
    ['REST', toolCallCurl(call), { service: { credits_charged: 3 } }],
    ['MCP', toolCallMcp(call), { result: { service: { credits_charged: 3 } } }],
  ])('is answered and charged as it stands: %s', async (_what, curl, answered) => {
    const { owner, key } = await makeCaller()
    const [, url = '', body = ''] = /^curl (\S+).* -d '(.*)'$/s.exec(curl) ?? []
    const answer = await send(new URL(url).pathname, { key: key.key, raw: body })
    expect(answer).toMatchObject({ status: 200, body: answered })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3 })
  })
})

describe('tools.list and tools.get', () => {
  it('list every available tool like the catalog, with the schema of its parameters', async () => {
    const owner = await makeOwner()
    const listed = dataOf(await read(owner, 'tools.list')) as unknown as { id: string; params: { name: string }[] }[]
    expect(listed.map(({ id }) => id)).toEqual(availableTools().map(({ id }) => id))
    const one = dataOf(await read(owner, 'tools.get', { tool: 'web_search' }))
    expect(one).toEqual({
      ...listed.find(({ id }) => id === 'web_search'),
      result: expect.stringMatching(/^\{\s+rows: /),
    })
    expect(one).toMatchObject({ credits: 1, mcp: true, schema: { type: 'object', required: ['query'] } })
  })

  it('404 for a tool there is not', async () => {
    const owner = await makeOwner()
    for (const tool of ['', 'no_such', '__proto__']) expect((await read(owner, 'tools.get', { tool })).status).toBe(404)
  })
})

describe('models.figures and models.get', () => {
  const model = 'northwind/gale-4'
  const ask = (key: string, body: Record<string, unknown>) =>
    send('/api/v1/chat/completions', {
      headers: { authorization: `Bearer ${key}` },
      body: { model, messages: [{ role: 'user', content: 'Hello' }], ...body },
    })

  it('say what the latest calls of the account itself were like', async () => {
    const caller = await makeCaller(1_000, { tools: [], llm: true })
    const { owner } = caller
    const { key } = caller.key
    const other = await makeOwner()
    expect(dataOf(await read(owner, 'models.figures'))).toEqual([])
    expect((await ask(key, {})).status).toBe(200)
    expect((await ask(key, { stream: true })).status).toBe(200)
    const figures = { model, calls: 2, failed: 0, firstTokenMs: expect.any(Number), charged: expect.any(Number) }
    expect(dataOf(await read(owner, 'models.figures'))).toEqual([expect.objectContaining(figures)])
    const one = dataOf(await read(owner, 'models.get', { model }))
    expect(one).toMatchObject({ model: { id: model }, figures })
    expect(dataOf(await read(other, 'models.get', { model }))).toMatchObject({ figures: null })
  })

  it('know no other models', async () => {
    const answer = await read(await makeOwner(), 'models.get', { model: 'no/such' })
    expect([answer.status, errorOf(answer)?.message]).toEqual([404, 'Model not found.'])
  })
})
