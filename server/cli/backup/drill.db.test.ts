import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { callQuery, withSandbox } from '../../../tests/support/api'
import { makeEmptyDatabase, type TestDatabase } from '../../../tests/support/database'
import { makeCaller } from '../../../tests/support/owners'
import { type S3Server, startS3Server } from '../../../tests/support/s3-server'
import { withTemporaryStorage } from '../../../tests/support/temporary-storage'
import { mainPool } from '../../db'
import { env } from '../../env'
import { hostFile } from '../../files/put'
import { dataPath } from '../kit/project'
import { withCopyConnection } from './connection'
import { drillBackup } from './drill'
import { findBackup, newBackupIn } from './kept-backups'
import { openPlace } from './open-place'
import type { BackupPlace } from './place'
import { restoreBackup } from './restore-backup'
import { withScratchDatabase } from './scratch-database'
import { writeBackup } from './write-backup'

withSandbox()
withTemporaryStorage()

const progress = () => {}
const whole = { withFiles: true, withSecrets: false, progress }
let s3: S3Server
let backups: BackupPlace
let scratch: TestDatabase
let source: string
const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-drill-'))

const schemasOf = (url: string) =>
  withCopyConnection(url, async (db) => {
    const { rows } =
      await db.query(`SELECT nspname AS name, (SELECT count(*)::int FROM pg_class WHERE relnamespace = n.oid) AS items
      FROM pg_namespace n WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' ORDER BY 1`)
    return rows
  })
const EMPTY = [{ name: 'public', items: 0 }]

const drill = (given: Partial<Parameters<typeof drillBackup>[0]> = {}, from = backups) =>
  findBackup(from).then(({ place }) =>
    drillBackup(
      { ...env(), DRILL_DATABASE_URL: scratch.url, ...given },
      { ...whole, from: place, hasOtherSecrets: false },
    ),
  )

beforeAll(async () => {
  source = env().DATABASE_URL
  s3 = await startS3Server()
  backups = openPlace(s3.storageUrl.replace('?', '/backups?'))
  scratch = await makeEmptyDatabase()
  const caller = await makeCaller(1_000)
  await callQuery(caller.key.key, 'web_search', { query: 'tolls' })
  await hostFile({ ownerId: caller.owner.id, bytes: Buffer.from('text'), contentType: 'text/plain' })
  await writeBackup(env(), { to: newBackupIn(backups), ...whole })
})
afterEach(() => s3.cutOff(() => false))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await Promise.all([s3.stop(), scratch.drop()])
})

describe('a drill', () => {
  test('restores the newest backup of a bucket, verifies it, and leaves its database empty', async () => {
    const before = await mainPool().query('SELECT count(*)::int AS receipts FROM receipt')
    const { rows, differences, files } = await drill()
    expect(differences).toEqual([])
    expect(rows).toBeGreaterThan(5)
    expect(files).toMatchObject({ count: 1 })
    expect(await schemasOf(scratch.url)).toEqual(EMPTY)
    expect(env().DATABASE_URL).toBe(source)
    expect((await mainPool().query('SELECT count(*)::int AS receipts FROM receipt')).rows).toEqual(before.rows)
  })

  test('finds what does not verify, and leaves its database empty then, too', async () => {
    await mainPool().query('UPDATE account SET available = available + 1')
    const to = openPlace(path.join(folder, 'wrong'))
    await writeBackup(env(), { to, ...whole })
    await mainPool().query('UPDATE account SET available = available - 1')
    const { differences } = await drill({}, to)
    expect(differences.length).toBeGreaterThan(0)
    expect(await schemasOf(scratch.url)).toEqual(EMPTY)
  })

  test('with a damaged file or other secrets fails before it needs a database', async () => {
    await expect(drill({ AUTH_SECRET: 'x'.repeat(32) })).rejects.toThrow('AUTH_SECRET is not the one of the backup')
    const key = s3.keys().find((name) => name.endsWith('owner.copy.gz')) ?? ''
    const other = newBackupIn(backups)
    await writeBackup(env(), { to: other, ...whole })
    const newest = s3.keys().find((name) => name.endsWith('owner.copy.gz') && name !== key) ?? ''
    s3.put(newest, Buffer.from('damaged'))
    await expect(drill()).rejects.toThrow('owner.copy.gz is not as it was written')
    await other.remove()
  })

  test('never takes the database of the service, nor one with tables of others', async () => {
    await expect(drill({ DRILL_DATABASE_URL: source })).rejects.toThrow('is the database of the service')
    await withCopyConnection(scratch.url, (db) => db.query('CREATE TABLE ours (id int)'))
    await expect(drill()).rejects.toThrow('must name an empty database: this one has 1 tables')
    await withCopyConnection(scratch.url, (db) => db.query('DROP TABLE ours'))
  })

  test('begins anew where one was killed, and not while another one runs', async () => {
    await withCopyConnection(scratch.url, (db) => db.query('CREATE SCHEMA tollgate_drill; CREATE TABLE owner (id int)'))
    const given = { ...env(), DRILL_DATABASE_URL: scratch.url }
    await withScratchDatabase(given, async () => {
      await expect(drill()).rejects.toThrow('Another drill uses the database')
    })
    expect((await drill()).differences).toEqual([])
    expect(await schemasOf(scratch.url)).toEqual(EMPTY)
  })

  test('makes an embedded database where none is named, and removes it', async () => {
    const { differences } = await drill({ DRILL_DATABASE_URL: undefined })
    expect(differences).toEqual([])
    expect(existsSync(dataPath('drill'))).toBe(false)
  })
})

describe('a backup into a bucket', () => {
  test('is restored from there, with its files', async () => {
    const target = await makeEmptyDatabase()
    const { place } = await findBackup(backups)
    const restored = await restoreBackup(
      { ...env(), DATABASE_URL: target.url, STORAGE_URL: `file:${path.join(folder, 'files')}` },
      { ...whole, from: place, replace: false, hasOtherSecrets: false },
    )
    await target.drop()
    expect(restored.files).toMatchObject({ count: 1, totalBytes: 4 })
    expect(existsSync(path.join(folder, 'files'))).toBe(true)
  })

  test('that is cut off midway is not one, and is not the newest', async () => {
    const { place: good } = await findBackup(backups)
    let puts = 0
    s3.cutOff((method) => method === 'PUT' && ++puts > 5)
    await expect(writeBackup(env(), { to: newBackupIn(backups), ...whole })).rejects.toThrow(/cannot be used/)
    s3.cutOff(() => false)
    expect((await findBackup(backups)).place.label).toBe(good.label)
  })
})
