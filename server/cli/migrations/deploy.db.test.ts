import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeEmptyDatabase, superuserUrlOf, type TestDatabase } from '../../../tests/support/database'
import { queryOnce } from '../../../tests/support/query-once'
import { compatibleFrom } from './compatibility'
import { deployMigrations, markRolledBack, migrationProblems } from './deploy'
import { migrationNames } from './files'
import { hasQueues } from './queue-state'

let database: TestDatabase
let url: string
let folder: string

const add = (migration: string, sql: string) => {
  mkdirSync(path.join(folder, migration))
  writeFileSync(path.join(folder, migration, 'migration.sql'), sql)
}

afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})

beforeEach(async () => {
  database = await makeEmptyDatabase()
  url = database.url
  folder = mkdtempSync(path.join(tmpdir(), 'migrations-'))
  cpSync('prisma/migrations', folder, { recursive: true })
})

describe('deploy', () => {
  it('applies every migration once when three processes start together', async () => {
    const all = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const applied = await Promise.all([deployMigrations(url), deployMigrations(url), deployMigrations(url)])
    expect(applied.flat().sort()).toEqual(all.map((entry) => entry.name).sort())
    expect(await migrationProblems(url)).toEqual([])
  })

  it('prepares the queue where it is not as the package wants it, and leaves it alone otherwise', async () => {
    await deployMigrations(url)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    expect(await hasQueues(client)).toBe(true)
    await client.query("DELETE FROM pgboss.queue WHERE name = 'agent-webhooks'")
    expect(await hasQueues(client)).toBe(false)
    await deployMigrations(url)
    expect(await hasQueues(client)).toBe(true)
    await client.query('UPDATE pgboss.version SET version = version - 1')
    expect(await hasQueues(client)).toBe(false)
    await client.query('DROP SCHEMA pgboss CASCADE')
    expect(await hasQueues(client)).toBe(false)
    await client.end()
  })

  it('keeps the semicolons of a function together', async () => {
    add(
      '29990101000000_twice',
      'CREATE FUNCTION twice(n int) RETURNS int AS $$ BEGIN n := n * 2; RETURN n; END $$ LANGUAGE plpgsql;',
    )
    await deployMigrations(url, { folder })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    expect((await client.query('SELECT twice(21) AS n')).rows).toEqual([{ n: 42 }])
    await client.end()
  })

  it('leaves nothing of a failed migration, says so in one line, and tries again after rolled-back', async () => {
    await deployMigrations(url, { folder })
    add('29990101000000_bad', 'CREATE TABLE half (n int); SELECT no_such_thing;')
    await expect(deployMigrations(url, { folder })).rejects.toThrow(
      'Migration 29990101000000_bad failed: column "no_such_thing" does not exist',
    )
    await expect(deployMigrations(url, { folder })).rejects.toThrow(
      /failed before: .*no_such_thing\. .* rolled-back 29990101000000_bad/,
    )
    writeFileSync(path.join(folder, '29990101000000_bad', 'migration.sql'), 'CREATE TABLE half (n int);')
    await markRolledBack(url, '29990101000000_bad')
    expect(await deployMigrations(url, { folder })).toEqual(['29990101000000_bad'])
  })

  it('leaves a database alone that has migrations of a newer version, and names them', async () => {
    add('29990101000000_later', 'CREATE TABLE later (n int);')
    await deployMigrations(url, { folder })
    rmSync(path.join(folder, '29990101000000_later'), { recursive: true })
    add('29980101000000_between', 'CREATE TABLE between_them (n int);')
    await expect(deployMigrations(url, { folder })).rejects.toThrow(/does not know: 29990101000000_later\./)
    expect(await migrationProblems(url, folder)).toContain('29980101000000_between is not applied')
  })

  it('says which right a role lacks that does not own the database, and works once it has it', async () => {
    const own = async (statement: string) => queryOnce(superuserUrlOf(database.url), statement)
    const name = new URL(url).pathname.slice(1)
    const { username } = new URL(superuserUrlOf(database.url))
    await own(`ALTER DATABASE ${name} OWNER TO ${username}`)
    const refused = deployMigrations(url, { folder }).catch((error: Error) => error.message)
    const statement = `ALTER DATABASE ${name} OWNER TO ${new URL(url).username}`
    expect(await refused).toContain(`who migrates has to own it. As the superuser, in that database: ${statement}`)
    await own(statement)
    expect(await deployMigrations(url, { folder })).toEqual(migrationNames())
  })

  it('goes on with the schema of a newer release as long as that works with this one', async () => {
    const newer = migrationNames(folder)
    add('29990101000000_later', 'CREATE TABLE later (n int);')
    await deployMigrations(url, { folder })
    rmSync(path.join(folder, '29990101000000_later'), { recursive: true })
    expect(await deployMigrations(url, { folder })).toEqual([])
    const said = () => queryOnce(url, 'SELECT compatible_from AS from FROM schema_compatibility')
    expect(await said()).toEqual([{ from: compatibleFrom(folder) }])
    // The release after it no longer works with this one, also after a roll-back to one that did.
    add('29990101000000_later', 'CREATE TABLE later (n int);')
    add('29990102000000_last', 'DROP TABLE later;')
    const file = path.join(folder, 'compatible-from')
    writeFileSync(file, '29990101000000_later\n')
    await deployMigrations(url, { folder })
    rmSync(path.join(folder, '29990102000000_last'), { recursive: true })
    writeFileSync(file, `${newer.at(-1)}\n`)
    expect(await deployMigrations(url, { folder })).toEqual([])
    expect(await said()).toEqual([{ from: '29990101000000_later' }])
    rmSync(path.join(folder, '29990101000000_later'), { recursive: true })
    await expect(deployMigrations(url, { folder })).rejects.toThrow(/29990102000000_last\. Run the version/)
  })

  it('repeats a migration that PostgreSQL ended because it and a call waited for each other', async () => {
    await deployMigrations(url, { folder })
    // Only a superuser may set deadlock_timeout.
    const call = new pg.Client({ connectionString: superuserUrlOf(database.url) })
    await call.connect()
    await queryOnce(url, 'CREATE TABLE one (n int); CREATE TABLE two (n int)')
    await call.query("BEGIN; SET LOCAL deadlock_timeout = '1h'; LOCK TABLE two")
    const lockOf = (table: string, granted: boolean) =>
      `EXISTS (SELECT 1 FROM pg_locks WHERE relation = '${table}'::regclass AND granted = ${granted})`
    add(
      '29990101000000_locks',
      `LOCK TABLE one;
      DO $$ BEGIN WHILE ${lockOf('two', true)} AND NOT ${lockOf('one', false)} LOOP PERFORM pg_sleep(0.01); END LOOP; END $$;
      LOCK TABLE two;
      CREATE TABLE three (n int);`,
    )
    const deployed = deployMigrations(url, { folder })
    await expect
      .poll(async () => (await call.query(`SELECT ${lockOf('one', true)} AS locked`)).rows[0].locked)
      .toBe(true)
    await call.query('LOCK TABLE one; COMMIT')
    expect(await deployed).toEqual(['29990101000000_locks'])
    expect((await call.query('SELECT n FROM three')).rows).toEqual([])
    await call.end()
  })

  it('says that a file is missing which an address names', async () => {
    const named = `${url}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`
    await expect(deployMigrations(named)).rejects.toThrow('Let sslrootcert name a readable file')
  })

  it('says what is wrong with an address without repeating its password', async () => {
    const failure = deployMigrations('postgresql://someone:hidden@127.0.0.1:1/x').catch((error: Error) => error.message)
    expect(await failure).toBe('Cannot use the database at 127.0.0.1:1/x: nothing listens there. Check DATABASE_URL.')
  })
})

describe('problems', () => {
  it('names migrations that are not applied, and applied ones that were edited', async () => {
    const [first = ''] = migrationNames(folder)
    expect(await migrationProblems(url, folder)).toContain(`${first} is not applied`)
    await deployMigrations(url, { folder })
    appendFileSync(path.join(folder, first, 'migration.sql'), '-- one more word\n')
    expect(await migrationProblems(url, folder)).toEqual([`${first} was edited after it was applied`])
  })
})
