import { expect, test } from 'vitest'
import { compatibleFrom } from '../../server/cli/migrations/compatibility'
import { describeSchemaDiff, schemaDiff } from '../../server/cli/migrations/diff'
import { migrationNames } from '../../server/cli/migrations/files'
import { QUEUE_VERSION } from '../../server/cli/migrations/queue-state'
import { readReleaseRecord } from '../../server/cli/migrations/release'

test('the migrations create what schema.prisma, schema.sql and the files of SQL functions say', async () => {
  expect(describeSchemaDiff(await schemaDiff())).toEqual([])
})

test('the previous release may run on this schema, unless it would refuse the queue', () => {
  const { migration, queueSchema } = readReleaseRecord()
  expect(compatibleFrom()).toBe(queueSchema === QUEUE_VERSION ? migration : migrationNames().at(-1))
  expect(migrationNames()).toContain(compatibleFrom())
})

test('migrations are named by their time and what they do, in order', () => {
  const names = migrationNames()
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) expect(name).toMatch(/^\d{14}_[a-z0-9_]+$/)
  expect(names).toEqual([...names].sort())
})
