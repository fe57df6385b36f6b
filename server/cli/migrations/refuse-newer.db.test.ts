import { expect, test } from 'vitest'
import { mainPool } from '../../db'
import { refuseNewerDatabase } from './refuse-newer'

test('a database that a newer version has migrated is refused, and no other', async () => {
  await refuseNewerDatabase()
  await mainPool().query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', '', '29990101000000_later', now())`,
  )
  await expect(refuseNewerDatabase()).rejects.toThrow(
    'The database has migrations that this version does not know: 29990101000000_later.',
  )
})
