import { expect, test } from 'vitest'
import { takeHold } from '../../tests/support/hold'
import { makeOwner } from '../../tests/support/owners'
import { mainPool } from '../db'

const SETTLE = `SELECT n, outcome, charged::int FROM credits_settle($1::uuid[], array_fill(3::bigint, ARRAY[$2::int]),
  array_fill(false, ARRAY[$2]), array_fill('ok'::text, ARRAY[$2]), array_fill(NULL::jsonb, ARRAY[$2]),
  array_fill(NULL::int, ARRAY[$2]), array_fill(NULL::text, ARRAY[$2])) ORDER BY n`

test.each([['enable_nestloop'], ['enable_nestloop, enable_hashjoin'], ['enable_nestloop, enable_mergejoin']])(
  'a batch that names a hold several times charges it once and answers each, planned without %s',
  async (methods) => {
    const owner = await makeOwner(1_000)
    const holds = await Promise.all(Array.from({ length: 4 }, () => takeHold(owner, 10)))
    const ids = Array.from({ length: 5 }, () => holds).flat()
    const db = await mainPool().connect()
    try {
      await db.query('BEGIN')
      for (const method of methods.split(', ')) await db.query(`SET LOCAL ${method} = off`)
      const { rows } = await db.query(SETTLE, [ids, ids.length])
      await db.query('COMMIT')
      expect(rows).toEqual(ids.map((_, i) => ({ n: i + 1, outcome: i < 4 ? 'done' : 'again', charged: 3 })))
    } finally {
      db.release()
    }
  },
)
