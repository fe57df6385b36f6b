import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PrismaClient } from '../../prisma/generated/client'
import { type DatabaseProxy, startDatabaseProxy } from '../../tests/support/database-proxy'
import { makePool } from './pg-pool'

let proxy: DatabaseProxy
let pool: pg.Pool
let lost = 0

beforeEach(async () => {
  lost = 0
  proxy = await startDatabaseProxy(process.env.DATABASE_URL ?? '')
  const settings = { url: proxy.url, name: 'pool test', max: 3, statementMs: 300, lockMs: 200 }
  pool = makePool(settings, () => {
    lost++
  })
})
afterEach(async () => {
  if (!pool.ended) await pool.end()
  await proxy.close()
})

const one = async () => (await pool.query<{ one: number }>('SELECT 1 AS one')).rows[0]?.one

/** Fills the pool with idle connections. */
async function fill(): Promise<void> {
  const clients = await Promise.all(Array.from({ length: 3 }, () => pool.connect()))
  for (const client of clients) client.release()
  expect(pool.idleCount).toBe(3)
}

test('every connection bounds statements, locks and idle transactions on the server, and has a name', async () => {
  const { rows } = await pool.query(`SELECT current_setting('statement_timeout') AS statement,
    current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle,
    current_setting('application_name') AS name`)
  expect(rows).toEqual([{ statement: '300ms', lock: '200ms', idle: '5s', name: 'pool test' }])
})

test('a statement that takes too long is ended by the server', async () => {
  await expect(pool.query('SELECT pg_sleep(60)')).rejects.toThrow(/statement timeout|read timeout/)
  expect(await one()).toBe(1)
})

describe('connections to a server that does not write any more', () => {
  const write = 'CREATE TABLE written ()'
  const becomeReplica = async () => {
    const clients = await Promise.all(Array.from({ length: 3 }, () => pool.connect()))
    for (const client of clients) {
      await client.query('SET default_transaction_read_only = on')
      client.release()
    }
  }

  test('are all closed at the first write that one refuses, and the next write has a new one', async () => {
    await becomeReplica()
    await expect(pool.query(write)).rejects.toMatchObject({ code: '25006' })
    await expect.poll(() => pool.totalCount).toBe(0)
    await pool.query(write)
    await pool.query('DROP TABLE written')
  })

  test('are closed when a transaction meets one, too', async () => {
    await becomeReplica()
    const client = await pool.connect()
    client.on('error', () => {})
    await client.query('BEGIN')
    await expect(client.query(write)).rejects.toMatchObject({ code: '25006' })
    client.release()
    await expect.poll(() => pool.totalCount).toBe(0)
  })

  test('stay open in a pool that only reads', async () => {
    const reads = makePool(
      { url: proxy.url, name: 'reads', max: 1, statementMs: 300, lockMs: 200, readOnly: true },
      () => {},
    )
    const client = await reads.connect()
    await expect(client.query(write)).rejects.toMatchObject({ code: '25006' })
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    client.release()
    await reads.end()
  })
})

describe('a connection whose peer falls silent', () => {
  test('fails its query and is closed, with the idle ones beside it; new ones are made', async () => {
    await fill()
    proxy.freezeOpen()
    await expect(pool.query('SELECT 1')).rejects.toThrow('Query read timeout')
    await expect.poll(() => [pool.totalCount, lost]).toEqual([0, 2])
    expect(await Promise.all([one(), one(), one()])).toEqual([1, 1, 1])
  })

  test('is closed in the middle of a transaction too', async () => {
    const client = await pool.connect()
    client.on('error', () => {})
    await client.query('BEGIN')
    proxy.freezeOpen()
    await expect(client.query('SELECT 1')).rejects.toThrow('Query read timeout')
    expect(client.connection.stream.destroyed).toBe(true)
    await expect(client.query('ROLLBACK')).rejects.toThrow()
    client.release()
    expect(await one()).toBe(1)
  })

  test('does not keep the pool from ending', async () => {
    await fill()
    proxy.freezeAll()
    await pool.end()
    expect(pool.ended).toBe(true)
  })

  test('takes no place in the pool when Prisma used it: more transactions fail than it has places, then it serves', async () => {
    const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
    const transaction = () => prisma.$transaction(async (tx) => tx.$queryRaw`SELECT 1 AS one`)
    for (let round = 0; round < 4; round++) {
      expect(await transaction()).toEqual([{ one: 1 }])
      proxy.freezeOpen()
      await expect(transaction()).rejects.toThrow()
    }
    expect(await transaction()).toEqual([{ one: 1 }])
    await prisma.$disconnect()
  })
})

test('queries that are sent side by side on a connection run in order, each after the one before', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  const client = await pool.connect()
  const numbers = [1, 2, 3, 4].map((n) => client.query<{ n: number }>('SELECT $1::int AS n', [n]))
  const failing = client.query('SELECT wrong')
  const after = client.query('SELECT 5 AS n')
  await expect(failing).rejects.toThrow('wrong')
  expect((await Promise.all([...numbers, after])).map(({ rows }) => rows[0]?.n)).toEqual([1, 2, 3, 4, 5])
  client.release()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', note)
  expect(warnings).toEqual([])
})
