import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeEmptyDatabase, superuserUrlOf, type TestDatabase } from '../../../tests/support/database'
import { queryOnce } from '../../../tests/support/query-once'
import { APP_ROLE, ensureRole, giveDatabase, grantToAppRole, OWNER_ROLE } from './roles'

let database: TestDatabase
let ownerUrl: string
let appUrl: string
let owner: pg.Client

const connect = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

beforeAll(async () => {
  database = await makeEmptyDatabase()
  ownerUrl = database.url
  appUrl = database.appUrl
  owner = await connect(ownerUrl)
  await owner.query('CREATE SCHEMA queue; CREATE TABLE queue.message (id int); CREATE TABLE account (id serial, n int)')
  await grantToAppRole(ownerUrl)
  await owner.query('CREATE TABLE later (id serial, n int)')
})

afterAll(async () => {
  await owner.end()
  await database.drop()
})

describe('the role of the service', () => {
  it('is no superuser, and can make neither roles nor databases', async () => {
    const app = await connect(appUrl)
    const { rows } = await app.query(
      'SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = current_user',
    )
    expect(Object.values(rows[0])).toEqual([false, false, false, false, false])
    await app.end()
  })

  it('reads and writes rows of every table, also of those that a later migration makes', async () => {
    const app = await connect(appUrl)
    for (const table of ['account', 'later']) {
      await app.query(`INSERT INTO ${table} (n) VALUES (1)`)
      await app.query(`UPDATE ${table} SET n = 2`)
      expect((await app.query(`DELETE FROM ${table} RETURNING n`)).rows).toEqual([{ n: 2 }])
    }
    await app.query('INSERT INTO queue.message VALUES (1)')
    await app.end()
  })

  it.each([
    'CREATE TABLE mine (n int)',
    'ALTER TABLE account ADD m int',
    'DROP TABLE account',
    'TRUNCATE account',
    'CREATE ROLE other',
    `COPY account TO PROGRAM 'cat'`,
    `SELECT pg_read_file('/etc/hostname')`,
    'ALTER SYSTEM SET work_mem = 1',
  ])('is refused: %s', async (statement) => {
    const app = await connect(appUrl)
    await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' })
    await app.end()
  })

  it('keeps working when it is made again, as at every start', async () => {
    const password = decodeURIComponent(new URL(appUrl).password)
    await Promise.all([1, 2].map(() => grantToAppRole(ownerUrl)))
    await ensureRole(superuserUrlOf(database.url), { name: APP_ROLE, password })
    await (await connect(appUrl)).end()
  })
})

describe('the role that migrates', () => {
  it('becomes the owner of what an earlier version made as the superuser', async () => {
    const made = `CREATE SCHEMA theirs; CREATE TYPE theirs.state AS ENUM ('a'); CREATE SEQUENCE theirs.counter;
      CREATE TABLE theirs.message (id serial PRIMARY KEY, state theirs.state);
      CREATE FUNCTION theirs.one() RETURNS int LANGUAGE sql AS 'SELECT 1'`
    await queryOnce(superuserUrlOf(database.url), made)
    await expect(queryOnce(ownerUrl, 'ALTER TABLE theirs.message ADD n int')).rejects.toMatchObject({ code: '42501' })
    await Promise.all([1, 2].map(() => giveDatabase(superuserUrlOf(database.url), OWNER_ROLE)))
    await queryOnce(ownerUrl, 'ALTER TABLE theirs.message ADD n int; DROP SCHEMA theirs CASCADE')
  })
})
