import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scriptedGoal, sendAnswer, startAgentRun, untilStatus } from '../../../tests/support/agent'
import { callQuery, withSandbox } from '../../../tests/support/api'
import { makeEmptyDatabase, makeTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { holdRequest } from '../../../tests/support/hold'
import { makeCaller } from '../../../tests/support/owners'
import { withTemporaryStorage } from '../../../tests/support/temporary-storage'
import { withWorker } from '../../../tests/support/worker'
import { startWorker } from '../../agent/queue/worker'
import { reserveCredits } from '../../credits/reserve'
import { env } from '../../env'
import { hostFile } from '../../files/put'
import { deployMigrations } from '../migrations/deploy'
import { migrationFolder, migrationNames } from '../migrations/files'
import { withCopyConnection } from './connection'
import { fillDatabase } from './fill-database'
import { finishCopy } from './finish'
import { folderPlace } from './folder-place'
import { type Manifest, readManifest } from './manifest'
import { moveDatabase } from './move-database'
import { type RestoreOptions, restoreBackup, sourceOf } from './restore-backup'
import { readMigrations, readSequences, readTables } from './tables'
import { writeBackup } from './write-backup'

let targets: TestDatabase[] = []
afterAll(() => Promise.all(targets.map((target) => target.drop())))

withSandbox()
const storage = withTemporaryStorage()

const root = mkdtempSync(path.join(tmpdir(), 'tollgate-backup-'))
afterAll(() => rmSync(root, { recursive: true }))

const AGENT = { agent: true, llm: true }
const progress = () => {}
const whole = { withFiles: true, withSecrets: false, progress }
const folder = path.join(root, 'whole')

async function newTarget(): Promise<string> {
  const target = await makeTestDatabase()
  targets = [...targets, target]
  return target.url
}

/** Restores into a database, with the files in a folder beside the backup. */
const restore = (
  DATABASE_URL: string,
  { from = folder, ...given }: Partial<Omit<RestoreOptions, 'from'>> & { from?: string } = {},
) =>
  restoreBackup(
    { ...env(), DATABASE_URL, STORAGE_URL: `file:${path.join(root, 'restored-files')}` },
    { from: folderPlace(from), withFiles: true, replace: false, hasOtherSecrets: false, progress, ...given },
  )

/** Runs `work` while a web process is connected to a database. */
async function whileServing(url: string, work: () => Promise<void>): Promise<void> {
  const web = new pg.Client({ connectionString: url, application_name: 'tollgate web 1 hot' })
  await web.connect()
  await work().finally(() => web.end())
}

/** Every row and every sequence of a database, as hashes. */
const contentOf = (url: string) =>
  withCopyConnection(url, async (db) => {
    const hashes: Record<string, unknown> = {}
    for (const { name } of await readTables(db)) {
      const { rows } = await db.query(
        `SELECT count(*)::int AS count, md5(string_agg(t::text, '|' ORDER BY t::text)) AS hash FROM public."${name}" t`,
      )
      hashes[name] = rows[0]
    }
    return { hashes, sequences: await readSequences(db) }
  })

type Caller = Awaited<ReturnType<typeof makeCaller>>
let caller: Caller
let waiting: unknown
let queued: unknown
let made: Omit<Manifest, 'format'>
let source: string
let before: Awaited<ReturnType<typeof contentOf>>
let fileId: string

beforeAll(async () => {
  source = env().DATABASE_URL
  caller = await makeCaller(50_000, AGENT)
  await callQuery(caller.key.key, 'web_search', { query: 'tolls' })
  fileId = (await hostFile({ ownerId: caller.owner.id, bytes: Buffer.from('text'), contentType: 'text/plain' })).id
  const stop = await startWorker()
  const ask = { turns: [{ toolCalls: [{ name: 'ask_user', arguments: { question: 'Which?' } }] }, { text: 'Thanks.' }] }
  waiting = (await startAgentRun(caller.key.key, { goal: scriptedGoal(ask), mode: 'interactive' })).body.jobId
  await untilStatus(caller.key.key, waiting, 'awaiting_input', 'failed')
  await stop()
  queued = (await startAgentRun(caller.key.key, { goal: scriptedGoal({ text: 'Done.' }) })).body.jobId
  await reserveCredits(holdRequest(caller.owner, 100))
  before = await contentOf(source)
  made = await writeBackup(env(), { to: folderPlace(folder), ...whole })
})

describe('a backup', () => {
  test('is complete in its folder, while the service runs', () => {
    expect(readdirSync(folder).sort()).toEqual([
      'files',
      'files.ndjson',
      'manifest.json',
      'manifest.json.sha256',
      'tables',
    ])
    expect(existsSync(`${folder}.partial`)).toBe(false)
    expect(made.tables.find(({ name }) => name === 'owner')).toMatchObject({ rows: 1 })
    expect(made.files).toMatchObject({ count: 1, missing: 0, totalBytes: 4 })
    expect(made.secrets.ENCRYPTION_KEY).toMatch(/^[0-9a-f]{16}$/)
  })

  test('holds the secrets only where that was asked for', async () => {
    const to = path.join(root, 'secret')
    await writeBackup(env(), { to: folderPlace(to), withFiles: false, withSecrets: true, progress })
    expect(readdirSync(to)).toContain('secrets.env')
  })

  test('is not written over anything, and an interrupted one does not look complete', async () => {
    await expect(writeBackup(env(), { to: folderPlace(folder), ...whole })).rejects.toThrow('is not empty')
    writeFileSync(path.join(root, 'file'), '')
    const below = path.join(root, 'file', 'backup')
    await expect(writeBackup(env(), { to: folderPlace(below), ...whole })).rejects.toThrow(
      'a part of the path is not a folder',
    )
    const to = path.join(root, 'lost')
    const lost = { ...env(), STORAGE_URL: 's3://key:secret@127.0.0.1:1/bucket?tls=false' }
    await expect(writeBackup(lost, { to: folderPlace(to), ...whole })).rejects.toThrow('file storage')
    expect([existsSync(to), existsSync(`${to}.partial`)]).toEqual([false, false])
  })

  test('of a database that was never migrated is refused', async () => {
    const DATABASE_URL = Object.assign(new URL(source), { pathname: '/postgres' }).href
    await expect(
      writeBackup({ ...env(), DATABASE_URL }, { to: folderPlace(path.join(root, 'none')), ...whole }),
    ).rejects.toThrow('The database is empty')
  })
})

describe('a restore', () => {
  test('is refused where something is missing or was changed, and writes nothing then', async () => {
    const url = await newTarget()
    const empty = await contentOf(url)
    await expect(restore(url, { from: path.join(root, 'nowhere') })).rejects.toThrow('is not a backup')
    await expect(restore(url, { from: path.join(folder, 'tables') })).rejects.toThrow('is not a backup')
    const damaged = path.join(root, 'damaged')
    const damage = async (change: () => void) => {
      rmSync(damaged, { recursive: true, force: true })
      await writeBackup(env(), { to: folderPlace(damaged), ...whole })
      change()
      return restore(url, { from: damaged })
    }
    const table = path.join(damaged, 'tables', 'ledger.copy.gz')
    await expect(damage(() => truncateSync(table, 10))).rejects.toThrow(/ledger\.copy\.gz .*it has 10 bytes of \d+/)
    await expect(damage(() => rmSync(table))).rejects.toThrow('ledger.copy.gz is missing')
    await expect(damage(() => appendFileSync(path.join(damaged, 'manifest.json'), ' '))).rejects.toThrow('damaged')
    const file = path.join(damaged, 'files', fileId.slice(0, 2), fileId)
    await expect(damage(() => writeFileSync(file, 'tex'))).rejects.toThrow(`file ${fileId} is not as it was written`)
    expect(await contentOf(url)).toEqual(empty)
  })

  test('is refused with other secrets, and under another version', async () => {
    const url = await newTarget()
    const other = restoreBackup(
      { ...env(), DATABASE_URL: url, ENCRYPTION_KEY: '11'.repeat(32) },
      { from: folderPlace(folder), withFiles: true, replace: false, hasOtherSecrets: false, progress },
    )
    await expect(other).rejects.toThrow('ENCRYPTION_KEY is not the one of the backup')
  })

  test('is refused where processes are connected, where owners are, and where tables are of others', async () => {
    await whileServing(source, () =>
      expect(restore(source)).rejects.toThrow('Web or worker processes use the database to write to'),
    )
    const url = await newTarget()
    const db = new pg.Client({ connectionString: url })
    await db.connect()
    await db.query(`INSERT INTO owner (email) VALUES ('first@example.com')`)
    await expect(restore(url)).rejects.toThrow('it has 1 owners. To delete all that is in it, add --replace.')
    await restore(url, { replace: true })
    expect((await db.query('SELECT email FROM owner')).rows).toEqual([{ email: caller.owner.email }])
    await db.query('DROP TABLE _prisma_migrations')
    await db.end()
    await expect(restore(url, { replace: true })).rejects.toThrow('tables of another program')
  })

  test('that fails while it loads leaves the database as it was', async () => {
    const url = await newTarget()
    const empty = await contentOf(url)
    await withCopyConnection(url, (db) => db.query('ALTER TABLE ledger ADD CONSTRAINT no_row CHECK (amount IS NULL)'))
    await expect(restore(url)).rejects.toThrow(/Nothing was written: .*no_row.* The database is as it was/)
    expect(await contentOf(url)).toEqual(empty)
  })
})

describe('a restored database', () => {
  test('is the one that was backed up, and its files are in the storage', async () => {
    const url = await newTarget()
    const { rows } = await restore(url)
    expect(rows).toBe(made.tables.reduce((sum, table) => sum + table.rows, 0))
    expect(await contentOf(url)).toEqual(before)
    expect(existsSync(path.join(root, 'restored-files', fileId.slice(0, 2), fileId))).toBe(true)
    expect(existsSync(path.join(storage(), fileId.slice(0, 2), fileId))).toBe(true)
  })
})

describe('a backup of an earlier release', () => {
  const earlier = path.join(root, 'earlier')
  const migrations = path.join(root, 'migrations')
  let database: TestDatabase
  beforeAll(async () => {
    const names = migrationNames()
    for (const one of [...names.slice(0, Math.max(1, names.length - 3)), 'migration_lock.toml'])
      cpSync(path.join(migrationFolder(), one), path.join(migrations, one), { recursive: true })
    database = await makeEmptyDatabase()
    const DATABASE_URL = database.url
    await deployMigrations(DATABASE_URL, { folder: migrations })
    await withCopyConnection(DATABASE_URL, (db) => db.query(`INSERT INTO owner (email) VALUES ('early@example.com')`))
    await writeBackup({ ...env(), DATABASE_URL }, { to: folderPlace(earlier), ...whole })
  })
  afterAll(() => database.drop())

  test('is restored and migrated, and the service keeps its rights', async () => {
    const target = await makeTestDatabase()
    targets = [...targets, target]
    await restore(target.url, { from: earlier })
    await withCopyConnection(target.url, async (db) => {
      expect(await readMigrations(db)).toEqual(migrationNames())
      const { rows } = await db.query(`SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'tollgate%'`)
      expect(rows).toEqual([])
    })
    const read = (db: pg.Client) => db.query('SELECT email FROM owner')
    expect((await withCopyConnection(target.appUrl, read)).rows).toEqual([{ email: 'early@example.com' }])
    const drop = (db: pg.Client) => db.query('DELETE FROM pgboss.job; DROP TABLE owner')
    if (target.appUrl !== target.url)
      await expect(withCopyConnection(target.appUrl, drop)).rejects.toThrow('must be owner of table owner')
  })

  test('that does not load leaves the newer database as it was', async () => {
    const url = await newTarget()
    const empty = await contentOf(url)
    const source = sourceOf(folderPlace(earlier), await readManifest(folderPlace(earlier)))
    const wrong = { ...source, rowsOf: () => 7 }
    await expect(fillDatabase(url, wrong, { replace: false, progress })).rejects.toThrow('rows instead of 7')
    expect(await contentOf(url)).toEqual(empty)
  })
})

describe('a database that was moved', () => {
  test('is refused while the service runs', async () => {
    const url = await newTarget()
    await whileServing(source, () =>
      expect(moveDatabase(source, url, { replace: false, progress })).rejects.toThrow(
        'Web or worker processes use the database to copy',
      ),
    )
  })

  describe('while nobody used it', () => {
    let voidedHolds: number
    beforeAll(async () => {
      const restored = await newTarget()
      await restore(restored)
      await withCopyConnection(restored, (db) => db.query('DELETE FROM holder'))
      before.hashes.holder = { count: 0, hash: null }
      const url = await newTarget()
      expect(await moveDatabase(restored, url, { replace: false, progress })).toBeGreaterThan(0)
      expect(await contentOf(url)).toEqual(before)
      const finished = await finishCopy(url)
      voidedHolds = finished.voidedHolds
      expect(finished.differences).toEqual([])
    })
    withWorker()

    test('has no calls in progress', () => {
      expect(voidedHolds).toBe(1)
    })

    test('goes on with a run that was waiting for a worker, and with one that waits for its owner', async () => {
      const { key } = caller.key
      expect(await sendAnswer(key, waiting, { approved: true, feedback: 'The first.' })).toMatchObject({ status: 200 })
      expect(await untilStatus(key, waiting, 'completed', 'failed')).toMatchObject({ status: 'completed' })
      expect(await untilStatus(key, queued, 'completed', 'failed')).toMatchObject({
        status: 'completed',
        result: 'Done.',
      })
    })
  })
})
