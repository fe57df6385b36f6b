import { expect, test } from 'vitest'
import { ownerTrafficCommand } from '../../server/cli/admin/owner-traffic'
import { mainPool } from '../../server/db'
import { countRequest, flushRequests } from '../../server/request-log/count-requests'
import { expiredRequestCounts } from '../../server/request-log/expired-request-counts'
import { flushRefusals } from '../../server/request-log/note-refusal'
import { callQuery, send, withSandbox } from '../support/api'
import { takeHold } from '../support/hold'
import { sendRpc } from '../support/mcp'
import { makeOperator } from '../support/operators'
import { makeCaller } from '../support/owners'
import { settleById } from '../support/settle'

withSandbox()

const prices = (key: string) => callQuery(key, 'crypto_get_prices', { coinIds: ['bitcoin'] })

test('owners are listed by requests, refusals, errors, time and credits', async () => {
  const { api } = await makeOperator()
  const busy = await makeCaller(1_000, { rpm: 4, tools: ['crypto_get_prices'] })
  const poor = await makeCaller(0)
  for (const status of [200, 200]) expect((await prices(busy.key.key)).status).toBe(status)
  expect((await callQuery(busy.key.key, 'web_search', { query: 'x' })).status).toBe(403)
  expect((await prices(busy.key.key)).status).toBe(200)
  expect((await prices(busy.key.key)).status).toBe(429)
  const params = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
  expect((await sendRpc(poor.key.key, { id: 1, method: 'tools/call', params })).status).toBe(200)
  countRequest({ ownerId: poor.owner.id, keyId: poor.key.id, status: 502, ms: 7 })
  await send('/api/v1/catalog')
  await Promise.all([flushRequests(), flushRefusals()])
  const { rows } = await api.operators.owners.traffic({})
  expect(rows.map(({ email }) => email)).toEqual([busy.owner.email, poor.owner.email])
  expect(rows[0]).toMatchObject({ requests: 5, refused: { 402: 0, 403: 1, 429: 1 }, errors: 0, spent: 9 })
  expect(rows[0]?.slowestMs).toBeGreaterThanOrEqual(rows[0]?.averageMs ?? 1)
  expect(rows[1]).toMatchObject({ requests: 2, refused: { 402: 1, 403: 0, 429: 0 }, errors: 1, spent: 0 })
  const firstBy = async (sort: 'refused' | 'errors' | 'latency' | 'spent') =>
    (await api.operators.owners.traffic({ sort, range: 'day' })).rows[0]?.email
  expect(await firstBy('refused')).toBe(busy.owner.email)
  expect(await firstBy('errors')).toBe(poor.owner.email)
  expect(await firstBy('spent')).toBe(busy.owner.email)
  const hold = await takeHold(poor.owner, 0)
  const now = await api.operators.owners.traffic({ range: 'now', sort: 'inProgress' })
  expect(now.rows.map(({ email, inProgress }) => [email, inProgress])).toEqual([
    [poor.owner.email, 1],
    [busy.owner.email, 0],
  ])
  expect(now.rows[1]).toMatchObject({ requests: 5, refused: { 402: 0, 403: 1, 429: 1 }, errors: 0, spent: 9 })
  expect(now.rows[1]?.totalMs).toBeGreaterThanOrEqual(now.rows[1]?.slowestMs ?? 1)
  expect((await api.operators.owners.traffic({ range: 'now', sort: 'time' })).rows[0]?.email).toBe(busy.owner.email)
  await settleById({ id: hold, actual: 0n, status: 'void' })
  const { data, text } = await ownerTrafficCommand.run({ sort: 'errors' })
  expect(data).toMatchObject({ owners: [{ email: poor.owner.email }, { email: busy.owner.email }] })
  expect(text).toContain('refused 0 (402), 1 (403), 1 (429)')
})

test('refused requests of some seconds are one row and one statement', async () => {
  const { owner, key } = await makeCaller(0)
  for (let n = 0; n < 500; n++) countRequest({ ownerId: owner.id, keyId: key.id, status: 402, ms: 2 })
  await flushRequests()
  const rowsOf = async () =>
    (await mainPool().query('SELECT status, requests::int, ms::int FROM request_hour WHERE owner_id = $1', [owner.id]))
      .rows
  expect(await rowsOf()).toEqual([{ status: 402, requests: 500, ms: 1_000 }])
  await flushRequests()
  countRequest({ ownerId: owner.id, keyId: key.id, status: 402, ms: 2 })
  await flushRequests()
  expect(await rowsOf()).toEqual([{ status: 402, requests: 501, ms: 1_002 }])
  await mainPool().query(`UPDATE request_hour SET hour = hour - interval '36 days' WHERE owner_id = $1`, [owner.id])
  expect(await expiredRequestCounts().step()).toEqual({ deleted: 1, more: false })
  expect(await rowsOf()).toEqual([])
})
