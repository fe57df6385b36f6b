import { expect, test } from 'vitest'
import { describeSchemaDiff, schemaDiff } from '../../server/cli/migrations/diff'
import { migrationNames } from '../../server/cli/migrations/files'

test('the migrations create what schema.prisma, schema.sql and the files of SQL functions say', async () => {
  expect(describeSchemaDiff(await schemaDiff())).toEqual([])
})

test('migrations are named by their time and what they do, in order', () => {
  const names = migrationNames()
  expect(names.length).toBeGreaterThan(1)
  for (const name of names) expect(name).toMatch(/^\d{14}_[a-z0-9_]+$/)
  expect(names).toEqual([...names].sort())
})
