import { expect, test } from 'vitest'
import { withOwnDatabase } from '../tests/support/own-database'
import { until } from '../tests/support/web'
import { asAppError } from './api/trpc'
import { pool, read, readPool } from './db'
import { env } from './env'

withOwnDatabase()

/** Queries that run on the read pool's connections, whoever asks. */
async function running(): Promise<number> {
  const { rows } = await pool().query(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE application_name = 'tollgate-reads' AND state = 'active' AND datname = current_database()`,
  )
  return rows[0].n
}

const SLEEP = 'SELECT pg_sleep(60)'

test('a read whose signal aborts is cancelled in the database, and so are those that waited for a connection', async () => {
  Object.assign(env(), { READ_TIMEOUT_MS: 60_000 })
  const leaving = new AbortController()
  const reads = Array.from({ length: 20 }, () => read(SLEEP, [], { signal: leaving.signal }).catch((error) => error))
  await until('the reads', async () => (await running()) === readPool().options.max)
  leaving.abort()
  for (const error of await Promise.all(reads)) expect(error).toMatchObject({ code: 'unavailable' })
  await until('the end of every read', async () => (await running()) === 0)
  expect(await read('SELECT 1 AS one', [])).toEqual([{ one: 1 }])
})

test('a read that takes too long is 503 with Retry-After and says so; its connection serves on', async () => {
  const error = asAppError(await read(SLEEP, [], { withinMs: 50 }).catch((e) => e))
  expect(error).toMatchObject({ status: 503, retryAfter: expect.any(Number) })
  expect(error.message).toMatch(/too long/)
  expect(await running()).toBe(0)
  expect(await read('SHOW statement_timeout', [])).toEqual([{ statement_timeout: '1min' }])
})

test('nothing is written through it', async () => {
  const refused = { code: 'unavailable', cause: { code: '25006' } }
  await expect(read('CREATE TABLE written (id int)', [])).rejects.toMatchObject(refused)
  await expect(read('CREATE TABLE written (id int)', [], { withinMs: 1_000 })).rejects.toMatchObject(refused)
  expect(await read(`SELECT to_regclass('written') AS written`, [])).toEqual([{ written: null }])
})

test('what is wrong with a query is an error as it was, and its connection serves on', async () => {
  await expect(read('SELECT nothing FROM nowhere', [])).rejects.toThrow(/nowhere/)
  await expect(read('SELECT nothing FROM nowhere', [], { withinMs: 1_000 })).rejects.toThrow(/nowhere/)
  expect(await Promise.all(Array.from({ length: 12 }, () => read('SELECT 1 AS one', [])))).toHaveLength(12)
})
