import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { withSandbox } from '../../../tests/support/api'
import { makeEmptyDatabase } from '../../../tests/support/database'
import { withTemporaryStorage } from '../../../tests/support/temporary-storage'
import { mainPool } from '../../db'
import { env } from '../../env'
import { keepSecretFingerprint, recordUpkeep } from '../../operators/upkeep'
import { fingerprintsOf } from '../backup/secrets'
import { type DoctorCheck, rightsAdvice } from './check'
import { clockCheck } from './check-database'
import { checkStorage } from './check-machine'
import { checkCollector, checkMail, checkModelProviders } from './check-network'
import { checkAllSettings, checkNames } from './check-settings'
import { checkUpkeep } from './check-upkeep'
import { examine } from './examine'

withSandbox()
withTemporaryStorage()

const stateOf = (checks: DoctorCheck[], name: string) => checks.find((check) => check.name === name)?.state
const { DATABASE_URL = '' } = process.env
afterEach(() => {
  process.env.DATABASE_URL = DATABASE_URL
})

describe('the doctor', () => {
  test('looks at everything, and finds nothing wrong but that nobody answers at the public URL', async () => {
    const checks = await examine()
    expect(checks.filter(({ state }) => state === 'fail')).toEqual([])
    expect(checks.filter(({ state }) => state === 'warn').map(({ name }) => name)).toContain('public URL')
    const names = ['settings', 'database', 'clock', 'migrations', 'storage', 'disk', 'build', 'tools', 'queue', 'holds']
    for (const name of names) expect(stateOf(checks, name), name).toBe('ok')
  })

  test('says what else is wrong while the database is away', async () => {
    process.env.DATABASE_URL = 'postgresql://nobody@127.0.0.1:1/none'
    const checks = await examine()
    const database = checks.find(({ name }) => name === 'database')
    expect(database).toMatchObject({ state: 'fail', text: expect.stringContaining('ECONNREFUSED') })
    expect([stateOf(checks, 'storage'), stateOf(checks, 'disk')]).toEqual(['ok', 'ok'])
  })

  test('names the migrations that are missing, and those of a newer version', async () => {
    const rename = (from: string, to: string) =>
      mainPool().query('UPDATE _prisma_migrations SET migration_name = $2 WHERE migration_name = $1', [from, to])
    const { rows } = await mainPool().query('SELECT max(migration_name) AS name FROM _prisma_migrations')
    await rename(rows[0].name, '29990101000000_later')
    const checks = await examine()
    await rename('29990101000000_later', rows[0].name)
    const migrations = checks.find(({ name }) => name === 'migrations')
    expect(migrations).toMatchObject({ state: 'fail', text: expect.stringContaining('29990101000000_later') })
    expect(stateOf(checks, 'queue')).toBeUndefined()
  })

  test('says why a migration failed, and what it needs', async () => {
    const { rows } =
      await mainPool().query(`UPDATE _prisma_migrations SET finished_at = NULL, logs = E'an error\\npermission denied for x'
      WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations) RETURNING migration_name AS name`)
    const checks = await examine()
    await mainPool().query('UPDATE _prisma_migrations SET finished_at = now(), logs = NULL WHERE finished_at IS NULL')
    expect(checks.find(({ name }) => name === 'migrations')).toMatchObject({
      state: 'fail',
      text: `Migration ${rows[0].name} failed before: permission denied for x.`,
      advice: expect.stringContaining(`rolled-back ${rows[0].name}`),
    })
  })

  test('says nothing of backups before the first migration, whose check says what to do', async () => {
    const empty = await makeEmptyDatabase()
    process.env.DATABASE_URL = empty.url
    const checks = await examine()
    await empty.drop()
    expect(stateOf(checks, 'migrations')).toBe('fail')
    expect(stateOf(checks, 'backups')).toBeUndefined()
  })

  test('sees charges that were put aside and holds that nobody ends', async () => {
    const run = (sql: string) => mainPool().query(sql)
    await run(`INSERT INTO settlement_dead (id, owner_id, request, error, attempts)
      VALUES (gen_random_uuid(), 1, '{}', 'refused', 12)`)
    await run(`INSERT INTO hold (id, amount, created_at, holder_id, owner_id, channel, product, what)
      VALUES (gen_random_uuid(), 1, now() - interval '1 hour', gen_random_uuid(), 1, 'rest', 'tool', 'test')`)
    const checks = await examine()
    await run('DELETE FROM settlement_dead')
    // The trigger would give the credits back to an owner who does not exist.
    await run('ALTER TABLE hold DISABLE TRIGGER USER; DELETE FROM hold; ALTER TABLE hold ENABLE TRIGGER USER')
    expect([stateOf(checks, 'settlements'), stateOf(checks, 'holds')]).toEqual(['fail', 'warn'])
  })
})

describe('the doctor of a live installation', () => {
  const live = () => ({ ...env(), sandbox: false })
  const textOf = async (name: string, given = {}) =>
    (await checkUpkeep(DATABASE_URL, { ...live(), ...given })).find((check) => check.name === name)

  test('says how old the last backup and drill are, and is silent where they are made otherwise', async () => {
    expect(await textOf('backup')).toMatchObject({ state: 'warn', text: 'none is known' })
    expect(await recordUpkeep('backup', new Date(Date.now() - 30 * 3_600_000))).toBeNull()
    await recordUpkeep('drill', new Date(Date.now() - 11 * 86_400_000))
    await recordUpkeep('verify', new Date())
    expect(await textOf('backup')).toMatchObject({ state: 'ok', text: expect.stringContaining('30 h ago') })
    expect(await textOf('backup', { BACKUP_EVERY_H: 12 })).toMatchObject({ state: 'warn' })
    expect(await textOf('drill')).toMatchObject({ state: 'warn', text: expect.stringContaining('11 days ago') })
    expect(await textOf('verify')).toMatchObject({ state: 'ok' })
    expect(await textOf('backup', { BACKUP_EVERY_H: 0 })).toBeUndefined()
    await recordUpkeep('backup', new Date(0))
    expect(await textOf('backup')).toMatchObject({ text: expect.stringContaining('30 h ago') })
  })

  test('knows another AUTH_SECRET than the database was first used with, until it is accepted', async () => {
    await keepSecretFingerprint(fingerprintsOf(env()).AUTH_SECRET ?? '')
    await keepSecretFingerprint('another')
    expect(await textOf('AUTH_SECRET')).toMatchObject({ state: 'ok' })
    const other = { ...live(), AUTH_SECRET: 'x'.repeat(32) }
    expect(await textOf('AUTH_SECRET', other)).toMatchObject({ state: 'warn' })
    const accepted = await checkUpkeep(DATABASE_URL, other, { acceptsSecret: true })
    expect(stateOf(accepted, 'AUTH_SECRET')).toBe('ok')
  })
})

test('a mistyped variable is named with the one that is meant', () => {
  const file = path.join(tmpdir(), `tollgate-names-${process.pid}`)
  writeFileSync(file, 'PROT=3000\nMETRICS_TOKNE=x\nOPENAI_API_KEY=x\nSIGNUP=open\n')
  const checks = checkNames({ DATABSE_URL: 'x', HOME: '/', HOSTS: 'x', STORAGE_PASSWORD: 'x' }, file)
  rmSync(file)
  expect(checks.map(({ text, advice }) => [text, advice]).sort()).toEqual([
    ['DATABSE_URL is not read', 'Did you mean DATABASE_URL?'],
    ['METRICS_TOKNE is not read', 'Did you mean METRICS_TOKEN?'],
    ['PROT is not read', 'Did you mean PORT?'],
  ])
})

test('a collector of traces that is away, or refuses, has failed; without one nothing is said', async () => {
  const at = (OTEL_EXPORTER_OTLP_ENDPOINT?: string) => checkCollector({ ...env(), OTEL_EXPORTER_OTLP_ENDPOINT })
  const server = createServer((req, res) => res.writeHead(req.url === '/v1/traces' ? 200 : 404).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const states = [await at(), await at(url), await at(`${url}/wrong`)].map((checks) => checks.map(({ state }) => state))
  await new Promise((resolve) => server.close(resolve).closeAllConnections())
  expect(states).toEqual([[], ['ok'], ['fail']])
  expect((await at(url)).map(({ state }) => state)).toEqual(['fail'])
})

test('a data folder that cannot be used is the only thing that is wrong, and advice fits the reason', async () => {
  const { DATA_DIR, AUTH_SECRET } = process.env
  const file = path.join(tmpdir(), `tollgate-file-${process.pid}`)
  writeFileSync(file, '')
  Object.assign(process.env, { DATA_DIR: path.join(file, 'data'), AUTH_SECRET: '' })
  const failed = (await examine()).filter(({ state }) => state === 'fail')
  Object.assign(process.env, { DATA_DIR: DATA_DIR ?? '', AUTH_SECRET })
  rmSync(file)
  expect(failed.map(({ name }) => name)).toEqual(['disk'])
  expect(failed[0]?.text).toContain('ENOTDIR')
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path: '/data/files' })
  expect(rightsAdvice(denied)).toContain('lacks the right to /data/files')
})

test('a wrong setting is named with what it must be', () => {
  const checks = checkAllSettings({ ...process.env, PORT: 'none', AUTH_SECRET: '' })
  expect(checks.map(({ state }) => state)).toEqual(['fail', 'fail'])
  expect(checks.map(({ text }) => text.split(' ')[0]).sort()).toEqual(['AUTH_SECRET', 'PORT'])
})

test('a clock that is seconds off is reported, one that is half a minute off has failed', () => {
  expect([300, -5_000, 60_000].map((ms) => clockCheck('database', ms).state)).toEqual(['ok', 'warn', 'fail'])
})

test('a storage that cannot be reached has failed', async () => {
  const STORAGE_URL = 's3://key:secret@127.0.0.1:1/bucket?tls=false'
  await expect(checkStorage({ STORAGE_URL })).rejects.toThrow('file storage')
})

test('a mail server that does not answer has failed', async () => {
  await expect(checkMail({ ...env(), SMTP_URL: 'smtp://127.0.0.1:1' })).rejects.toThrow('ECONNREFUSED')
})

describe('a provider of models', () => {
  const answers: Record<string, [status: number, date?: string]> = {
    'Bearer good': [200],
    'Bearer slow': [200, new Date(Date.now() - 3_600_000).toUTCString()],
    'Bearer busy': [503],
  }
  const server = createServer((req, res) => {
    const [status, date] = answers[String(req.headers.authorization)] ?? [401]
    if (date) res.setHeader('date', date)
    res.writeHead(status).end('{}')
  })
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-doctor-'))
  const file = path.join(folder, 'models.json')
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    Object.assign(process.env, { DOCTOR_KEY: 'good' })
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const upstreams = [{ api: 'chat', baseUrl, apiKeyEnv: 'DOCTOR_KEY', model: 'one' }]
    const entry = {
      id: 'acme/one',
      name: 'One',
      provider: 'Acme',
      vision: false,
      kind: 'chat',
      contextSize: 8_000,
      maxOutput: 1_000,
      usdPer1mInput: 1,
      usdPer1mOutput: 2,
    }
    writeFileSync(file, JSON.stringify([{ ...entry, upstreams }]))
    Object.assign(env(), { MODELS_FILE: file })
  })
  afterAll(() => {
    server.close().closeAllConnections()
    delete process.env.DOCTOR_KEY
    rmSync(folder, { recursive: true })
    Object.assign(env(), { MODELS_FILE: undefined })
  })

  test.each([
    ['good', ['ok']],
    ['wrong', ['fail']],
    ['busy', ['warn']],
    ['slow', ['ok', 'fail']],
    ['', ['fail']],
  ])('with the key "%s" is %j', async (key, states) => {
    process.env.DOCTOR_KEY = key
    expect((await checkModelProviders(env())).map(({ state }) => state)).toEqual(states)
  })
})
