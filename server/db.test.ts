import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { withOwnDatabase } from '../tests/support/own-database'
import { inTransaction, pool } from './db'

withOwnDatabase()

it('a connection lost between two statements fails its transaction, not the process', async () => {
  const lost = inTransaction(async (db) => {
    const { rows } = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await pool().query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    // Nothing is asked of the connection while it goes.
    await sleep(200)
    await db.query('SELECT 1')
  })
  await expect(lost).rejects.toMatchObject({ code: 'unavailable' })
  const { rows } = await pool().query('SELECT 1 AS one')
  expect(rows).toEqual([{ one: 1 }])
})

it('what a transaction wrote before it threw is undone, and its connection serves again', async () => {
  await expect(
    inTransaction(async (db) => {
      await db.query("INSERT INTO rate_window (id, started_at, count) VALUES ('t', now(), 1)")
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  const { rowCount } = await pool().query("SELECT 1 FROM rate_window WHERE id = 't'")
  expect(rowCount).toBe(0)
})
