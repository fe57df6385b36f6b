import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabaseFolder } from './folder'
import { shippedMajor } from './major'
import { ensurePostgresRunning } from './postgres'
import { databaseUser } from './system-user'

const root = mkdtempSync(path.join(tmpdir(), 'tollgate-major-'))
afterAll(() => rmSync(root, { recursive: true }))

/** Starts a database whose folder says that another version made it. */
async function start(major: number): Promise<void> {
  const user = databaseUser()
  const home = openDatabaseFolder(path.join(root, `pg-${major}`), user)
  mkdirSync(home.data)
  writeFileSync(path.join(home.data, 'PG_VERSION'), `${major}\n`)
  try {
    await ensurePostgresRunning(home, user)
  } finally {
    expect(readdirSync(home.data)).toEqual(['PG_VERSION'])
  }
}

test('a database of an earlier PostgreSQL is refused with the command that converts it', async () => {
  await expect(start(12)).rejects.toThrow(
    `The embedded database was made by PostgreSQL 12, and this version of Tollgate brings ${shippedMajor()}. Stop everything and run npm run admin -- database upgrade`,
  )
})

test('a database of a later PostgreSQL is refused', async () => {
  await expect(start(99)).rejects.toThrow('Run the version of Tollgate that made it, or a newer one.')
})
