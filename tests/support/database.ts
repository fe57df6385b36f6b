import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import path from 'node:path'
import pg from 'pg'
import { joinEmbeddedDatabase } from '../../server/cli/embedded/join'
import { grantToAppRole } from '../../server/cli/embedded/roles'
import { deployMigrations } from '../../server/cli/migrations/deploy'
import { migrationNames, readMigration } from '../../server/cli/migrations/files'
import { PROJECT_ROOT } from '../../server/cli/project'

/** One server for every test run of this project, wherever a run keeps its own data. */
export const TEST_HOME = path.join(PROJECT_ROOT, '.data', 'test-pg')

/** A database of its own, with every migration applied; `drop` removes it and everyone's connections to it. */
export type TestDatabase = {
  url: string
  /** As the service connects, without the rights of the owner. The same as `url` on a server of TEST_DATABASE_URL. */
  appUrl: string
  drop: () => Promise<void>
}

/**
 * Makes a throwaway database on the server of `TEST_DATABASE_URL`, or on the embedded one of `.data/test-pg`. The
 * migrations run once per state of theirs, into a template from which the rest are copied.
 */
export async function makeTestDatabase(): Promise<TestDatabase> {
  const server = await testServer()
  const admin = new pg.Client({ connectionString: server.url })
  const leave = async () => {
    await admin.end()
    await server.release()
  }
  try {
    await admin.connect()
    const name = await copyTemplate(admin, server.url)
    const drop = () => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).then(leave)
    const url = withDatabase(server.url, name)
    if (server.appUrl !== server.url) await grantToAppRole(url)
    return { url, appUrl: withDatabase(server.appUrl, name), drop }
  } catch (error) {
    await leave()
    throw error
  }
}

async function testServer() {
  const given = process.env.TEST_DATABASE_URL
  return given ? { url: given, appUrl: given, release: async () => {} } : joinEmbeddedDatabase(TEST_HOME)
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

async function copyTemplate(admin: pg.Client, url: string): Promise<string> {
  // The queue's tables come with its package.
  const hash = createHash('sha256').update(createRequire(import.meta.url)('pg-boss/package.json').version)
  for (const name of migrationNames()) hash.update(name).update(readMigration(name))
  const template = `template_${hash.digest('hex').slice(0, 16)}`
  // One process makes it; the name says which migrations it holds, so that the rest need not look.
  await admin.query('SELECT pg_advisory_lock(72707371)')
  try {
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])
    if (!rowCount) await makeTemplate(admin, url, template)
    const name = `test_${process.pid}_${Date.now().toString(36)}`
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
    return name
  } finally {
    await admin.query('SELECT pg_advisory_unlock(72707371)')
  }
}

async function makeTemplate(admin: pg.Client, url: string, template: string): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname LIKE 'template\\_%' AND NOT datistemplate`,
  )
  for (const { name } of rows) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
  const draft = `draft_${process.pid}`
  await admin.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
  await admin.query(`CREATE DATABASE ${draft}`)
  await deployMigrations(withDatabase(url, draft))
  await admin.query(`ALTER DATABASE ${draft} RENAME TO ${template}`)
}
