import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { withSandbox } from '../../../tests/support/api'
import { withTemporaryStorage } from '../../../tests/support/temporary-storage'
import { mainPool } from '../../db'
import { env } from '../../env'
import type { DoctorCheck } from './check'
import { clockCheck } from './check-database'
import { checkStorage } from './check-machine'
import { checkMail, checkModelProviders } from './check-network'
import { checkAllSettings } from './check-settings'
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

  test('sees charges that were put aside and holds that nobody ends', async () => {
    const run = (sql: string) => mainPool().query(sql)
    await run(`INSERT INTO settlement_dead (id, owner_id, request, error, attempts)
      VALUES (gen_random_uuid(), 1, '{}', 'refused', 12)`)
    await run(`INSERT INTO hold (id, amount, created_at, holder_id, owner_id, door, product, what)
      VALUES (gen_random_uuid(), 1, now() - interval '1 hour', gen_random_uuid(), 1, 'rest', 'tool', 'test')`)
    const checks = await examine()
    await run('DELETE FROM settlement_dead')
    // The trigger would give the credits back to an owner who does not exist.
    await run('ALTER TABLE hold DISABLE TRIGGER USER; DELETE FROM hold; ALTER TABLE hold ENABLE TRIGGER USER')
    expect([stateOf(checks, 'settlements'), stateOf(checks, 'holds')]).toEqual(['fail', 'warn'])
  })
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
