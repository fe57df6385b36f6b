import { describe, expect, test } from 'vitest'
import { mainPool } from '../../server/db'
import { revokeKey } from '../../server/keys/revoke'
import { countRequest, flushRequests } from '../../server/request-log/count-requests'
import { expiredRefusals } from '../../server/request-log/expired-refusals'
import { expiredRequestCounts } from '../../server/request-log/expired-request-counts'
import { flushRefusals, KEPT_PER_KEY } from '../../server/request-log/note-refusal'
import { callQuery, send, withSandbox } from '../support/api'
import { sendRpc } from '../support/mcp'
import { signedIn } from '../support/operators'
import { makeCaller, makeKey } from '../support/owners'

const sandbox = withSandbox()
const read = (key: string, headers = {}) => callQuery(key, 'web_read_url', { url: `${sandbox.url()}/site/` }, headers)
const flush = () => Promise.all([flushRequests(), flushRefusals()])

const listed = async (key: string, query = '') => {
  const answer = await send(`/api/v1/usage/refusals${query}`, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as { rows: Record<string, unknown>[]; nextCursor: string | null }
}

describe('a refused call', () => {
  test('is listed with the limit that refused it, and counted by hour, status and limit', async () => {
    const { owner, key: reader } = await makeCaller(1_000)
    const key = await makeKey(owner, { name: 'app', budget: 2, rpm: 3 })
    const answers = []
    for (let n = 0; n < 5; n++) answers.push(await read(key.key))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 402, 429, 429])
    await flush()
    const { rows } = await listed(reader.key)
    const ids = answers.slice(2).map(({ headers }) => headers.get('x-request-id'))
    expect(rows.map(({ requestId }) => requestId)).toEqual(ids.reverse())
    const shared = { keyId: key.id, keyName: 'app', operation: 'query', called: 'web_read_url' }
    expect(rows[2]).toMatchObject({
      ...{ ...shared, status: 402, code: 'insufficient_credits', reason: 'insufficient_credits' },
      message: answers[2]?.body.error,
      limit: { source: 'key_budget', name: 'key budget' },
    })
    expect(rows[0]).toMatchObject({
      ...shared,
      called: null,
      status: 429,
      code: 'rate_limited',
      limit: { source: 'rate' },
    })
    const { api } = await signedIn(owner)
    const totals = await api.usage.refusalTotals({})
    expect(totals).toMatchObject({ unit: 'hour', requests: 3 })
    expect(totals.buckets).toHaveLength(24)
    expect(totals.series.map(({ status, requests }) => [status, requests])).toEqual([
      [429, 2],
      [402, 1],
    ])
    expect(totals.series[0]?.values.reduce((sum, n) => sum + n, 0)).toBe(2)
    for (const [range, parts] of [
      ['week', 7],
      ['month', 30],
    ] as const)
      expect((await api.usage.refusalTotals({ keyId: key.id, range })).buckets).toHaveLength(parts)
    expect((await api.usage.refusalTotals({ keyId: reader.id })).requests).toBe(0)
  })

  test('is one of a key without a grant, of a revoked key, of MCP and of a repeated Idempotency-Key', async () => {
    const { owner, key: reader } = await makeCaller(1_000)
    const key = await makeKey(owner, { tools: ['web_read_url'], llm: false })
    const other = await callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] })
    expect(other.status).toBe(403)
    const model = 'lantern/wick-tiny'
    const chat = { model, messages: [{ role: 'user', content: 'Hi' }] }
    expect((await send('/api/v1/chat/completions', { key: key.key, body: chat })).status).toBe(403)
    const token = { 'idempotency-key': 'one' }
    expect((await read(key.key, token)).status).toBe(200)
    expect((await callQuery(key.key, 'web_read_url', { url: `${sandbox.url()}/site/other` }, token)).status).toBe(422)
    const params = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
    expect((await sendRpc(key.key, { id: 1, method: 'tools/call', params })).status).toBe(200)
    expect(
      (await send('/api/v1/agent', { key: key.key, body: { goal: 'Say hi', idempotencyKey: 'one' } })).status,
    ).toBe(403)
    await revokeKey(owner.id, key.id)
    expect((await read(key.key)).status).toBe(401)
    // Neither is a refusal: the first is a wrong request, the second is no key of anybody.
    expect((await callQuery(reader.key, 'web_read_url', {})).status).toBe(400)
    expect((await read('tg_none')).status).toBe(401)
    await flush()
    const { rows } = await listed(reader.key, `?keyId=${key.id}`)
    expect(rows.map(({ status, operation, called }) => [status, operation, called])).toEqual([
      [401, 'query', 'web_read_url'],
      [403, 'agent.start', null],
      [403, 'mcp.runTool', 'crypto_get_prices'],
      [422, 'query', 'web_read_url'],
      [403, 'chat', model],
      [403, 'query', 'crypto_get_prices'],
    ])
    expect((await listed(reader.key, '?status=422')).rows).toHaveLength(1)
    expect((await listed(reader.key, `?keyId=${reader.id}`)).rows).toEqual([])
  })

  test('is one of the last 100 of its key, in pages, and nobody else’s', async () => {
    const { key } = await makeCaller(0, { rpm: 100_000 })
    const stranger = await makeCaller(0)
    for (let n = 0; n < KEPT_PER_KEY + 20; n++) expect((await read(key.key)).status).toBe(402)
    await flush()
    for (let n = 0; n < 5; n++) await read(key.key)
    await flush()
    const seen = []
    let cursor = ''
    do {
      const page = await listed(key.key, `?limit=30${cursor}`)
      seen.push(...page.rows)
      cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : ''
    } while (cursor)
    expect(seen).toHaveLength(KEPT_PER_KEY)
    expect(new Set(seen.map(({ requestId }) => requestId)).size).toBe(KEPT_PER_KEY)
    expect((await listed(stranger.key.key)).rows).toEqual([])
    expect((await listed(stranger.key.key, `?keyId=${key.id}`)).rows).toEqual([])
    expect((await send('/api/v1/usage/refusals?cursor=x', { key: key.key })).status).toBe(400)
    expect((await send('/api/v1/usage/refusals?status=200', { key: key.key })).status).toBe(400)
    expect((await send('/api/v1/usage/refusals')).status).toBe(401)
  })

  test('and its counts are deleted after 35 days, and with the account', async () => {
    const { owner, key } = await makeCaller(0)
    await read(key.key)
    countRequest({ ownerId: owner.id, keyId: key.id, status: 200, ms: 1 })
    await flush()
    const later = (days: number) =>
      Promise.all([
        mainPool().query("UPDATE refusal SET at = at - $2::int * interval '1 day' WHERE owner_id = $1", [
          owner.id,
          days,
        ]),
        mainPool().query("UPDATE request_hour SET hour = hour - $2::int * interval '1 day' WHERE owner_id = $1", [
          owner.id,
          days,
        ]),
      ])
    const left = async () =>
      (
        await mainPool().query(
          `SELECT (SELECT count(*) FROM refusal WHERE owner_id = $1)::int AS refusals,
            (SELECT array_agg(status ORDER BY status) FROM request_hour WHERE owner_id = $1) AS counts`,
          [owner.id],
        )
      ).rows[0]
    await later(9)
    await Promise.all([expiredRefusals().step(), expiredRequestCounts().step()])
    expect(await left()).toEqual({ refusals: 1, counts: [402] })
    await later(27)
    await Promise.all([expiredRefusals().step(), expiredRequestCounts().step()])
    expect(await left()).toEqual({ refusals: 0, counts: null })
  })
})
