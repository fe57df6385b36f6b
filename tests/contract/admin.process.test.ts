// The operator's commands as processes, on a database of a test: what they do, print and exit with.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allAdminCommands } from '../../server/cli/admin/commands'
import { mainPool } from '../../server/db'
import { env } from '../../server/env'
import { runAdmin, runAdminJson } from '../support/admin-process'
import { callQuery, withSandbox } from '../support/api'

withSandbox()

const EMAIL = 'operator@example.com'
const OWNER = ['--email', EMAIL]
const PASSWORD = 'correct horse battery'

beforeAll(async () => {
  await runAdmin(['owner', 'create', ...OWNER], { input: `${PASSWORD}\n` })
})

describe('usage', () => {
  it('names every command where none is given', async () => {
    const { code, stdout, stderr } = await runAdmin([])
    expect([code, stderr]).toEqual([0, ''])
    for (const { name } of await allAdminCommands()) expect(stdout).toContain(`  ${name}`)
  })

  it('names a command that does not exist', async () => {
    expect(await runAdmin(['owner', 'praise'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('There is no command "owner praise".'),
    })
  })

  it('with --json prints a failure as one object on stdout', async () => {
    expect(await runAdmin(['credits', 'grant', ...OWNER, '--json'])).toEqual({
      code: 1,
      stdout: `${JSON.stringify({ error: '--credits must be a whole number other than 0.' })}\n`,
      stderr: '',
    })
  })

  it('refuses an option that a command does not have', async () => {
    expect(await runAdmin(['ledger', 'verify', '--fast'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Unknown option '--fast'"),
    })
  })
})

describe('owner', () => {
  it('limits sets what all keys together may do, and gives the defaults back', async () => {
    const set = ['--rpm', '70', '--concurrency', '5', '--daily', '900']
    const changed = await runAdminJson(['owner', 'limits', ...OWNER, ...set])
    expect(changed).toMatchObject({
      code: 0,
      requestsPerMinute: { most: 70, isDefault: false },
      callsInProgress: { most: 5, isDefault: false },
      creditsPerDay: { credits: 900, spent: 0, held: 0, remaining: 900 },
    })
    expect((await runAdmin(['owner', 'limits', ...OWNER])).stdout).toContain('0 spent and 0 held of 900 credits a day')
    const none = ['--rpm', 'default', '--concurrency', 'default', '--daily', 'none']
    expect(await runAdminJson(['owner', 'limits', ...OWNER, ...none])).toMatchObject({
      requestsPerMinute: { most: env().OWNER_RPM, isDefault: true },
      callsInProgress: { most: env().OWNER_CONCURRENCY, isDefault: true },
      creditsPerDay: null,
    })
    const { rows } = await mainPool().query(
      `SELECT detail FROM audit_event WHERE action = 'limits_changed' ORDER BY id LIMIT 1`,
    )
    expect(rows).toEqual([{ detail: { requestsPerMinute: 70, callsInProgress: 5, creditsPerDay: 900 } }])
    expect(await runAdmin(['owner', 'limits', ...OWNER, '--rpm', '0'])).toMatchObject({ code: 1, stdout: '' })
  })

  it('create makes an owner who may be an admin, once per address', async () => {
    const args = ['owner', 'create', '--email', 'Second@example.com', '--password', PASSWORD, '--admin']
    expect(await runAdminJson(args)).toMatchObject({ code: 0, email: 'second@example.com', isAdmin: true })
    expect(await runAdminJson(args)).toMatchObject({ code: 1, error: expect.stringMatching(/already|taken|exists/) })
  })

  it('create refuses a password that is too short', async () => {
    expect(await runAdmin(['owner', 'create', '--email', 'x@example.com', '--password', 'x'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/password/i),
    })
  })

  it('password changes it by what stdin says, and never without it', async () => {
    const hashOf = async () =>
      (await mainPool().query('SELECT password_hash AS hash FROM owner WHERE email = $1', [EMAIL])).rows[0].hash
    const before = await hashOf()
    expect(await runAdmin(['owner', 'password', ...OWNER])).toMatchObject({ code: 1, stdout: '' })
    expect(await hashOf()).toBe(before)
    const changed = await runAdmin(['owner', 'password', ...OWNER], { input: 'another horse battery\n' })
    expect(changed).toMatchObject({ code: 0, stdout: expect.stringContaining(EMAIL) })
    expect(await hashOf()).not.toBe(before)
  })

  it('names an owner who does not exist', async () => {
    expect(await runAdmin(['owner', 'password', '--email', 'nobody@example.com'])).toMatchObject({
      code: 1,
      stderr: 'There is no owner nobody@example.com.\n',
    })
  })
})

describe('credits grant', () => {
  it('adds credits, takes them back with a negative number, and never below zero', async () => {
    const grant = (credits: number) => runAdminJson(['credits', 'grant', ...OWNER, `--credits=${credits}`])
    const first = await grant(500)
    expect(first).toMatchObject({ code: 0, email: EMAIL, credits: 500 })
    expect(await grant(-100)).toMatchObject({ code: 0, available: Number(first.available) - 100 })
    expect(await grant(-1_000_000)).toMatchObject({ code: 1, error: expect.any(String) })
  })
})

describe('key', () => {
  it('create, list and revoke: the secret works, is shown once, and works no more', async () => {
    const made = await runAdminJson([
      'key',
      'create',
      ...OWNER,
      '--name',
      'cli',
      '--tools',
      'web_search',
      '--rpm',
      '30',
    ])
    expect(made).toMatchObject({ code: 0, name: 'cli', tools: ['web_search'], rpm: 30, key: expect.any(String) })
    const secret = String(made.key)
    expect((await callQuery(secret, 'web_search', { query: 'tolls' })).status).toBe(200)
    const listed = await runAdmin(['key', 'list', ...OWNER])
    expect(listed.stdout).toMatch(new RegExp(`^${made.id}\\t${EMAIL}\\tcli\\t….{4}\\tactive\\t1 tools\\t`, 'm'))
    expect(listed.stdout).not.toContain(secret)
    expect((await runAdminJson(['key', 'list'])).keys).toHaveLength(1)
    expect(await runAdminJson(['key', 'revoke', '--id', String(made.id)])).toMatchObject({ code: 0, id: made.id })
    expect((await callQuery(secret, 'web_search', { query: 'tolls' })).status).toBe(401)
  })

  it('create names a tool that does not exist, and makes nothing', async () => {
    expect(
      await runAdminJson(['key', 'create', ...OWNER, '--name', 'wrong', '--tools', 'web_search,no_such_tool']),
    ).toMatchObject({ code: 1, error: expect.stringContaining('no_such_tool') })
    expect((await runAdmin(['key', 'list', ...OWNER])).stdout).not.toContain('wrong')
  })

  it('revoke names a key that does not exist', async () => {
    expect(await runAdmin(['key', 'revoke', '--id', '999999'])).toMatchObject({
      code: 1,
      stderr: 'There is no key 999999.\n',
    })
  })
})

describe('usage', () => {
  it('lists receipts as text, CSV and JSON', async () => {
    const { key } = await runAdminJson(['key', 'create', ...OWNER, '--name', 'usage', '--tools', 'all'])
    await callQuery(String(key), 'crypto_get_prices', { coinIds: ['bitcoin'] })
    const { calls, charged, rows } = await runAdminJson(['usage', ...OWNER])
    expect(calls).toBe((rows as object[]).length)
    expect(charged).toBeGreaterThanOrEqual(3)
    const { stdout: csv } = await runAdmin(['usage', ...OWNER, '--csv'])
    const [head, row] = csv.split('\n')
    expect(head).toMatch(/^request_id,.*,key_name,channel,product,what,status,credits_held,/)
    expect(row).toMatch(/,usage,rest,tool,crypto_get_prices,ok,3,3,0,/)
    expect((await runAdmin(['usage', ...OWNER])).stdout.split('\n')[0]).toBe(head?.replaceAll(',', '\t'))
  })
})

describe('ledger verify', () => {
  it('succeeds on books that agree, and fails with the row that does not', async () => {
    expect(await runAdminJson(['ledger', 'verify'])).toEqual({ code: 0, ok: true, differences: [] })
    const tamper = (by: number) =>
      mainPool().query(
        'UPDATE account SET available = available + $1 WHERE owner_id = (SELECT id FROM owner WHERE email = $2)',
        [by, EMAIL],
      )
    await tamper(7)
    const found = await runAdmin(['ledger', 'verify'])
    await tamper(-7)
    expect(found).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^account total .*: stored \d+, computed \d+/),
    })
  })
})

describe('retention', () => {
  it('says what it would delete, and then what it deleted', async () => {
    expect(await runAdminJson(['retention', '--dry-run'])).toMatchObject({ code: 0, dryRun: true })
    expect((await runAdmin(['retention'])).stdout).toMatch(/^Deleted\n/)
  })
})

describe('models import', () => {
  const lists: Record<string, unknown> = {
    '/router/models': {
      data: [
        { id: 'acme/one', name: 'One', context_length: 8_000, pricing: { prompt: '0.000001', completion: '0.000002' } },
      ],
    },
    '/plain/models': { object: 'list', data: [{ id: 'llama3.2:3b', object: 'model' }, { id: 'whisper-1' }] },
  }
  const server = createServer((req, res) => {
    const list = lists[String(req.url)]
    res.writeHead(list ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(list ?? {}))
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void server.close().closeAllConnections())
  const from = (path: string) => ['--from', `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`]

  it('prints the models of a list with their prices, times the markup', async () => {
    const { code, stdout, stderr } = await runAdmin(['models', 'import', ...from('router'), '--markup', '2'])
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'acme/one', usdPer1mInput: 2, usdPer1mOutput: 4 }])
  })

  it('takes a plain list where the operator says what it lacks', async () => {
    const assumed = ['--assume-context', '8192', '--assume-price', '0/0.5', '--provider', 'ollama']
    const { code, stdout, stderr } = await runAdmin(['models', 'import', ...from('plain'), ...assumed])
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'ollama/llama3.2:3b', contextSize: 8_192, usdPer1mOutput: 0.5 }])
    expect(stderr).toContain('left out whisper-1: its output is unknown')
  })

  it('fails, and says why, where no model can be used', async () => {
    expect(await runAdmin(['models', 'import', ...from('plain')])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^No model can be used:\n {2}left out llama3.2:3b: .* --assume-context/),
    })
  })

  it.each([
    [['--from', 'nowhere'], '--from must be an http(s) URL.'],
    [['--from', 'http://127.0.0.1:1', '--assume-context', '0'], '--assume-context must be at least 1.'],
    [
      ['--from', 'http://127.0.0.1:1', '--assume-price', '3'],
      '--assume-price must be two prices in USD per million tokens, such as 0.25/2.',
    ],
    [['--from', 'http://127.0.0.1:1', '--provider', 'a/b'], '--provider must be a word such as openai.'],
  ])('refuses %j', async (options, why) => {
    expect(await runAdmin(['models', 'import', ...options])).toMatchObject({ code: 1, stderr: `${why}\n` })
  })
})

describe('models add and models check', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-models-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'models.json')
  const add = (...options: string[]) => runAdmin(['models', 'add', '--file', file, ...options])
  const check = (...options: string[]) => runAdminJson(['models', 'check', ...options], { env: { MODELS_FILE: file } })

  it('adds a model, replaces it under the same id, and calls it', async () => {
    const from = ['--from', `${env().SANDBOX_URL}/llm/v1`, '--context', '8192', '--price', '1/2']
    expect((await add('--id', 'acme/gale', '--model', 'gale-4', ...from)).stdout).toContain('acme/gale added to')
    expect(await check()).toMatchObject({ code: 0, ok: true, checks: [{ id: 'acme/gale', outcome: 'ok' }] })
    expect((await add('--id', 'acme/gale', '--model', 'gale-4', ...from)).stdout).toContain('acme/gale replaced in')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(1)
  })

  it('says what is wrong with a model that cannot be called', async () => {
    const away = ['--from', 'http://127.0.0.1:1/v1', '--context', '8192', '--price', '1/2']
    await add('--id', 'acme/away', ...away)
    await add('--id', 'acme/keyless', '--key-env', 'NO_SUCH_KEY', ...away)
    const { code, checks } = await check()
    expect(code).toBe(1)
    expect(checks).toMatchObject([
      { id: 'acme/gale', outcome: 'ok', usd: expect.any(Number) },
      { id: 'acme/away', outcome: 'failed', text: expect.stringContaining('ECONNREFUSED') },
      { id: 'acme/keyless', outcome: 'failed', text: 'NO_SUCH_KEY is not set' },
    ])
    expect(await check('--id', 'acme/none')).toMatchObject({ code: 1, error: 'MODELS_FILE has no model acme/none.' })
  })

  it('refuses an entry that the registry could not use, and leaves the file as it was', async () => {
    const before = readFileSync(file, 'utf8')
    const one = ['--id', 'acme/two', '--from', 'http://127.0.0.1:1/v1']
    for (const [options, why] of [
      [one, '--context is missing'],
      [[...one, '--context', '10'], '--price is missing'],
      [[...one, '--context', '10', '--price', '1/1', '--api', 'fal'], 'must be chat or responses or messages'],
    ] as const)
      expect(await add(...options)).toMatchObject({ code: 1, stderr: expect.stringContaining(why) })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})
