import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeEmptyDatabase, type TestDatabase } from '../../../tests/support/database'
import { makeOwner, type TestOwner } from '../../../tests/support/owners'
import { getAgentSettings } from '../../accounts/agent-settings'
import { closeDb, prisma } from '../../db'
import { parseDatabaseUrl } from './address'
import { connectOwnerDatabase, disconnectOwnerDatabase } from './connection'
import { sqlQuery } from './sql_query'

const ours = new URL(process.env.DATABASE_URL ?? '')
// The guard allows this one address, as an operator would for a database inside the network.
process.env.ALLOW_PRIVATE_HOSTS = ours.host
let database: TestDatabase
let theirs: URL
let name: string

let owner: TestOwner
let direct: pg.Client

beforeAll(async () => {
  owner = await makeOwner()
  database = await makeEmptyDatabase()
  theirs = new URL(database.url)
  name = theirs.pathname.slice(1)
  direct = new pg.Client({ connectionString: theirs.href })
  await direct.connect()
  await direct.query(`CREATE TABLE orders (id int PRIMARY KEY, total numeric, at timestamptz, note text);
    INSERT INTO orders VALUES (1, 10.50, '2026-01-01T00:00:00Z', 'a'), (2, 7, NULL, 'b')`)
})
afterAll(async () => {
  await direct.end()
  await database.drop()
  await closeDb()
})

async function run(input: object, { as = owner, approved = false, signal = new AbortController().signal } = {}) {
  const context = { signal, onSent: () => {}, spent: () => {}, ownerId: as.id, approved }
  return sqlQuery.output.parse(await sqlQuery.run(sqlQuery.params.parse(input) as never, context)) as Record<
    string,
    unknown
  >
}

const asks = (input: object) =>
  sqlQuery.asks?.(sqlQuery.params.parse(input) as never, {
    ...{ ownerId: owner.id, jobId: 'x' },
    run: { id: 'r', conversation: ['r'] },
  })

const count = async () => (await direct.query('SELECT count(*)::int AS n FROM orders')).rows[0].n

describe('connecting a database', () => {
  test('tests the connection, stores the URL encrypted, and shows it without credentials', async () => {
    const { label } = await connectOwnerDatabase(owner.id, theirs.href)
    expect(label).toBe(`${theirs.host}/${name}`)
    expect((await getAgentSettings(owner.id)).databaseLabel).toBe(label)
    const row = await prisma().agentSettings.findUniqueOrThrow({ where: { ownerId: owner.id } })
    const kept = Buffer.from(row.databaseUrl ?? []).toString('latin1')
    expect(kept).not.toContain(theirs.password)
    expect(kept).not.toContain(name)
  })

  test("refuses the gateway's own database", async () => {
    await expect(connectOwnerDatabase(owner.id, ours.href)).rejects.toThrow(/database of this gateway/)
  })

  test.each([
    ['http://example.com/x', /must be a postgresql/],
    ['postgres://u:p@host', /name of the database/],
    ['postgres://u:p@host/x?sslrootcert=/etc/passwd', /only sslmode/],
    ['postgres://u:p@host/x?host=/var/run/postgresql', /only sslmode/],
    ['postgres://u:p@host/x?sslmode=weird', /sslmode/],
    ['postgres:///x?host=/tmp', /must be a postgresql/],
    ['nonsense', /must be a postgresql/],
  ])('%s is refused', (url, why) => {
    expect(() => parseDatabaseUrl(url)).toThrow(why)
  })

  test.each(['127.0.0.1:1', '10.0.0.1:5432', '169.254.169.254:5432', '[::1]:5432', '2130706433:5432'])(
    'an address that is not public is refused: %s',
    async (host) => {
      await expect(connectOwnerDatabase(owner.id, `postgres://u:p@${host}/x`)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('not a public address'),
      })
    },
  )

  test('reports a wrong password with the message of the database, without the password', async () => {
    const wrong = new URL(theirs)
    wrong.password = 'not-this-one'
    wrong.username = 'nobody_there'
    const error = await connectOwnerDatabase(owner.id, wrong.href).catch((e: Error) => e)
    expect(String(error)).toMatch(/cannot be reached/)
    expect(String(error)).not.toContain('not-this-one')
  })
})

describe('sql_query', () => {
  test('reads without approval, with values as parameters', async () => {
    const input = { sql: 'select id, total, at, note from orders where note = $1', params: ['a'] }
    expect(await asks(input)).toBeNull()
    expect(await run(input)).toEqual({
      columns: ['id', 'total', 'at', 'note'],
      rows: [{ id: 1, total: '10.50', at: '2026-01-01T00:00:00.000Z', note: 'a' }],
      totalRows: 1,
      affected: null,
      truncated: false,
      nextCursor: null,
    })
  })

  test('needs approval for a write, shows exactly what would run, and commits what was approved', async () => {
    const input = { sql: 'delete from orders where id = $1', params: [2] }
    expect(await asks(input)).toEqual({
      summary: 'Run this statement on the connected database, and commit it. Its values: $1 = 2.',
      reason: 'It may do more than read: it is DELETE from orders.',
      sql: input.sql,
      effect: expect.any(Function),
    })
    expect(await (await asks(input))?.effect?.()).toEqual({ kind: 'statement', affected: 1, note: null })
    await expect(run(input)).rejects.toThrow(/needs approval/)
    expect(await count()).toBe(2)
    expect(await run(input, { approved: true })).toMatchObject({ affected: 1, rows: [] })
    expect(await count()).toBe(1)
    await direct.query("INSERT INTO orders VALUES (2, 7, NULL, 'b')")
  })

  test('is tried and rolled back where it only changes rows, so that its approval says how many', async () => {
    const effectOf = async (sql: string) => (await asks({ sql }))?.effect?.()
    expect(await effectOf("update orders set note = 'x'")).toMatchObject({ affected: 2 })
    expect(await effectOf("insert into orders values (1, 1, null, 'c')")).toMatchObject({
      ...{ affected: null, note: expect.stringContaining('duplicate key') },
    })
    expect(await effectOf('truncate orders')).toBeNull()
    expect(await effectOf('delete from orders where id = pg_sleep(1)::text::int')).toBeNull()
    expect((await direct.query('SELECT count(*)::int AS n FROM orders WHERE note IS NOT NULL')).rows).toEqual([
      { n: 2 },
    ])
  })

  test('runs a single statement only, even with approval', async () => {
    const input = { sql: 'select 1; delete from orders' }
    await expect(run(input, { approved: true })).rejects.toThrow(/multiple commands/)
    await expect(run({ sql: 'commit; delete from orders' }, { approved: true })).rejects.toThrow(/multiple commands/)
    expect(await count()).toBe(2)
  })

  test('does not write in a read, even where a function of the database hides the write', async () => {
    await direct.query(
      `CREATE OR REPLACE FUNCTION lower(int) RETURNS int LANGUAGE sql AS 'DELETE FROM orders RETURNING 1'`,
    )
    await expect(run({ sql: 'select lower(1)' })).rejects.toThrow(/read-only transaction/)
    expect(await count()).toBe(2)
  })

  test('reports errors with the message of PostgreSQL', async () => {
    await expect(run({ sql: 'select nope from orders' })).rejects.toThrow(/column "nope" does not exist/)
    await expect(run({ sql: 'select $1::int', params: [] })).rejects.toThrow(/parameters/)
  })

  test('returns the first thousand of many rows', async () => {
    const answer = await run({ sql: "select g, repeat('x', 100) as x from generate_series(1, 200000) g" })
    expect(answer).toMatchObject({ totalRows: 1_000, truncated: true, columns: ['g', 'x'] })
  })

  test('ends the statement when the client disconnects', async () => {
    const leaving = new AbortController()
    const asked = run({ sql: 'select count(*) from generate_series(1, 2000000000) g' }, { signal: leaving.signal })
    setTimeout(() => leaving.abort(), 300)
    await expect(asked).rejects.toThrow()
  })

  test('says so when no database is connected, also to another owner', async () => {
    const stranger = await makeOwner()
    await expect(run({ sql: 'select 1' }, { as: stranger })).rejects.toThrow(/No database is connected/)
    await disconnectOwnerDatabase(owner.id)
    await expect(run({ sql: 'select 1' })).rejects.toThrow(/No database is connected/)
    expect((await getAgentSettings(owner.id)).databaseLabel).toBeNull()
  })
})
