import { beforeAll, expect, test } from 'vitest'
import { fillHistory } from '../../tests/support/history'
import { makeCaller, makeKey } from '../../tests/support/owners'
import { mainPool } from '../db'
import type { UsageDimension } from './shape'
import { sumUpUsage } from './sum-up'
import { usageGroupsQuery } from './usage-groups'
import { localDayOf, plusDays } from './usage-range'

const CALLS = 40_000
let ownerId: number
beforeAll(async () => {
  const { owner, key } = await makeCaller()
  ownerId = owner.id
  const keyIds = [key.id]
  for (let n = 0; n < 20; n++) keyIds.push((await makeKey(owner)).id)
  await fillHistory({ ownerId, keyIds, count: CALLS, days: 200 })
  await mainPool().query('UPDATE receipt SET customer_id = 1 + charged % 3 WHERE owner_id = $1 AND key_id <> $2', [
    ownerId,
    key.id,
  ])
  await sumUpUsage()
  await mainPool().query('VACUUM ANALYZE receipt')
  await mainPool().query('VACUUM ANALYZE usage_hour')
  await mainPool().query('VACUUM ANALYZE usage_customer_hour')
})

test.each<[UsageDimension[]]>([
  [['day']],
  [['key']],
  [['tag', 'model']],
  [['customer', 'tool']],
  [['day', 'customer']],
])('ten days by %j read some of a long history, not all of it', async (by) => {
  const ofDays = async (count: number) => {
    const first = plusDays(localDayOf('Asia/Kolkata'), -2 - count)
    const days = Array.from({ length: by.includes('day') ? count : 1 }, (_, n) => `${plusDays(first, n)}T00:00`)
    const { statement, values } = usageGroupsQuery({
      ...{ ownerId, timeZone: 'Asia/Kolkata', by, keys: null, tools: [], limit: 100 },
      buckets: { unit: 'day', begins: days, end: `${plusDays(first, count)}T00:00` },
    })
    const { rows } = await mainPool().query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`, values)
    const plan = rows[0]['QUERY PLAN'][0].Plan
    return { text: JSON.stringify(plan), blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] }
  }
  const some = await ofDays(10)
  const all = await ofDays(190)
  expect(some.text).not.toMatch(/"Seq Scan","[^}]*"Relation Name":"(receipt|usage_\w+_?hour)"/)
  expect(some.blocks).toBeLessThan(all.blocks / 6)
})
