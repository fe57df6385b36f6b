import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dumpColumns, dumpConstraints } from '../../server/cli/migrations/dump'
import { readReleaseRecord } from '../../server/cli/migrations/release'
import { uuidv7 } from '../../server/kit/id'
import { describeStatement } from '../support/describe-statement'
import { makeCaller } from '../support/owners'
import { recordedCalls } from '../support/recorded-calls'

// A migration runs while processes of the previous release still serve calls. What they ask of the
// database is recorded at each release (npm run db:migrate -- release). These tests show that the
// new schema still understands it, with the same types, and that one call is charged the same; they
// do not run the previous release's code.

const release = readReleaseRecord()
const { version, statements, columns, constraints } = release
const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
beforeAll(() => client.connect())
afterAll(() => client.end())

/** Constraints that the previous release did not know, and why what it writes meets them. */
const ADDED_CONSTRAINTS: Record<string, string> = {
  key_customer_id_fkey: 'They leave customer_id null.',
  key_external_id: 'They leave external_id null, which is never taken.',
  key_person_id_fkey: 'They leave person_id null.',
  request_hour_pkey: 'They leave limit_name at its default, and name the constraint for their conflict.',
  session_account_id_owner_id_fkey: 'They leave account_id null.',
  site_version_preview_key: 'They leave preview null, which is never taken.',
  spend_limit_budget_id_fkey: 'its rows are of no budget',
  spend_limit_check: 'that of its release, without rows of budgets',
  turn_share_token_key: 'They leave share_token null, which is never taken.',
}

describe(`a process of ${version}`, () => {
  test.each(statements)('can prepare $name', async ({ texts, params, columns }) => {
    const names = [...new Set([...(params ?? []), ...Object.values(columns).map((type) => type.replace('?', ''))])]
    const { rows } = await client.query<{ name: string; id: number }>(
      'SELECT name, name::regtype::oid::int AS id FROM unnest($1::text[]) AS t (name)',
      [names],
    )
    const types = new Map(rows.map(({ name, id }) => [name, id]))
    for (const text of texts) {
      const described = await describeStatement(client, text)
      if (params) expect(described.params, text).toEqual(params.map((type) => types.get(type)))
      expect(Object.fromEntries(described.columns.map(({ name, type }) => [name, type])), text).toEqual(
        Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, types.get(type.replace('?', ''))])),
      )
    }
  })

  test('finds every column that it knows, of the same type and as often null', async () => {
    const known = ({ table, column, type, isRequired }: (typeof columns)[number]) =>
      `${table}.${column} ${type}${isRequired ? ' NOT NULL' : ''}`
    expect((await dumpColumns(client)).map(known)).toEqual(expect.arrayContaining(columns.map(known)))
  })

  test('may leave out every column that it does not know', async () => {
    const known = new Set(columns.map(({ table, column }) => `${table}.${column}`))
    const tables = new Set(columns.map(({ table }) => table))
    const needed = (await dumpColumns(client)).filter(
      ({ table, column, isRequired, hasDefault }) =>
        tables.has(table) && !known.has(`${table}.${column}`) && isRequired && !hasDefault,
    )
    expect(needed).toEqual([])
  })

  test('meets every constraint that it does not know', async () => {
    const tables = new Set(columns.map(({ table }) => table))
    const added = (await dumpConstraints(client)).filter(
      (line) =>
        !constraints.includes(line) && tables.has(/^(?:ALTER TABLE|.* ON public\.)\s*"?(\w+)/.exec(line)?.[1] ?? ''),
    )
    const names = added
      .map((line) => /CONSTRAINT (\w+)|INDEX (\w+)/.exec(line))
      .map((match) => match?.[1] ?? match?.[2])
    expect(names.sort()).toEqual(Object.keys(ADDED_CONSTRAINTS))
  })

  test('authenticates, reserves, settles, repeats the settlement and reads the receipt', async () => {
    const { run, authenticate, reserve, settle } = recordedCalls(release, client)
    const { owner, key } = await makeCaller(1_000)
    const hash = createHash('sha256').update(key.key).digest()
    expect(await authenticate(hash)).toMatchObject({ state: 'ok', key_id: key.id, owner_id: owner.id })
    const [holder, id] = [uuidv7(), uuidv7()]
    await run('credits_renew', holder)
    expect(await reserve({ id, holder, ownerId: owner.id, keyId: key.id, least: 5 })).toMatchObject({
      outcome: 'held',
      amount: '5',
    })
    expect(await settle(id, 3, 'ok')).toMatchObject({ settled: 'done', amount: '3', held: '5' })
    expect(await settle(id, 3, 'ok')).toMatchObject({ settled: 'again', amount: '3' })
    expect(await run('receipt_by_id', id, owner.id)).toMatchObject({ charged: '3', status: 'ok', keyName: key.name })
    expect(await run('credits_refund', id, 'void', 'test')).toEqual({ credits_refund: '3' })
    const { rows } = await client.query('SELECT available, held, calls FROM account WHERE owner_id = $1', [owner.id])
    expect(rows).toEqual([{ available: '1000', held: '0', calls: 0 }])
  })
})
