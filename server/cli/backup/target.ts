import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { grantToAppRole } from '../embedded/roles'
import { CliError } from '../kit/project'
import { deployMigrations } from '../migrations/deploy'
import { migrationFolder, migrationNames } from '../migrations/files'
import { newerVersionText } from '../migrations/state'
import { quoteName, readMigrations, readTables } from './tables'

type Db = Pick<pg.Client, 'query'>

/** Connections of web and worker, as `connectionName` calls them. This command has others. */
const CONNECTED = `SELECT DISTINCT application_name AS name FROM pg_stat_activity
  WHERE datname = current_database() AND application_name ~ '^tollgate (web|worker) '`

const OTHER_OWNERS = `SELECT DISTINCT pg_get_userbyid(relowner) AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT pg_has_role(relowner, 'USAGE')`

/**
 * Roles beside the owner that write rows: the service, where it has a role without the owner's
 * rights.
 */
const SERVICE_ROLES = `SELECT DISTINCT grantee::text AS name FROM information_schema.role_table_grants
  WHERE table_schema = 'public' AND privilege_type = 'INSERT' AND grantee <> current_user AND grantee <> 'PUBLIC'`

const namesOf = async (db: Db, sql: string): Promise<string[]> =>
  (await db.query<{ name: string }>(sql)).rows.map(({ name }) => name)

/**
 * Leases that were renewed within 12 s, of 45: a living process renews every 10 s, also while none
 * of its connections happens to be open.
 */
const FRESH_LEASE = `SELECT 1 FROM public.holder WHERE lease_until > clock_timestamp() + interval '33 seconds' LIMIT 1`
const LEASE_WAIT_MS = 15_000

async function hasFreshLease(db: Db): Promise<boolean> {
  const { rows } = await db.query(`SELECT to_regclass('public.holder') IS NOT NULL AS "isThere"`)
  return rows[0].isThere && ((await db.query(FRESH_LEASE)).rowCount ?? 0) > 0
}

/**
 * Throws a CliError while web or worker processes use a database. Waits some seconds where one has
 * just ended.
 */
export async function requireNobodyConnected(db: Db, what: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += 500) {
    const names = await namesOf(db, CONNECTED)
    const isFresh = await hasFreshLease(db)
    if (names.length === 0 && !isFresh) return
    if (names.length > 0 || waitedMs > LEASE_WAIT_MS)
      throw new CliError(`Web or worker processes use ${what}: stop them, then try again.`)
    await sleep(500)
  }
}

/** Throws a CliError unless this version has the migrations that were applied to what is copied. */
export function requireKnownMigrations(migrations: readonly string[], folder?: string): void {
  const known = migrationNames(folder)
  const unknown = migrations.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new CliError(newerVersionText({ unknown }).replace('database', 'copied data'))
}

/**
 * Throws a CliError unless rows may be written to a database: by this role, with nobody connected,
 * and into tables that are empty or to be replaced.
 */
export async function requireFreeTarget(db: Db, { replace }: { replace: boolean }): Promise<void> {
  const owners = await namesOf(db, OTHER_OWNERS)
  if (owners.length > 0)
    throw new CliError(
      `The tables belong to ${owners.join(', ')}: set DATABASE_URL as npm run db:migrate has it, for the role that owns them.`,
    )
  await requireNobodyConnected(db, 'the database to write to')
  const tables = await readTables(db)
  if (tables.length > 0 && (await readMigrations(db)).length === 0)
    throw new CliError('The database to write to has tables of another program. Make a new database.')
  if (replace || !tables.some(({ name }) => name === 'owner')) return
  const { rows } = await db.query('SELECT count(*)::int AS count FROM public.owner')
  if (rows[0].count > 0)
    throw new CliError(
      `The database to write to is in use: it has ${rows[0].count} owners. To delete all that is in it, add --replace.`,
    )
}

/** Puts a database back as it was before `prepareTarget`, or removes what that kept for this. */
export type PreparedTarget = { undo: () => Promise<void>; finish: () => Promise<void> }

const ASIDE = { public: 'tollgate_replaced', pgboss: 'tollgate_replaced_queue' }

/**
 * Brings a database to the migrations of what is to be copied, no further. Where it has others, its
 * tables are set aside until the copy is complete.
 */
export async function prepareTarget(db: Db, url: string, migrations: readonly string[]): Promise<PreparedTarget> {
  const present = await readMigrations(db)
  const isSame = present.length === migrations.length && present.every((name, i) => name === migrations[i])
  if (isSame) return { undo: async () => {}, finish: async () => {} }
  const roles = await namesOf(db, SERVICE_ROLES)
  const undo = async () => {
    await db.query('DROP SCHEMA public CASCADE; DROP SCHEMA IF EXISTS pgboss CASCADE; CREATE SCHEMA public')
    for (const [name, aside] of Object.entries(ASIDE)) {
      if (!(await hasSchema(db, aside))) continue
      await db.query(`DROP SCHEMA IF EXISTS ${name}; ALTER SCHEMA ${aside} RENAME TO ${name}`)
    }
  }
  if (present.length > 0) await setAside(db)
  try {
    await applyOnly(url, migrations)
  } catch (error) {
    await undo()
    throw error
  }
  const finish = async () => {
    for (const aside of Object.values(ASIDE)) await db.query(`DROP SCHEMA IF EXISTS ${aside} CASCADE`)
    for (const role of roles) await grantToAppRole(url, role)
  }
  return { undo, finish }
}

const hasSchema = async (db: Db, name: string): Promise<boolean> =>
  (await db.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [name])).rows.length > 0

async function setAside(db: Db): Promise<void> {
  for (const [name, aside] of Object.entries(ASIDE)) {
    if (!(await hasSchema(db, name))) continue
    await db.query(`DROP SCHEMA IF EXISTS ${quoteName(aside)} CASCADE; ALTER SCHEMA ${name} RENAME TO ${aside}`)
  }
  await db.query('CREATE SCHEMA public')
}

/** Applies the named migrations and no others. */
async function applyOnly(url: string, migrations: readonly string[]): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-migrations-'))
  try {
    for (const name of [...migrations, 'migration_lock.toml'])
      cpSync(path.join(migrationFolder(), name), path.join(folder, name), { recursive: true })
    await deployMigrations(url, { folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
