import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { reserveCredits } from '../../server/credits/reserve'
import { voidHold } from '../../server/credits/settle'
import { readPool } from '../../server/db'
import { startServiceGauges } from '../../server/operators/service-gauges'
import { scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { callQuery, chargedTo, send, waitForCallsToEnd, withSandbox } from '../support/api'
import { CHAT_MODEL, makeChatter, scriptedBody, sendChat, sendStreamedChat } from '../support/chat'
import { readMetrics, withMetrics } from '../support/metrics'
import { makeCaller } from '../support/owners'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()
withMetrics()

const CHARGED = 'tollgate_credits_charged_total'
const REQUESTS = 'tollgate_requests_total'

/** How much a series grew while something was done. */
async function growth(name: string, labels: Record<string, string>, act: () => Promise<unknown>): Promise<number> {
  const before = (await readMetrics()).sum(name, labels)
  await act()
  // What a client reads before the server counts its end.
  await waitForCallsToEnd()
  return (await readMetrics()).sum(name, labels) - before
}

describe('requests', () => {
  it('are counted by route, method and status', async () => {
    const { key } = await makeCaller()
    const query = { route: '/api/v1/query', method: 'POST', status: '200' }
    const call = () => callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] })
    expect(await growth(REQUESTS, query, call)).toBe(1)
    const receipt = { route: '/api/v1/usage/{requestId}', status: '404' }
    expect(await growth(REQUESTS, receipt, () => send(`/api/v1/usage/${randomUUID()}`, { key: key.key }))).toBe(1)
    expect(await growth(REQUESTS, { status: '401' }, () => send('/api/v1/key'))).toBe(1)
  })

  it('count as one route where the API has none, whatever they ask for', async () => {
    const paths = ['/api/v1/unheard-of', '/api/v1/agent/x/y/z', '/wp-login.php', '/keys/%zz']
    for (const path of paths) expect((await send(`${path}?${randomUUID()}`)).status).toBeGreaterThanOrEqual(400)
    const { text } = await readMetrics()
    for (const word of ['unheard-of', 'wp-login', '%zz', 'y/z']) expect(text).not.toContain(word)
    expect(await growth(REQUESTS, { method: 'other' }, () => send('/readyz', { method: 'PROPFIND' }))).toBe(1)
  })

  it('that stream are measured to their end, and to the first byte', async () => {
    const { key } = await makeChatter()
    const route = { route: '/api/v1/chat/completions', status: '200' }
    const sums = async () => {
      const reading = await readMetrics()
      return ['first_byte', 'duration'].map((what) => reading.sum(`tollgate_request_${what}_seconds_sum`, route))
    }
    const [firstBefore = 0, wholeBefore = 0] = await sums()
    const script = { text: 'one two three four five', chunkDelayMs: 100 }
    await sendStreamedChat(key.key, scriptedBody(script))
    await waitForCallsToEnd()
    const [first = 0, whole = 0] = await sums()
    expect(whole - wholeBefore - (first - firstBefore)).toBeGreaterThan(0.2)
  })

  it('in progress are counted until their answer has ended', async () => {
    expect((await readMetrics()).sum('tollgate_requests_in_flight')).toBe(1)
  })
})

describe('money', () => {
  it('is counted by product as the ledger has it, runs included', async () => {
    const { owner, key } = await makeCaller(100_000, { agent: true, llm: true })
    const ran = async () => {
      const turns = [
        { toolCalls: [{ name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }] },
        { text: 'Done.' },
      ]
      const { body } = await startAgentRun(key.key, { goal: scriptedGoal({ turns }) })
      await untilStatus(key.key, body.jobId, 'completed')
    }
    const byRun = await growth(CHARGED, { product: 'agent' }, ran)
    expect(byRun).toBeGreaterThan(3)
    expect(byRun).toBe(await chargedTo(owner))
    const byChat = await growth(CHARGED, { product: 'chat' }, () => sendChat(key.key, scriptedBody()))
    const byQuery = await growth(CHARGED, { product: 'query' }, () =>
      callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] }),
    )
    expect(byQuery).toBe(3)
    expect(byRun + byChat + byQuery).toBe(await chargedTo(owner))
  })

  it('has every product from the start, so that the first charge is a growth', async () => {
    const reading = await readMetrics()
    for (const product of ['query', 'chat', 'embedding', 'image', 'agent', 'mcp'])
      expect(reading.has(CHARGED, { product }), product).toBe(true)
  })
})

describe('models, tools and steps', () => {
  it('are counted with their outcome, time and tokens', async () => {
    const { key } = await makeChatter()
    const calls = 'tollgate_upstream_calls_total'
    const of = (outcome: string) => ({ model: CHAT_MODEL, outcome })
    expect(await growth(calls, of('ok'), () => sendChat(key.key, scriptedBody()))).toBe(1)
    expect(await growth(calls, of('ok'), () => sendStreamedChat(key.key, scriptedBody()))).toBe(1)
    const script = (failing: object) => () => sendChat(key.key, scriptedBody({ ...failing }))
    expect(await growth(calls, of('server_error'), script({ status: 500 }))).toBeGreaterThan(0)
    expect(await growth(calls, of('rate_limited'), script({ status: 429 }))).toBeGreaterThan(0)
    expect(await growth(calls, of('refused'), script({ status: 400 }))).toBe(1)
    const broken = () => sendStreamedChat(key.key, scriptedBody({ text: 'a b c d', failAfterChunks: 2 }))
    expect(await growth(calls, of('broken'), broken)).toBe(1)
    const reading = await readMetrics()
    for (const kind of ['input', 'output'])
      expect(reading.sum('tollgate_tokens_total', { model: CHAT_MODEL, kind })).toBeGreaterThan(0)
    expect(reading.sum('tollgate_upstream_first_token_seconds_count', { model: CHAT_MODEL })).toBeGreaterThanOrEqual(3)
    expect(reading.sum('tollgate_tool_calls_total', { tool: 'crypto_get_prices', outcome: 'ok' })).toBeGreaterThan(0)
    expect(reading.sum('tollgate_provider_requests_total', { outcome: 'ok' })).toBeGreaterThan(0)
    expect(reading.sum('tollgate_agent_steps_total', { kind: 'tool', outcome: 'ok' })).toBeGreaterThan(0)
    expect(reading.sum('tollgate_agent_runs_ended_total', { status: 'completed' })).toBeGreaterThan(0)
  })
})

describe('what processes share', () => {
  it('is read when metrics are: holds, the queue, runs; and not at all without a database', async () => {
    const { owner } = await makeCaller()
    const id = randomUUID()
    const call = { ownerId: owner.id, keyId: null, channel: 'rest', product: 'tool', what: 'web_search' } as const
    await reserveCredits({ ...call, id, maxCredits: 7n })
    startServiceGauges()
    const reading = await readMetrics()
    expect(reading.sum('tollgate_database_up')).toBe(1)
    expect(reading.sum('tollgate_holds')).toBe(1)
    expect(reading.sum('tollgate_credits_held')).toBe(7)
    expect(reading.has('tollgate_queue_messages', { queue: 'runs', state: 'waiting' })).toBe(true)
    expect(reading.sum('tollgate_pool_connections', { pool: 'tollgate-hot' })).toBeGreaterThan(0)
    await voidHold({ id, ownerId: owner.id, held: 7n })

    const real = readPool()
    readPool.set(new pg.Pool({ connectionString: 'postgresql://u@127.0.0.1:1/gone' }))
    try {
      startServiceGauges()
      const without = await readMetrics()
      expect(without.sum('tollgate_database_up')).toBe(0)
      expect(without.has('tollgate_holds')).toBe(false)
      expect(without.has(REQUESTS)).toBe(true)
    } finally {
      readPool.set(real)
      await sleep(0)
    }
  })
})
