import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { cryptoSettings } from '../../server/tools/crypto/settings'
import { closeChromium } from '../../server/tools/web/chromium'
import { callQuery, send, waitForCallsToEnd, withSandbox } from '../support/api'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { untilLeft } from '../support/listener'
import { MCP_REVISIONS, mcpFailureOf, mcpResultOf } from '../support/mcp'
import { makeCaller } from '../support/owners'

const sandbox = withSandbox()
afterAll(closeChromium)

const prices = { coinIds: ['bitcoin'] }
const asking = (args: unknown = prices, name = 'crypto_get_prices') => ({
  method: 'tools/call',
  params: { name, arguments: args },
})

describe.each(MCP_REVISIONS)('tools/call in %s', (_era, ask) => {
  it('answers what REST answers, with a text twin and the charge at the top and in _meta', async () => {
    const { owner, key } = await makeCaller()
    const rest = await callQuery(key.key, 'crypto_get_prices', prices)
    const answer = await ask(key.key, asking())
    const { structuredContent, content, service, _meta, isError } = mcpResultOf(answer)
    expect({ ...structuredContent, service }).toEqual(rest.body)
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
    expect(service).toEqual({ credits_charged: 3 })
    expect(_meta).toMatchObject({
      'tollgate/service': { credits_charged: 3 },
      'tollgate/request-id': answer.headers.get('x-request-id'),
    })
    expect(isError).toBeUndefined()
    expect(await readOwnerMoney(owner)).toEqual({ available: 994, held: 0, charged: 6, receipts: 2, holds: 0 })
  })

  it('leaves the receipt that REST leaves, except for the channel', async () => {
    const { key } = await makeCaller()
    const ids = [
      (await callQuery(key.key, 'crypto_get_prices', prices)).headers.get('x-request-id'),
      (await ask(key.key, asking())).headers.get('x-request-id'),
    ]
    const receipts = await Promise.all(ids.map((id) => send(`/api/v1/usage/${id}`, { key: key.key })))
    const [rest, mcp] = receipts.map(({ body: { requestId, at, startedAt, detail, ...same } }) => ({
      ...same,
      detail: { ...(detail as object), durationMs: 0 },
    }))
    expect(rest).toMatchObject({ channel: 'rest', status: 'ok', credits: { held: 3, charged: 3, released: 0 } })
    expect(mcp).toEqual({ ...rest, channel: 'mcp' })
  })

  it('402 in the middle of a metered call carries what was left and charged, and no result', async () => {
    const { owner, key } = await makeCaller(500)
    const dear = { actorId: 'tide/overrun', input: { query: 'boats' }, maxItems: 15 }
    const answer = await ask(key.key, asking(dear, 'marketplace_run_actor'))
    expect(answer.status).toBe(200)
    expect(mcpFailureOf(answer)).toMatchObject({ code: 'insufficient_credits', limitSource: 'balance' })
    expect(mcpResultOf(answer)).toMatchObject({ service: { credits_charged: 500 } })
    expect(mcpResultOf(answer).structuredContent).toBeUndefined()
    expect(await readOwnerMoney(owner)).toEqual({ available: 0, held: 0, charged: 500, receipts: 1, holds: 0 })
  })

  it('takes absent arguments as none, when the tool needs none', async () => {
    const { owner, key } = await makeCaller()
    const answer = await ask(key.key, { method: 'tools/call', params: { name: 'crypto_get_market_data' } })
    expect(mcpResultOf(answer)).toMatchObject({ service: { credits_charged: 5 } })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 5 })
  })

  it.each([
    ['a missing parameter', {}, 'invalid_request'],
    ['one nobody knows', { ...prices, nobodyKnows: 1 }, 'invalid_request'],
    ['__proto__', JSON.parse('{"coinIds": ["bitcoin"], "__proto__": {}}'), 'invalid_request'],
    ['a wrong type', { coinIds: 'bitcoin' }, 'invalid_request'],
    ['arguments that are a list', [], 'invalid_request'],
    ['arguments that are a text', 'bitcoin', 'invalid_request'],
    ['arguments that are null', null, 'invalid_request'],
  ])('400 for %s is a result without service, as REST words it', async (_name, args, code) => {
    const { owner, key } = await makeCaller()
    const answer = await ask(key.key, asking(args))
    expect(answer.status).toBe(200)
    const failure = mcpFailureOf(answer)
    expect(failure).toMatchObject({ code, issues: expect.any(Array) })
    if (args && typeof args === 'object' && !Array.isArray(args))
      expect(failure).toEqual((await callQuery(key.key, 'crypto_get_prices', args)).body)
    expect(answer.body.result).not.toHaveProperty('service')
    expect(answer.body.result).not.toHaveProperty('structuredContent')
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner)
  })

  it('400 for an unknown tool is a result', async () => {
    const { owner, key } = await makeCaller()
    for (const name of ['nope', '', '__proto__', 'constructor'])
      expect(mcpFailureOf(await ask(key.key, asking(prices, name)))).toMatchObject({ code: 'unknown_tool' })
    await expectUntouched(owner)
  })

  it('a call that names no tool is a protocol error, for nothing', async () => {
    const { owner, key } = await makeCaller()
    for (const params of [{}, { name: 5 }])
      expect((await ask(key.key, { method: 'tools/call', params })).body).toMatchObject({ error: { code: -32602 } })
    await expectUntouched(owner)
  })

  it('402 is a result that names the limit, and runs nothing', async () => {
    const { owner, key } = await makeCaller(2)
    const answer = await ask(key.key, asking())
    expect(answer.status).toBe(200)
    expect(mcpFailureOf(answer)).toMatchObject({ code: 'insufficient_credits', limitSource: 'balance' })
    expect(answer.body.result).not.toHaveProperty('service')
    const budget = await makeCaller(1_000, { budget: 2 })
    expect(mcpFailureOf(await ask(budget.key.key, asking()))).toMatchObject({ limitSource: 'key_budget' })
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner, 2)
    await expectUntouched(budget.owner)
  })

  it('403 is a result', async () => {
    const { owner, key } = await makeCaller(1_000, { tools: ['web_search'] })
    const answer = await ask(key.key, asking())
    expect(answer.status).toBe(200)
    expect(mcpFailureOf(answer)).toEqual({
      error: expect.stringContaining('crypto_get_prices'),
      code: 'forbidden',
      reason: 'not_granted',
      retryable: false,
    })
    await expectUntouched(owner)
  })

  it.each(['sandbox-500', 'sandbox-429', 'sandbox-html'])('502 is a result with the charge (%s)', async (id) => {
    const { owner, key } = await makeCaller()
    const answer = await ask(key.key, asking({ coinIds: [id] }))
    expect(answer.status).toBe(200)
    const service = { credits_charged: 3 }
    expect(mcpFailureOf(answer)).toMatchObject({ code: 'upstream_error', service })
    expect(answer.body.result).toMatchObject({ isError: true, service, _meta: { 'tollgate/service': service } })
    expect(answer.body.result).not.toHaveProperty('structuredContent')
    expect(await readOwnerMoney(owner)).toEqual({ available: 997, held: 0, charged: 3, receipts: 1, holds: 0 })
  })

  describe('while the provider cannot be reached', () => {
    const base = cryptoSettings().COINGECKO_BASE_URL
    afterEach(() => {
      Object.assign(cryptoSettings(), { COINGECKO_BASE_URL: base })
    })

    it('502 says that nothing was charged', async () => {
      Object.assign(cryptoSettings(), { COINGECKO_BASE_URL: 'http://127.0.0.1:1' })
      const { owner, key } = await makeCaller()
      const answer = await ask(key.key, asking())
      expect(mcpResultOf(answer)).toMatchObject({ isError: true, service: { credits_charged: 0 } })
      expect(await readOwnerMoney(owner)).toEqual({ available: 1_000, held: 0, charged: 0, receipts: 1, holds: 0 })
    })
  })

  it('never charges more than there is, at any concurrency', async () => {
    const { owner, key } = await makeCaller(30)
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(key.key, asking())))
    expect(answers.filter((a) => mcpResultOf(a).service)).toHaveLength(10)
    expect(answers.filter((a) => mcpResultOf(a).isError)).toHaveLength(50)
    expect(await readOwnerMoney(owner)).toEqual({ available: 0, held: 0, charged: 30, receipts: 10, holds: 0 })
  })

  it('runs to its end and is charged when the client disconnects while the provider works', async () => {
    const { owner, key } = await makeCaller()
    const gone = new AbortController()
    const slow = asking({ coinIds: ['sandbox-slow', 'bitcoin'] })
    const call = ask(key.key, slow, { signal: gone.signal })
    await expect.poll(sandbox.calls).toBe(1)
    await Promise.all([expect(call).rejects.toThrow(), untilLeft(gone)])
    await sandbox.hurry()
    await waitForCallsToEnd()
    expect(await readOwnerMoney(owner)).toEqual({ available: 997, held: 0, charged: 3, receipts: 1, holds: 0 })
  })

  it('has a hosted image as image content, and its URL in the result', async () => {
    const { key } = await makeCaller()
    const shot = { url: `${sandbox.url()}/site/`, device: 'mobile', timeout: 10 }
    const { content, structuredContent } = mcpResultOf(await ask(key.key, asking(shot, 'web_screenshot')))
    expect(content.map(({ type, mimeType }) => ({ type, mimeType }))).toEqual([
      { type: 'text', mimeType: undefined },
      { type: 'image', mimeType: 'image/png' },
    ])
    const png = Buffer.from(content[1]?.data ?? '', 'base64')
    expect(png).toHaveLength(Number(structuredContent?.bytes))
    expect(png.subarray(1, 4).toString()).toBe('PNG')
  })
})
