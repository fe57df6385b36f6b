import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { progressTiming } from '../../server/http/mcp/progress'
import { endStreams, openStreams } from '../../server/kit/sse'
import { marketplaceSettings } from '../../server/tools/marketplace/settings'
import { waitForCallsToEnd, withSandbox } from '../support/api'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { fetchFromListener, untilLeft } from '../support/listener'
import { MCP_REVISIONS, mcpResultOf, sendRpc } from '../support/mcp'
import { MCP_CLIENTS } from '../support/mcp-clients'
import { makeCaller } from '../support/owners'

const sandbox = withSandbox()
const EVERY_MS = 100
const { everyMs } = progressTiming
beforeAll(() => {
  progressTiming.everyMs = EVERY_MS
})
afterAll(() => {
  progressTiming.everyMs = everyMs
})

const slowRun = (seconds: number) => ({
  name: 'marketplace_run_actor',
  arguments: { actorId: 'tide/slow', input: { query: 'boats', seconds }, maxItems: 5, maxCostUsd: 0.1 },
})
const quick = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
const watching = (call: object, token: string | number = 'p1') => ({
  method: 'tools/call',
  params: { ...call, _meta: { progressToken: token } },
})

type Message = { id?: unknown; method?: string; params?: Record<string, unknown>; result?: Record<string, unknown> }

/** The messages of an event stream. */
const messagesIn = (text: string): Message[] =>
  text
    .split('\n\n')
    .filter((event) => event.includes('event: message'))
    .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)))

describe('the SDK clients', () => {
  it.concurrent.each(MCP_CLIENTS)(
    '%s waits longer than its timeout for a call that reports progress',
    async (_name, connect) => {
      const { owner, key } = await makeCaller(100_000)
      const client = await connect(key.key, fetchFromListener)
      const seen: { progress: number; message?: string }[] = []
      const result = await client.callTool(slowRun(13), { onProgress: (p) => seen.push(p), timeoutMs: 6_000 })
      expect(result).toMatchObject({ structuredContent: { run: { status: 'SUCCEEDED' } } })
      const { service } = result as { service: { credits_charged: number } }
      expect(await readOwnerMoney(owner)).toMatchObject({ charged: service.credits_charged, held: 0, receipts: 1 })
      expect(service.credits_charged).toBeGreaterThan(0)
      expect(seen.length).toBeGreaterThan(3)
      for (const [i, { progress, message }] of seen.entries()) {
        expect(progress).toBeGreaterThan(seen[i - 1]?.progress ?? 0)
        expect(message).toMatch(/^Running tide\/slow for \d+ s$/)
      }
      await client.close()
    },
  )
})

describe.each(MCP_REVISIONS)('a tools/call with a progressToken in %s', (_era, ask) => {
  it.each(['text', 7])(
    'is an event stream: progress under the token %j, then the result, charged once',
    async (token) => {
      const { owner, key } = await makeCaller(100_000)
      const { status, headers, text } = await ask(key.key, watching(slowRun(1), token))
      expect(status).toBe(200)
      expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('x-ratelimit-limit-requests')).toBe('10000')
      const messages = messagesIn(text)
      const progress = messages.slice(0, -1)
      expect(progress.length).toBeGreaterThan(1)
      for (const { method, params, id } of progress) {
        expect([method, params?.progressToken, id]).toEqual(['notifications/progress', token, undefined])
      }
      const { charged } = await readOwnerMoney(owner)
      expect(messages.at(-1)).toMatchObject({ id: 1, result: { service: { credits_charged: charged } } })
      expect(text.match(/"service":/g)).toHaveLength(1)
      expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0, receipts: 1 })
    },
  )

  it('has the message of the result alone where the call ends first', async () => {
    progressTiming.everyMs = 600_000
    try {
      const { key } = await makeCaller()
      const { headers, text } = await ask(key.key, watching(quick))
      expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
      expect(messagesIn(text)).toMatchObject([{ id: 1, result: { service: { credits_charged: 3 } } }])
    } finally {
      progressTiming.everyMs = EVERY_MS
    }
  })

  it('has a failure as a result, and a refusal without service', async () => {
    const { key } = await makeCaller(4)
    const failing = watching({ ...quick, arguments: { coinIds: ['sandbox-500'] } })
    const answers = [await ask(key.key, failing), await ask(key.key, watching(quick))]
    const [failed, refused] = answers.map(({ text }) => messagesIn(text).at(-1)?.result)
    expect(failed).toMatchObject({ isError: true, service: { credits_charged: 3 } })
    expect(refused).toMatchObject({ isError: true })
    expect(refused).not.toHaveProperty('service')
  })

  it('is JSON without a token, and for a client that does not name event streams', async () => {
    const { key } = await makeCaller()
    for (const [message, headers] of [
      [{ method: 'tools/call', params: quick }, {}],
      [watching(quick), { accept: 'application/json' }],
      [watching(quick), { accept: '*/*' }],
    ] as const) {
      const answer = await ask(key.key, message, { headers })
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      expect(mcpResultOf(answer)).toMatchObject({ service: { credits_charged: 3 } })
    }
  })

  it('is refused with a status before the stream begins', async () => {
    const { owner, key } = await makeCaller(1_000, { rpm: 3 })
    const call = watching(quick)
    const refused = [
      await ask('', call, { headers: { authorization: '' } }),
      await ask(key.key, call, { headers: { origin: 'http://evil.example' } }),
      await ask(key.key, call, { headers: { 'content-type': 'text/plain' } }),
      await ask(key.key, watching({ ...quick, arguments: { coinIds: ['x'.repeat(1024 * 1024)] } })),
      await ask(key.key, { method: 'tools/call', params: { _meta: { progressToken: 1 } } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 403, 415, 413, refused[4]?.status])
    expect(refused[4]?.body).toMatchObject({ error: { code: -32602 } })
    for (const { headers } of refused) expect(headers.get('content-type')).toMatch(/^application\/json/)
    const limited = await ask(key.key, call)
    expect(messagesIn(limited.text).at(-1)).toMatchObject({ result: { isError: true } })
    await expectUntouched(owner)
  })
})

it('a stream that a shutdown ends has a result that says so', async () => {
  const { key } = await makeCaller(100_000)
  const before = await sandbox.calls()
  const answer = sendRpc(key.key, { id: 5, ...watching(slowRun(2)) })
  await expect.poll(sandbox.calls).toBeGreaterThan(before + 1)
  // The stream is open once its first notification has been asked for.
  await expect.poll(() => openStreams.count).toBe(1)
  endStreams('event: error\ndata: {}\n\n')
  const last = messagesIn((await answer).text).at(-1)
  expect(last).toMatchObject({ id: 5, result: { isError: true } })
  expect(last?.result).not.toHaveProperty('service')
  await waitForCallsToEnd()
})

describe('a client that leaves', () => {
  let asked = 0
  /** A marketplace that never answers. */
  const silent = createServer(() => {
    asked++
  })
  const base = marketplaceSettings().APIFY_BASE_URL
  beforeAll(async () => {
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    silent.closeAllConnections()
    silent.close()
  })

  describe.each(MCP_REVISIONS)('in %s', (_era, ask) => {
    describe.each([
      ['JSON', (call: object) => ({ method: 'tools/call', params: { ...call } })],
      ['events', (call: object) => watching(call)],
    ])('a call that is answered as %s', (_kind, messageOf) => {
      it('before the provider has the request is not charged', async () => {
        Object.assign(marketplaceSettings(), {
          APIFY_BASE_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
        })
        try {
          const { owner, key } = await makeCaller(100_000)
          const gone = new AbortController()
          const before = asked
          const call = ask(key.key, messageOf(slowRun(0)), { signal: gone.signal })
          await expect.poll(() => asked).toBe(before + 1)
          expect(await readOwnerMoney(owner)).toMatchObject({ holds: 1 })
          gone.abort()
          await expect(call).rejects.toThrow()
          await expect
            .poll(() => readOwnerMoney(owner))
            .toMatchObject({ available: 100_000, held: 0, charged: 0, holds: 0 })
        } finally {
          Object.assign(marketplaceSettings(), { APIFY_BASE_URL: base })
        }
      })

      it('after that is charged: the call goes on to its end', async () => {
        const { owner, key } = await makeCaller()
        const gone = new AbortController()
        const slow = { ...quick, arguments: { coinIds: ['sandbox-slow', 'bitcoin'] } }
        const call = ask(key.key, messageOf(slow), { signal: gone.signal })
        await expect.poll(sandbox.calls).toBe(1)
        await Promise.all([expect(call).rejects.toThrow(), untilLeft(gone)])
        await sandbox.hurry()
        await expect
          .poll(() => readOwnerMoney(owner))
          .toEqual({ available: 997, held: 0, charged: 3, receipts: 1, holds: 0 })
      })
    })
  })
})
