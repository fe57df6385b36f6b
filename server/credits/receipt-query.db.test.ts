import { beforeAll, expect, test } from 'vitest'
import { fillHistory } from '../../tests/support/history'
import { makeCaller, makeKey } from '../../tests/support/owners'
import { mainPool } from '../db'
import { receiptQuery } from './receipt-query'
import type { UsageFilter } from './shape'

const CALLS = 40_000
let ownerId: number
let keyId: number
beforeAll(async () => {
  const { owner, key } = await makeCaller()
  const second = await makeKey(owner)
  ownerId = owner.id
  keyId = second.id
  await fillHistory({ ownerId, keyIds: [key.id, second.id], count: CALLS, days: 20 })
  await mainPool().query('VACUUM ANALYZE receipt')
  await mainPool().query('VACUUM ANALYZE usage_hour')
})

/** Pages of the database that the list of a filter reads. */
async function pagesRead(filter: UsageFilter): Promise<number> {
  const { statement, values } = receiptQuery({ ownerId, filter, after: null, max: 51 })
  const { rows } = await mainPool().query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`, values)
  const { Plan: plan } = rows[0]['QUERY PLAN'][0]
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

test.each<[string, () => UsageFilter]>([
  ['no filter', () => ({})],
  ['a common tool', () => ({ what: 'web_search' })],
  ['a rare tool', () => ({ what: 'rare_tool' })],
  ['a tool never called', () => ({ what: 'nothing' })],
  ['a rare status', () => ({ status: 'void' })],
  ['a status that no call has', () => ({ status: 'expired' })],
  ['the common status', () => ({ status: 'ok' })],
  ['the common product', () => ({ product: 'tool' })],
  ['another product', () => ({ product: 'chat' })],
  ['a product that was never called', () => ({ product: 'agent' })],
  ['a key', () => ({ keyId })],
  ['a key and a rare tool', () => ({ keyId, what: 'rare_tool' })],
  ['what no call is at once', () => ({ keyId, product: 'chat', status: 'expired' })],
])('the list by %s reads less than a third of a long history', async (_name, filter) => {
  const { rows } = await mainPool().query(`SELECT relpages FROM pg_class WHERE relname = 'receipt'`)
  expect(rows[0].relpages).toBeGreaterThan(700)
  expect(await pagesRead(filter())).toBeLessThan(rows[0].relpages / 3)
})
