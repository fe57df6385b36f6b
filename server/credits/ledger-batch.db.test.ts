import { expect, test } from 'vitest'
import { holdRequest } from '../../tests/support/hold'
import { makeCaller } from '../../tests/support/owners'
import { mainPool } from '../db'
import { hashSecret } from '../keys/secret'
import { uuidv7 } from '../kit/id'
import { holderId } from './holder'
import { askLedger } from './ledger-batch'
import { reserveCredits } from './reserve'
import { findLedgerDifferences } from './verify'

const settlement = (id: string, ownerId: number, actual = 3n) =>
  ({ settle: { id, ownerId, held: 5n, actual, status: 'ok' }, owner: ownerId }) as const

test('what is wrong with one request fails no other of its batch', async () => {
  const [bad, good] = [await makeCaller(), await makeCaller()]
  const [wrong, right] = [holdRequest(bad.owner, 5), holdRequest(good.owner, 5, { keyId: good.key.id })]
  await reserveCredits(wrong)
  await mainPool().query('UPDATE account SET held = 0 WHERE owner_id = $1', [bad.owner.id])
  const [refused, authenticated, reserved] = await Promise.allSettled([
    askLedger(settlement(wrong.id, bad.owner.id)),
    askLedger({ hash: hashSecret(good.key.key), owner: good.owner.id }),
    askLedger({ reserve: right, owner: good.owner.id }),
  ])
  expect(refused).toMatchObject({ status: 'rejected', reason: { constraint: 'account_held_check' } })
  expect(authenticated).toMatchObject({
    value: { authenticated: { state: 'ok', key_id: good.key.id, remaining: 9_999 } },
  })
  expect(reserved).toMatchObject({ value: { reserved: { outcome: 'held', amount: '5' } } })
  await mainPool().query('UPDATE account SET held = 5 WHERE owner_id = $1', [bad.owner.id])
  await Promise.all([askLedger(settlement(wrong.id, bad.owner.id)), askLedger(settlement(right.id, good.owner.id))])
  expect(await findLedgerDifferences()).toEqual([])
})

test('one request ends a hold, lets its key in and takes the next hold, from what that freed', async () => {
  const { owner, key } = await makeCaller(8, { budget: 8 })
  const [first, second] = [holdRequest(owner, 5, { keyId: key.id }), holdRequest(owner, 5, { keyId: key.id })]
  await reserveCredits(first)
  const hash = hashSecret(key.key)
  const request = { ...settlement(first.id, owner.id), hash, reserve: second, version: 1 }
  const { settled, authenticated, reserved } = await askLedger(request)
  expect(settled).toMatchObject({ outcome: 'done', charged: '3', held: '5' })
  expect(authenticated).toMatchObject({ state: 'ok', grants_version: 1 })
  expect(reserved).toMatchObject({ outcome: 'held', amount: '5' })
  const stale = await askLedger({
    hash,
    reserve: holdRequest(owner, 0, { keyId: key.id }),
    version: 2,
    owner: owner.id,
  })
  expect(stale).toMatchObject({ authenticated: { state: 'ok' } })
  expect(stale.reserved).toBeUndefined()
  await askLedger(settlement(second.id, owner.id))
  expect(await findLedgerDifferences()).toEqual([])
})

test('batches of several processes over the same owners, in other orders, never wait for each other in a circle', async () => {
  const callers = await Promise.all(Array.from({ length: 4 }, () => makeCaller(100_000)))
  const batch = `SELECT * FROM credits_batch($1::bytea[], 1000000, $2::uuid[], array_fill(1::bigint, ARRAY[cardinality($2::uuid[])]), '{}',
      array_fill('ok'::text, ARRAY[cardinality($2::uuid[])]), '{}', '{}', '{}', $3::uuid, $4::uuid[], $5::int[], $6::int[], '{}',
      array_fill(2::bigint, ARRAY[4]), array_fill(2::bigint, ARRAY[4]), array_fill(0::bigint, ARRAY[4]), array_fill('rest'::text, ARRAY[4]),
      array_fill('tool'::text, ARRAY[4]), array_fill('x'::text, ARRAY[4]), '{}', '{}', NULL, '{}', '{}')`
  const runOne = async (from: number) => {
    const client = await mainPool().connect()
    try {
      let held: string[] = []
      for (let turn = 0; turn < 40; turn++) {
        const order = callers.map((_, i) => callers[(i * (from % 2 ? 3 : 1) + from + turn) % 4] as (typeof callers)[0])
        const ids = order.map(() => uuidv7())
        const hashes = order.toReversed().map(({ key }) => hashSecret(key.key))
        const values = [
          hashes,
          held,
          holderId(),
          ids,
          order.map(({ owner }) => owner.id),
          order.map(({ key }) => key.id),
        ]
        const { rows } = await client.query(batch, values)
        expect(rows.filter(({ outcome }) => outcome === 'held')).toHaveLength(4)
        expect(rows.filter(({ settled }) => settled === 'done')).toHaveLength(held.length)
        held = ids
      }
      await client.query(batch, [[], held, holderId(), [], [], []])
    } finally {
      client.release()
    }
  }
  await Promise.all([0, 1, 2, 3].map(runOne))
  expect(await findLedgerDifferences()).toEqual([])
})
