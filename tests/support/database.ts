import { createHash, randomUUID } from 'node:crypto'
import { existsSync, statfsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { totalmem } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { openDatabaseFolder, readEmbeddedSettings } from '../../server/cli/embedded/folder'
import { joinEmbeddedDatabase } from '../../server/cli/embedded/join'
import { superuserUrl } from '../../server/cli/embedded/postgres'
import { ensureRole, grantToAppRole, OWNER_ROLE } from '../../server/cli/embedded/roles'
import { databaseUser } from '../../server/cli/embedded/system-user'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { deployMigrations } from '../../server/cli/migrations/deploy'
import { migrationNames, readMigration } from '../../server/cli/migrations/files'

const GIB = 1024 ** 3

/**
 * A folder of this project's own in memory, where the machine has plenty. A database is 750 files:
 * making them on a disk takes ten times the CPU time, more than many test files take for the rest.
 */
function folderInMemory(): string | null {
  const memory = '/dev/shm'
  if (!existsSync(memory) || totalmem() < 8 * GIB) return null
  const { blocks, bsize } = statfsSync(memory)
  if (blocks * bsize < 4 * GIB) return null
  return path.join(memory, `tollgate-${createHash('sha256').update(PROJECT_ROOT).digest('hex').slice(0, 12)}`)
}

/** The data folder of the PostgreSQL server that all test runs of this project share. */
export const TEST_HOME = path.join(folderInMemory() ?? path.join(PROJECT_ROOT, '.data'), 'test-pg')

/** That of the server for benchmarks, which writes as safely as one in production. */
const BENCH_HOME = path.join(PROJECT_ROOT, '.data', 'bench-pg')

/** A throwaway database with every migration applied. */
export type TestDatabase = {
  /** As its owner, an ordinary role: what a managed PostgreSQL gives. */
  url: string
  /**
   * As the service connects, without the owner's rights. The same as `url` on a server of
   * TEST_DATABASE_URL.
   */
  appUrl: string
  /** Removes it, and closes every connection to it. */
  drop: () => Promise<void>
}

/**
 * The server that test databases are made on, as its superuser, as their owner and as the service,
 * and the name of the migrated database that they are copied from.
 */
type TestServer = { adminUrl: string; url: string; appUrl: string; template: string }

/**
 * Names the variable by which the workers of a test run find the server that its global setup
 * started.
 */
const SERVER_VARIABLE = 'TOLLGATE_TEST_SERVER'

/** Advisory lock of the process that makes the template. */
const TEMPLATE_LOCK = 72707371

/** The name of a test database, with the time of its making. */
const TEST_DATABASE = /^test_(\d+)_/

/** No test run takes as long: a database that is older belonged to one that was killed. */
const MAX_RUN_MS = 2 * 3600 * 1_000

/**
 * Lost at a crash of the machine, as everything in a test database may be. Tests of durability have
 * other servers.
 */
const WITHOUT_DURABILITY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '1GB' }

/**
 * Starts the embedded server for tests, or uses that of `TEST_DATABASE_URL` (its superuser's
 * address), for this process and all that it starts. The migrations run once per state of theirs,
 * into a template. Returns a function that releases the server.
 */
export async function startTestServer({ isDurable = false } = {}): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const server = given ? await serverAt(given) : await joinServer(isDurable ? BENCH_HOME : TEST_HOME)
  const { release, ...urls } = server
  try {
    const template = await withClient(server.adminUrl, async (admin) => {
      if (!given && !isDurable) await applySettings(admin, WITHOUT_DURABILITY)
      return ensureTemplate(admin, urls)
    })
    process.env[SERVER_VARIABLE] = JSON.stringify({ ...urls, template })
  } catch (error) {
    await release()
    throw error
  }
  return () => {
    delete process.env[SERVER_VARIABLE]
    return release()
  }
}

async function joinServer(home: string) {
  const { url, appUrl, release } = await joinEmbeddedDatabase(home)
  return {
    adminUrl: superuserUrl(readEmbeddedSettings(openDatabaseFolder(home, databaseUser()))),
    url,
    appUrl,
    release,
  }
}

/** Every run has the same password, so that several can use the server at once. */
async function serverAt(adminUrl: string) {
  const password = createHash('sha256').update(adminUrl).digest('hex')
  await ensureRole(adminUrl, { name: OWNER_ROLE, password })
  const { href: url } = Object.assign(new URL(adminUrl), { username: OWNER_ROLE, password })
  return { adminUrl, url, appUrl: url, release: async () => {} }
}

/**
 * Copies the template to a database of its own. Call it after `startTestServer`, in the same
 * process or a child.
 */
export const makeTestDatabase = (): Promise<TestDatabase> => makeDatabase((server) => server.template)

/** The same without any table, for code whose migrations are not those of this project. */
export const makeEmptyDatabase = (): Promise<TestDatabase> => makeDatabase(() => 'template1')

function runningServer(): TestServer {
  const server = process.env[SERVER_VARIABLE]
  if (!server) throw new Error('No test server runs: call startTestServer first.')
  return JSON.parse(server) as TestServer
}

/** The address of a test database as the server's superuser, for what its owner may not do. */
export const superuserUrlOf = (url: string): string =>
  withDatabase(runningServer().adminUrl, new URL(url).pathname.slice(1))

async function makeDatabase(templateOf: (server: TestServer) => string): Promise<TestDatabase> {
  const server = runningServer()
  const { adminUrl, url, appUrl } = server
  const name = `test_${Date.now()}_${randomUUID().slice(-12)}`
  // By its files: through the log, as is usual, it takes ten times the time.
  await withClient(adminUrl, (admin) =>
    admin.query(`CREATE DATABASE ${name} TEMPLATE ${templateOf(server)} OWNER ${OWNER_ROLE} STRATEGY file_copy`),
  )
  return {
    url: withDatabase(url, name),
    appUrl: withDatabase(appUrl, name),
    drop: () =>
      withClient(adminUrl, async (admin) => {
        await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      }),
  }
}

async function applySettings(admin: pg.Client, settings: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) await admin.query(`ALTER SYSTEM SET ${name} = '${value}'`)
  await admin.query('SELECT pg_reload_conf()')
}

/** Makes the template of the current migrations unless another process has; returns its name. */
async function ensureTemplate(admin: pg.Client, { url, appUrl }: Omit<TestServer, 'template'>): Promise<string> {
  // The queue's tables come with its package; the number is that of this function's own changes.
  const hash = createHash('sha256').update(`3 ${createRequire(import.meta.url)('pg-boss/package.json').version}`)
  for (const name of migrationNames()) hash.update(name).update(readMigration(name))
  const template = `template_${hash.digest('hex').slice(0, 16)}`
  await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
  const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])
  await dropLeftovers(admin, rowCount ? TEST_DATABASE : /^(template_[0-9a-f]{16}|draft_|test_\d+_)/)
  if (rowCount) return template
  const draft = `draft_${process.pid}`
  await admin.query(`CREATE DATABASE ${draft} OWNER ${OWNER_ROLE}`)
  await deployMigrations(withDatabase(url, draft))
  if (appUrl !== url) await grantToAppRole(withDatabase(url, draft))
  await admin.query(`ALTER DATABASE ${draft} RENAME TO ${template}`)
  return template
}

/** Drops databases so named that nobody uses: of other migrations, or of runs that were killed. */
async function dropLeftovers(admin: pg.Client, named: RegExp): Promise<void> {
  const { rows } = await admin.query<{ name: string }>('SELECT datname AS name FROM pg_database WHERE datname ~ $1', [
    named.source,
  ])
  const isLeft = (name: string) => !(Number(name.match(TEST_DATABASE)?.[1]) > Date.now() - MAX_RUN_MS)
  for (const { name } of rows.filter((row) => isLeft(row.name))) {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
