import { afterAll, expect, test } from 'vitest'
import { takeHold } from '../../tests/support/hold'
import { makeKey, makeOwner, type TestOwner } from '../../tests/support/owners'
import { settleById } from '../../tests/support/settle'
import { closeDb, mainPool } from '../db'
import { listReceipts } from './receipts'
import { calledNames, spendOverDays } from './spend'
import { sumUpUsage } from './sum-up'

afterAll(closeDb)

const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T

/**
 * An owner's sums by hour, key, product, name and outcome: as they are kept, and counted from the
 * receipts that are summed.
 */
async function sumsOf({ id }: TestOwner): Promise<{ kept: unknown[]; counted: unknown[] }> {
  const columns =
    'hour::text, key_id, product, what, outcome, calls::int, charged::int, input_tokens::int, output_tokens::int'
  const kept = await mainPool().query(
    `SELECT ${columns} FROM usage_hour WHERE owner_id = $1 AND key_id >= 0 AND calls <> 0 ORDER BY 1, 2, 3, 4, 5`,
    [id],
  )
  const counted = await mainPool().query(
    `SELECT ${columns} FROM (
       SELECT date_trunc('hour', at, 'UTC') AS hour, coalesce(key_id, 0) AS key_id, product, what,
         usage_outcome(status, charged) AS outcome, count(*) AS calls,
         sum(charged) AS charged, sum(coalesce((detail->>'inputTokens')::int, 0)) AS input_tokens,
         sum(coalesce((detail->>'outputTokens')::int, 0)) AS output_tokens
       FROM receipt WHERE owner_id = $1 AND at < (SELECT until FROM usage_summed) GROUP BY 1, 2, 3, 4, 5) r ORDER BY 1, 2, 3, 4, 5`,
    [id],
  )
  return { kept: kept.rows, counted: counted.rows }
}

/** A finished call of random kind, cost and outcome. */
async function call(owner: TestOwner, keys: readonly (number | null)[]): Promise<string> {
  const product = pick(['tool', 'chat', 'agent'] as const)
  const id = await takeHold(owner, 5, { keyId: pick(keys), product, what: pick(['a', 'b', 'provider/model']) })
  const tokens = product === 'tool' ? {} : { inputTokens: pick([0, 7, 900]), outputTokens: pick([1, 30]) }
  const status = pick(['ok', 'failed', 'void'] as const)
  await settleById({
    id,
    actual: status === 'void' ? 0n : pick([0n, 2n, 9n]),
    status,
    detail: { durationMs: 3, ...tokens },
  })
  return id
}

test('the sums of an hour are those of its receipts, after any calls, refunds and moves to another day', async () => {
  const owner = await makeOwner(100_000)
  const keys = [null, (await makeKey(owner)).id, (await makeKey(owner)).id]
  const ids: string[] = []
  // Fewer at a time than an owner may have in progress.
  for (let i = 0; i < 3; i++) ids.push(...(await Promise.all(Array.from({ length: 100 }, () => call(owner, keys)))))
  await mainPool().query(
    `UPDATE receipt SET at = at - make_interval(days => abs(hashtext(id::text)) % 40) WHERE owner_id = $1`,
    [owner.id],
  )
  await sumUpUsage()
  const refund = `SELECT credits_refund($1, 'void', 'test')`
  await Promise.all(ids.slice(0, 40).flatMap((id) => [mainPool().query(refund, [id]), call(owner, keys)]))
  const { kept, counted } = await sumsOf(owner)
  expect(counted.length).toBeGreaterThan(50)
  expect(kept).toEqual(counted)
})

test('a detail without numbers fails no settlement', async () => {
  const owner = await makeOwner()
  const id = await takeHold(owner, 5, { product: 'chat' })
  const detail = '{"inputTokens": "many", "outputTokens": 1e300}'
  await mainPool().query(
    `SELECT * FROM credits_settle(ARRAY[$1::uuid], ARRAY[5::bigint], ARRAY[false], ARRAY['ok'], ARRAY[$2::jsonb], ARRAY[NULL::int], ARRAY[NULL::text])`,
    [id, detail],
  )
  await mainPool().query(`UPDATE receipt SET at = now() - interval '1 day' WHERE id = $1`, [id])
  await sumUpUsage()
  const { rows } = await mainPool().query(
    'SELECT calls::int, input_tokens::int FROM usage_hour WHERE owner_id = $1 AND key_id = -1',
    [owner.id],
  )
  expect(rows).toEqual([{ calls: 1, input_tokens: 0 }])
})

test('spending is summed by day and product, by day and key, and by tool, over the days asked for', async () => {
  const owner = await makeOwner()
  const key = await makeKey(owner)
  const old = await takeHold(owner, 1, { what: 'old' })
  await settleById({ id: old, actual: 1n, status: 'ok' })
  await mainPool().query(`UPDATE receipt SET at = now() - interval '31 days' WHERE id = $1`, [old])
  for (const [what, product, keyId] of [
    ['a', 'tool', key.id],
    ['a', 'tool', null],
    ['m', 'chat', key.id],
  ] as const)
    await settleById({ id: await takeHold(owner, 5, { what, product, keyId }), actual: 5n, status: 'ok' })
  const { days, byProduct, byKey, byWhat } = await spendOverDays(owner.id, { days: 30, timeZone: 'UTC' })
  expect(days).toHaveLength(30)
  expect(byProduct.map(({ id, values, calls }) => ({ id, last: values.at(-1), calls }))).toEqual([
    { id: 'tool', last: 10, calls: 2 },
    { id: 'chat', last: 5, calls: 1 },
  ])
  expect(byKey.map(({ id, values, calls }) => ({ id, last: values.at(-1), calls }))).toEqual([
    { id: String(key.id), last: 10, calls: 2 },
    { id: '0', last: 5, calls: 1 },
  ])
  expect(byWhat).toEqual([
    { what: 'a', charged: 10, calls: 2 },
    { what: 'm', charged: 5, calls: 1 },
  ])
  expect(await calledNames(owner.id)).toEqual(['a', 'm', 'old'])
})

test('every filter, alone and combined, returns the matching rows of the whole list, in its order and over its pages', async () => {
  const owner = await makeOwner(100_000)
  const keys = [(await makeKey(owner)).id, (await makeKey(owner)).id]
  await Promise.all(Array.from({ length: 90 }, () => call(owner, keys)))
  const { rows: all } = await listReceipts(owner.id, { limit: 100 })
  for (const keyId of [undefined, keys[0]])
    for (const what of [undefined, 'a'])
      for (const status of [undefined, 'failed'] as const)
        for (const product of [undefined, 'chat'] as const) {
          const filter = { keyId, what, status, product }
          const fits = all.filter(
            (r) =>
              (!keyId || r.keyId === keyId) &&
              (!what || r.what === what) &&
              (!status || r.status === status) &&
              (!product || r.product === product),
          )
          const found: string[] = []
          for (let cursor: string | undefined, page = 0; page < 40; page++) {
            const { rows, nextCursor } = await listReceipts(owner.id, { ...filter, limit: 7, cursor })
            found.push(...rows.map((r) => r.requestId))
            if (nextCursor === null) break
            cursor = nextCursor
          }
          expect(found, JSON.stringify(filter)).toEqual(fits.map((r) => r.requestId))
        }
})
