import { expect, test } from 'vitest'
import { mainPool } from '../../db'
import { refuseNewerDatabase } from './refuse-newer'

const NEWER = '29990101000000_later'
const compatibleFrom = (migration: string) =>
  mainPool().query('UPDATE schema_compatibility SET compatible_from = $1', [migration])

test('a database that a newer release has migrated is refused where that release says so, and no other', async () => {
  await refuseNewerDatabase()
  await mainPool().query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', '', $1, now())`,
    [NEWER],
  )
  await refuseNewerDatabase()
  await compatibleFrom(NEWER)
  const refused = expect(refuseNewerDatabase()).rejects.toThrow(
    'The database has migrations that this version does not know: 29990101000000_later.',
  )
  await refused
  await mainPool().query('DROP TABLE schema_compatibility')
  await expect(refuseNewerDatabase()).rejects.toThrow('does not know')
})
