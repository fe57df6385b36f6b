// The operator's commands as processes, on a database of a test: what they do, print and exit with.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_COMMANDS } from '../../server/cli/admin/commands'
import { mainPool } from '../../server/db'
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
  it('names every command where none is given, and fails', async () => {
    const { code, stdout, stderr } = await runAdmin([])
    expect([code, stdout]).toEqual([1, ''])
    for (const { name } of ADMIN_COMMANDS) expect(stderr).toContain(`  ${name}`)
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
    expect(head).toMatch(/^request_id,.*,key_name,door,product,what,status,credits_held,/)
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
  let server: Server
  const listing = {
    data: [
      { id: 'acme/one', name: 'One', context_length: 8_000, pricing: { prompt: '0.000001', completion: '0.000002' } },
    ],
  }

  it('prints the models of a list with their prices, times the markup', async () => {
    server = createServer((_req, res) => res.setHeader('content-type', 'application/json').end(JSON.stringify(listing)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const { code, stdout, stderr } = await runAdmin(['models', 'import', '--from', from, '--markup', '2'])
    server.closeAllConnections()
    server.close()
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'acme/one', usdPer1mInput: 2, usdPer1mOutput: 4 }])
  })

  it('refuses what is not a URL', async () => {
    expect(await runAdmin(['models', 'import', '--from', 'nowhere'])).toMatchObject({
      code: 1,
      stderr: '--from must be an http(s) URL.\n',
    })
  })
})
