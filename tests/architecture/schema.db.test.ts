import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changedLines } from '../../server/cli/migrations/diff'
import { dumpSchema } from '../../server/cli/migrations/dump'
import { DUMP_FILE } from '../../server/cli/migrations/files'
import { mainPool } from '../../server/db'

test('a migrated PostgreSQL has the schema of prisma/schema.sql', async () => {
  const dump = await dumpSchema({ query: (sql) => mainPool().query(sql) })
  expect(changedLines(readFileSync(DUMP_FILE, 'utf8'), dump)).toEqual([])
})
