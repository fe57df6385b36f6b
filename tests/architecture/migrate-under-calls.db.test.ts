import { createHash, randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
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
import { withRetries } from '../../server/kit/pg-retry'
import { makeEmptyDatabase, type TestDatabase } from '../support/database'
import { pollUntil } from '../support/poll-until'

// A deployment migrates while processes of the previous release serve. Here billed calls are made
// with what that release asks of the database, each prepared once per connection as it does:
// before, during and after the migrations that it did not know. None may fail, but for a deadlock
// after which it is repeated as every statement is; and the books must agree.

const { version, migration: known, statements } = readReleaseRecord()
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

async function run(client: pg.Client, statement: string, ...values: unknown[]): Promise<Record<string, unknown>> {
  const text = statements.find((one) => one.name === statement)?.texts[0]
  if (!text) throw new Error(`${version} has no statement ${statement}`)
  const query = { name: statement, text, values }
  return (await withRetries(() => client.query(query), { isRepeatable: false })).rows[0]
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
  await run(client, 'credits_grant', ownerId, 1_000_000, 'test')
  return { secret, ownerId, keyId, holder: uuidv7(), charged: 0, calls: 0 }
}

type OldCaller = Awaited<ReturnType<typeof makeOldCaller>>

/** One call: every third is charged nothing, every fifth refunded. */
async function callOnce(client: pg.Client, caller: OldCaller): Promise<void> {
  const { secret, ownerId, keyId, holder } = caller
  const hold = uuidv7()
  const nth = ++caller.calls
  const charge = nth % 3 === 0 ? 0 : CHARGED
  expect(await run(client, 'keys_admit', [secret], 1e9)).toMatchObject({ state: 'ok', key_id: keyId })
  const item = [[hold], [ownerId], [keyId], [null], [HELD], [HELD], [0], ['rest'], ['tool'], ['test'], [null], [null]]
  expect(await run(client, 'credits_reserve', holder, ...item, 10)).toMatchObject({ outcome: 'held' })
  const settlement = [[hold], [charge], [false], [charge ? 'ok' : 'failed'], ['{"durationMs": 1}'], [null], [null]]
  expect(await run(client, 'credits_settle', ...settlement)).toMatchObject({ charged: String(charge) })
  expect(await run(client, 'receipt_by_id', hold, ownerId)).toMatchObject({ charged: String(charge) })
  if (charge && nth % 5 === 0) await run(client, 'credits_refund', hold, 'void', 'test')
  else caller.charged += charge
}

test(`calls of ${version} go on while later migrations are applied, and the books agree`, async () => {
  const callers = await Promise.all(clients.map(makeOldCaller))
  let isOver = false
  const traffic = Promise.all(
    callers.map(async (caller, n) => {
      const client = clients[n] as pg.Client
      await run(client, 'credits_renew', caller.holder)
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
    const applied = await deployMigrations(url)
    expect(applied).toEqual(migrationNames().filter((one) => one > known))
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
