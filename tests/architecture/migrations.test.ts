import { expect, test } from 'vitest'
import { schemaDiff } from '../../server/cli/migrations/diff'
import { migrationNames } from '../../server/cli/migrations/files'

test('the migrations amount to schema.prisma', async () => {
  expect(await schemaDiff()).toBeNull()
})

test('migrations are named by their time and what they do, in order', () => {
  const names = migrationNames()
  expect(names.length).toBeGreaterThan(1)
  for (const name of names) expect(name).toMatch(/^\d{14}_[a-z0-9_]+$/)
  expect(names).toEqual([...names].sort())
})
