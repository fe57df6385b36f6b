import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadStatements } from '../../server/cli/migrations/load-statements'
import type { ColumnType } from '../../server/kit/statement'
import { describeStatement } from '../support/describe-statement'

// What TypeScript knows of a row is what the statement declares: PostgreSQL is asked whether that
// is true.

const statements = await loadStatements()
const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
/** Object ids of types by the names that statements use, and columns of tables that may be null. */
const types = new Map<string, number>()
const nullable = new Set<string>()

beforeAll(async () => {
  await client.connect()
  const names = [
    ...new Set(statements.flatMap(({ params, columns }) => [...(params ?? []), ...Object.values(columns).map(typeOf)])),
  ]
  const { rows } = await client.query<{ name: string; id: number }>(
    'SELECT name, name::regtype::oid::int AS id FROM unnest($1::text[]) AS t (name)',
    [names],
  )
  for (const { name, id } of rows) types.set(name, id)
  const columns = await client.query<{ id: string }>(
    "SELECT attrelid || '.' || attnum AS id FROM pg_attribute WHERE attnum > 0 AND NOT attnotnull",
  )
  for (const { id } of columns.rows) nullable.add(id)
})
afterAll(() => client.end())

const typeOf = (column: ColumnType): string => (typeof column === 'string' ? column.replace('?', '') : 'text')
const mayBeNull = (column: ColumnType | undefined): boolean =>
  typeof column === 'string' ? column.endsWith('?') : (column?.includes(null) ?? false)

test('statements have different names', () => {
  const names = statements.map(({ name }) => name)
  expect(names.length).toBeGreaterThan(40)
  expect(names).toEqual([...new Set(names)])
})

describe.each(statements)('$name', ({ texts, params, columns }) => {
  test('has the parameters and columns that PostgreSQL says it has', async () => {
    expect(texts().length).toBeGreaterThan(0)
    for (const text of texts()) {
      const described = await describeStatement(client, text)
      if (params) expect(described.params, text).toEqual(params.map((type) => types.get(type)))
      expect(Object.fromEntries(described.columns.map(({ name, type }) => [name, type])), text).toEqual(
        Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, types.get(typeOf(column))])),
      )
      const wrong = described.columns.filter(
        ({ name, tableId, columnId }) => nullable.has(`${tableId}.${columnId}`) && !mayBeNull(columns[name]),
      )
      expect(
        wrong.map(({ name }) => name),
        `may be null: ${text}`,
      ).toEqual([])
    }
  })
})
