import { expect, test } from 'vitest'
import { runRetentionTask } from '../../tests/support/retention-task'
import { mainPool } from '../db'
import { expiredRateWindows } from './expired-rate-windows'

test('counters of strangers not seen for an hour are deleted in steps; new ones and those of keys and owners stay', async () => {
  await mainPool().query(
    `INSERT INTO rate_window (id, started_at, count)
     SELECT 'enter:address:' || n, now() - interval '61 minutes', 1 FROM generate_series(1, 1200) n
     UNION ALL SELECT 'enter:email:new', now() - interval '59 minutes', 1
     UNION ALL SELECT 'key:1', now() - interval '1 year', 1 UNION ALL SELECT 'owner:1', now() - interval '1 year', 1`,
  )
  expect(await expiredRateWindows().count()).toBe(1_200)
  expect(await runRetentionTask(expiredRateWindows())).toEqual({ deleted: 1_200, steps: 3 })
  const { rows } = await mainPool().query('SELECT id FROM rate_window ORDER BY id')
  expect(rows.map(({ id }) => id)).toEqual(['enter:email:new', 'key:1', 'owner:1'])
})
