import { createHash, randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployMigrations } from '../../server/cli/migrations/deploy'
import { migrationFolder, migrationNames } from '../../server/cli/migrations/files'
import { readReleaseRecord } from '../../server/cli/migrations/release'
import { findLedgerDifferences } from '../../server/credits/verify'
import { env } from '../../server/env'
import { uuidv7 } from '../../server/kit/id'
import { makeEmptyDatabase, type TestDatabase } from '../support/database'
import { EXPANDING } from '../support/next-release'
import { pollUntil } from '../support/poll-until'
import { recordedCalls } from '../support/recorded-calls'

// A deployment migrates while processes of the previous release serve. Here billed calls are made
// with what that release asks of the database, each prepared once per connection as it does:
// before, during and after the migrations that it did not know, and two as the next release may
// bring. None may fail, but for a deadlock
// after which it is repeated as every statement is; and the books must agree.

const release = readReleaseRecord()
const { version, migration: known } = release
const CALLERS = 4
const SOME_CALLS = 25
const [HELD, CHARGED] = [5, 3]

let database: TestDatabase
let url: string
let clients: pg.Client[]
const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-migrations-'))

beforeAll(async () => {
  database = await makeEmptyDatabase()
  url = database.url
  clients = Array.from({ length: CALLERS }, () => new pg.Client({ connectionString: url }))
  for (const migration of migrationNames().filter((one) => one <= known))
    cpSync(path.join(migrationFolder(), migration), path.join(folder, migration), { recursive: true })
  await deployMigrations(url, { folder })
  await Promise.all(clients.map((client) => client.connect()))
  Object.assign(env(), { DATABASE_URL: url })
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()))
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** A migration of the next release, in place of those that are not written yet. */
function writeMigration(name: string, sql: string): void {
  mkdirSync(path.join(folder, name))
  writeFileSync(path.join(folder, name, 'migration.sql'), sql)
}

/** An owner with credits and a key, as the previous release wrote them. */
async function makeOldCaller(client: pg.Client, n: number) {
  const secret = createHash('sha256').update(randomBytes(16)).digest()
  const one = async (sql: string, values: unknown[]): Promise<number> => (await client.query(sql, values)).rows[0].id
  const ownerId = await one('INSERT INTO owner (email) VALUES ($1) RETURNING id', [`old-${n}@example.com`])
  const keyId = await one('INSERT INTO "key" (owner_id, name, rpm) VALUES ($1, $2, 100000) RETURNING id', [
    ownerId,
    'k',
  ])
  await client.query('INSERT INTO key_secret (hash, key_id, last4) VALUES ($1, $2, $3)', [secret, keyId, 'last'])
  await client.query('INSERT INTO account (owner_id) VALUES ($1)', [ownerId])
  await recordedCalls(release, client).run('credits_grant', ownerId, 1_000_000, 'test')
  return { secret, ownerId, keyId, holder: uuidv7(), charged: 0, calls: 0 }
}

type OldCaller = Awaited<ReturnType<typeof makeOldCaller>>

/** One call: every third is charged nothing, every fifth refunded. */
async function callOnce(client: pg.Client, caller: OldCaller): Promise<void> {
  const { secret, ownerId, keyId, holder } = caller
  const { run, authenticate, reserve, settle } = recordedCalls(release, client)
  const id = uuidv7()
  const nth = ++caller.calls
  const charge = nth % 3 === 0 ? 0 : CHARGED
  expect(await authenticate(secret)).toMatchObject({ state: 'ok', key_id: keyId })
  expect(await reserve({ id, holder, ownerId, keyId, least: HELD })).toMatchObject({ outcome: 'held' })
  expect(await settle(id, charge, charge ? 'ok' : 'failed')).toMatchObject({ amount: String(charge) })
  expect(await run('receipt_by_id', id, ownerId)).toMatchObject({ charged: String(charge) })
  if (charge && nth % 5 === 0) await run('credits_refund', id, 'void', 'test')
  else caller.charged += charge
}

test(`calls of ${version} go on while later migrations are applied, and the books agree`, async () => {
  const callers = await Promise.all(clients.map(makeOldCaller))
  let isOver = false
  const traffic = Promise.all(
    callers.map(async (caller, n) => {
      const client = clients[n] as pg.Client
      await recordedCalls(release, client).run('credits_renew', caller.holder)
      while (!isOver) await callOnce(client, caller)
    }),
  ).finally(() => {
    isOver = true
  })
  traffic.catch(() => {})
  const someCalls = () => {
    const aims = callers.map(({ calls }) => calls + SOME_CALLS)
    return pollUntil('calls', () => isOver || callers.every(({ calls }, n) => calls >= (aims[n] ?? 0)))
  }
  try {
    await someCalls()
    const newer = migrationNames().filter((one) => one > known)
    const later = [...newer, ...Object.keys(EXPANDING)]
    for (const [name, sql] of Object.entries(EXPANDING)) writeMigration(name, sql)
    for (const name of newer) cpSync(path.join(migrationFolder(), name), path.join(folder, name), { recursive: true })
    expect(await deployMigrations(url, { folder })).toEqual(later)
    await someCalls()
  } finally {
    isOver = true
    await traffic
  }
  for (const { ownerId, charged, calls: made } of callers) {
    const { rows } = await (clients[0] as pg.Client).query(
      `SELECT (SELECT available FROM account WHERE owner_id = $1) AS available,
        (SELECT held FROM account WHERE owner_id = $1) AS held, (SELECT count(*)::int FROM receipt WHERE owner_id = $1) AS receipts`,
      [ownerId],
    )
    expect(rows).toEqual([{ available: String(1_000_000 - charged), held: '0', receipts: made }])
  }
  expect(await findLedgerDifferences()).toEqual([])
})
