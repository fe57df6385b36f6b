import { expect, test } from 'vitest'
import { cleanAll } from '../../tests/support/cleaning'
import { withOwnDatabase } from '../../tests/support/own-database'
import { pool } from '../db'
import { oldAttempts } from './old-attempts'

withOwnDatabase()

test('counters of strangers not seen for an hour are deleted in steps; new ones and those of keys and owners stay', async () => {
  await pool().query(
    `INSERT INTO rate_window (id, started_at, count)
     SELECT 'enter:address:' || n, now() - interval '61 minutes', 1 FROM generate_series(1, 1200) n
     UNION ALL SELECT 'enter:email:new', now() - interval '59 minutes', 1
     UNION ALL SELECT 'key:1', now() - interval '1 year', 1 UNION ALL SELECT 'owner:1', now() - interval '1 year', 1`,
  )
  expect(await oldAttempts().count()).toBe(1_200)
  expect(await cleanAll(oldAttempts())).toEqual({ deleted: 1_200, steps: 3 })
  const { rows } = await pool().query('SELECT id FROM rate_window ORDER BY id')
  expect(rows.map(({ id }) => id)).toEqual(['enter:email:new', 'key:1', 'owner:1'])
})
