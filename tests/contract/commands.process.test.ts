// Which database a command uses, and which it refuses: the operator's commands as processes.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { migrationNames } from '../../server/cli/migrations/files'
import { makeTestDatabase, type TestDatabase } from '../support/database'
import { killGroup, startNpmCommand } from '../support/npm-process'
import { type EndedCommand, runToEnd } from '../support/run-to-end'

const SETTINGS = ['DATABASE_URL', 'UPSTREAMS', 'SANDBOX_URL', 'AUTH_SECRET', 'ENCRYPTION_KEY', 'PORT', 'HOST']
/** What a shell has that knows nothing of Tollgate. */
const bare = { ...process.env, ...Object.fromEntries(SETTINGS.map((name) => [name, undefined])) }
const SECRET = { AUTH_SECRET: 'a-secret-for-tests-only-0123456789' }

/** Runs a command to its end. */
const run = (command: string, words: string[], env: Record<string, string>): Promise<EndedCommand> =>
  runToEnd(command, words, { ...bare, ...env })

/** Runs an npm script to its end. */
const npm = (script: string, args: string[], env: Record<string, string>): Promise<EndedCommand> =>
  run('npm', ['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])], env)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-commands-'))
  // Else root would keep the databases elsewhere, for the user it runs them as.
  chmodSync(folder, 0o711)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the version', () => {
  it('names the build and its commit, and needs no settings', async () => {
    const { code, stdout } = await npm('admin', ['version', '--json'], {})
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        name: 'tollgate',
        version: expect.stringMatching(/^\d+\.\d+\.\d+\+[0-9a-f]{8}$/),
        commit: expect.stringMatching(/^[0-9a-f]{40}(-dirty)?$/),
        schema: expect.stringMatching(/^\d{14}_/),
      },
    ])
  })
})

describe('without DATABASE_URL', () => {
  it.each([
    ['start', [], SECRET],
    ['worker', [], SECRET],
    ['admin', ['ledger', 'verify'], {}],
    ['db:migrate', [], {}],
  ])('npm run %s refuses to run in live mode, rather than use an empty database', async (script, args, env) => {
    const data = path.join(folder, `live-${script.replace(':', '-')}`)
    const { code, stdout, stderr } = await npm(script, args, { ...env, DATA_DIR: data })
    expect([code, stdout], stderr).toEqual([1, ''])
    expect(stderr).toMatch(/DATABASE_URL is not set\. Live mode needs .* or DATABASE_URL=embedded/)
    expect(existsSync(path.join(data, 'pg'))).toBe(false)
  })

  it('so does a quickstart in live mode', async () => {
    const env = { UPSTREAMS: 'live', DATA_DIR: path.join(folder, 'live-quickstart') }
    const { code, stderr } = await run(process.execPath, [path.join(PROJECT_ROOT, 'dist', 'quickstart.js')], env)
    expect([code, stderr]).toEqual([1, expect.stringContaining('DATABASE_URL is not set. Live mode needs')])
  })

  it('a sandbox uses the embedded database of its data folder, says so, and connects with an ordinary role', async () => {
    const env = { UPSTREAMS: 'sandbox', DATA_DIR: path.join(folder, 'sandbox') }
    const made = await npm(
      'admin',
      ['owner', 'create', '--email', 'a@example.com', '--password', 'long enough', '--json'],
      env,
    )
    expect(JSON.parse(made.stdout)).toMatchObject({ email: 'a@example.com', isAdmin: false })
    expect(made.stderr).toMatch(/^Database: embedded, in \S+sandbox\/pg \(127\.0\.0\.1:\d+\)$/m)
    // The next command knows from the data folder that this is a sandbox.
    const { DATA_DIR } = env
    const granted = await npm('admin', ['credits', 'grant', '--email', 'a@example.com', '--credits', '5', '--json'], {
      DATA_DIR,
    })
    expect(JSON.parse(granted.stdout)).toMatchObject({ available: 5 })
    expect(statSync(path.join(DATA_DIR, 'env')).mode & 0o077).toBe(0)
    const { appPassword } = JSON.parse(readFileSync(path.join(DATA_DIR, 'pg', 'settings.json'), 'utf8'))
    expect(appPassword).toMatch(/\S{20}/)
  })

  it('npm run db:migrate works on the embedded one when it is asked for by name', async () => {
    const env = { DATABASE_URL: 'embedded', DATA_DIR: path.join(folder, 'named') }
    const { code, stdout, stderr } = await npm('db:migrate', [], env)
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^Applied /)
    expect(stderr).toMatch(/^Database: embedded/m)
  })
})

describe('a database of another version', () => {
  let database: TestDatabase
  let db: pg.Client
  beforeAll(async () => {
    database = await makeTestDatabase()
    db = new pg.Client({ connectionString: database.url })
    await db.connect()
  })
  afterAll(async () => {
    await db.end()
    await database.drop()
  })
  const env = () => ({ ...SECRET, UPSTREAMS: 'sandbox', DATABASE_URL: database.url, DATA_DIR: folder })
  const NEWER = '29990101000000_from_the_future'

  /** Migrates it as a newer release would that works with those that know a migration. */
  async function makeNewer(compatibleFrom: string): Promise<string> {
    const { rows } = await db.query('SELECT compatible_from AS before FROM schema_compatibility')
    await db.query('UPDATE schema_compatibility SET compatible_from = $1', [compatibleFrom])
    await db.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('new', 'x', $1, now())`,
      [NEWER],
    )
    return rows[0].before
  }
  async function makeAsBefore(compatibleFrom: string): Promise<void> {
    await db.query(`DELETE FROM _prisma_migrations WHERE id = 'new'`)
    await db.query('UPDATE schema_compatibility SET compatible_from = $1', [compatibleFrom])
  }

  it('is served where it is newer and works with this release, which migrates nothing', async () => {
    const before = await makeNewer(migrationNames().at(-1) ?? '')
    const migrated = await npm('db:migrate', [], env())
    const web = await startNpmCommand('web', env())
    const worker = await startNpmCommand('worker', env())
    for (const command of [web, worker]) killGroup(command)
    await Promise.all([web.ended, worker.ended])
    await makeAsBefore(before)
    expect([migrated.code, migrated.stdout]).toEqual([0, 'The database is up to date\n'])
  })

  it.each(['start', 'worker', 'db:migrate'])(
    'npm run %s refuses one that is newer and does not work with this release, and names what it does not know',
    async (script) => {
      const before = await makeNewer(NEWER)
      const { code, stderr } = await npm(script, [], env())
      await makeAsBefore(before)
      expect([code, stderr]).toEqual([1, expect.stringContaining(`does not know: ${NEWER}. Run the version`)])
      expect(stderr).toContain(`Database: ${new URL(database.url).pathname.slice(1)} at 127.0.0.1:`)
      expect(stderr).not.toContain(new URL(database.url).password)
      // What serves in production is read by programs, down to the reason of its end.
      if (script !== 'db:migrate') for (const line of stderr.trim().split('\n')) JSON.parse(line)
    },
  )

  it.each(['start', 'worker'])('npm run %s refuses one that lacks a migration, and names it', async (script) => {
    const { rows } = await db.query('SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1 DESC LIMIT 1')
    await db.query(`UPDATE _prisma_migrations SET migration_name = '0' WHERE migration_name = $1`, [rows[0].name])
    await db.query(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '0'`)
    const { code, stderr } = await npm(script, [], env())
    await db.query(
      `UPDATE _prisma_migrations SET migration_name = $1, rolled_back_at = NULL WHERE migration_name = '0'`,
      [rows[0].name],
    )
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`lacks the migrations ${rows[0].name}: run npm run db:migrate`),
    ])
  })
})

describe('admin backup', () => {
  it('with --keep makes a new folder each time, and the oldest go', async () => {
    const database = await makeTestDatabase()
    const to = path.join(folder, 'backups')
    const env = { ...SECRET, UPSTREAMS: 'sandbox', DATABASE_URL: database.url, DATA_DIR: folder }
    const made: string[] = []
    for (let n = 0; n < 3; n++) {
      const { code, stdout, stderr } = await npm('admin', ['backup', '--to', to, '--keep', '2', '--json'], env)
      expect(code, stderr).toBe(0)
      made.push(JSON.parse(stdout).to)
    }
    expect(made.map((name) => existsSync(path.join(name, 'manifest.json')))).toEqual([false, true, true])
    const refused = await npm('admin', ['backup', '--to', to, '--keep', '0'], env)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--keep must be at least 1.') })
    await database.drop()
  })
})
