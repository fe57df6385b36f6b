import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { pollUntil } from '../tests/support/poll-until'
import { toAppError } from './api/trpc'
import { mainPool, readPool, runRead } from './db'
import { env } from './env'
import type { ReadOptions } from './kit/pg-read'

/** Queries that run on the read pool's connections, whoever asks. */
async function running(): Promise<number> {
  const { rows } = await mainPool().query(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE application_name LIKE 'tollgate % reads' AND state = 'active' AND datname = current_database()`,
  )
  return rows[0].n
}

const SLEEP = 'SELECT pg_sleep(60)'

/** Runs a text as a statement of no module. */
const readText = (text: string, options?: ReadOptions) =>
  runRead({ name: 'test', text, params: [], columns: {}, isPrepared: false }, [], options)

test('a read whose signal aborts is cancelled in the database, and so are those that waited for a connection', async () => {
  Object.assign(env(), { READ_TIMEOUT_MS: 60_000 })
  const leaving = new AbortController()
  const reads = Array.from({ length: 20 }, () => readText(SLEEP, { signal: leaving.signal }).catch((error) => error))
  await pollUntil('the reads', async () => (await running()) === readPool().options.max)
  leaving.abort()
  for (const error of await Promise.all(reads)) expect(error).toMatchObject({ code: 'unavailable' })
  await pollUntil('the end of every read', async () => (await running()) === 0)
  expect(await readText('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a cancellation that reaches the database before the query does is asked for again', async () => {
  Object.assign(env(), { READ_TIMEOUT_MS: 600_000 })
  await readPool.reset()?.end()
  for (let round = 0; round < 40; round++) {
    const leaving = new AbortController()
    const read = readText('SELECT pg_sleep(600)', { signal: leaving.signal }).catch((error) => error)
    for (let turn = 0; turn < round % 8; turn++) await nextTurn()
    leaving.abort()
    expect(await read).toMatchObject({ code: 'unavailable' })
  }
  expect(await running()).toBe(0)
  Object.assign(env(), { READ_TIMEOUT_MS: 60_000 })
  await readPool.reset()?.end()
})

test('a read that takes too long is 503 with Retry-After and says so; its connection stays usable', async () => {
  const error = toAppError(await readText(SLEEP, { withinMs: 50 }).catch((e) => e))
  expect(error).toMatchObject({ status: 503, retryAfter: expect.any(Number) })
  expect(error.message).toMatch(/too long/)
  expect(await running()).toBe(0)
  expect(await readText('SHOW statement_timeout')).toEqual([{ statement_timeout: '1min' }])
})

test('nothing is written through it', async () => {
  const refused = { code: 'unavailable', cause: { code: '25006' } }
  await expect(readText('CREATE TABLE written (id int)')).rejects.toMatchObject(refused)
  await expect(readText('CREATE TABLE written (id int)', { withinMs: 1_000 })).rejects.toMatchObject(refused)
  expect(await readText(`SELECT to_regclass('written') AS written`)).toEqual([{ written: null }])
})

test('an error of a query is thrown as it was, and its connection stays usable', async () => {
  await expect(readText('SELECT nothing FROM nowhere')).rejects.toThrow(/nowhere/)
  await expect(readText('SELECT nothing FROM nowhere', { withinMs: 1_000 })).rejects.toThrow(/nowhere/)
  expect(await Promise.all(Array.from({ length: 12 }, () => readText('SELECT 1 AS one')))).toHaveLength(12)
})
