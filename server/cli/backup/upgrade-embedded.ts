import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { postgresBinaries } from '../embedded/binaries'
import {
  type DatabaseFolder,
  openDatabaseFolder,
  readEmbeddedSettings,
  writeEmbeddedSettings,
} from '../embedded/folder'
import { hasUsers } from '../embedded/join'
import { folderMajor, shippedMajor } from '../embedded/major'
import { ensurePostgresRunning, ownerRoleUrl, stopPostgres, UPGRADED } from '../embedded/postgres'
import { databaseUser, type SystemUser } from '../embedded/system-user'
import { withFileLock } from '../kit/file-lock'
import { CliError } from '../kit/project'
import { fetchEarlierBinaries } from './earlier-binaries'
import { type FinishedCopy, finishCopy } from './finish'
import { moveDatabase } from './move-database'
import type { Progress } from './progress'

export type UpgradedDatabase = FinishedCopy & { from: number; to: number; rows: number; kept: string }

/**
 * Converts the embedded database of that name to the PostgreSQL of this installation: the earlier
 * one is started once more, and everything is copied. The earlier folder is kept. Null: there is
 * nothing to convert. Throws a CliError, and leaves the database as it was.
 */
export async function upgradeEmbedded(name: string, progress: Progress): Promise<UpgradedDatabase | null> {
  const user = databaseUser()
  const home = openDatabaseFolder(name, user)
  return withFileLock(home.lock, async () => {
    const from = folderMajor(home)
    const to = shippedMajor()
    if (from === null || from === to) return null
    if (from > to) throw new CliError(`The embedded database is of PostgreSQL ${from}, newer than ${to}.`)
    if (hasUsers(home)) throw new CliError('Processes use the embedded database: stop them, then try again.')
    const kept = `${home.data}-${from}`
    if (existsSync(kept)) throw new CliError(`${kept} exists: an earlier upgrade kept it. Move it elsewhere first.`)
    progress(`  fetching PostgreSQL ${from}`)
    const earlier = fetchEarlierBinaries(from)
    const copied = await copyToNew(home, { user, earlier, progress })
    renameSync(home.data, kept)
    renameSync(`${home.data}${UPGRADED}`, home.data)
    return { ...copied, from, to, kept }
  })
}

type Copying = { user: SystemUser; earlier: string; progress: Progress }

/** Copies into a new folder beside the old one, which has its last name once it is complete. */
async function copyToNew(home: DatabaseFolder, { user, earlier, progress }: Copying) {
  const folder = path.dirname(home.data)
  const draft: DatabaseFolder = {
    ...home,
    data: `${home.data}.upgrading`,
    log: path.join(folder, 'upgrade.log'),
    settingsFile: path.join(folder, 'settings.upgrading.json'),
  }
  const old = await ensurePostgresRunning(home, user, () => postgresBinaries(user, earlier))
  try {
    await stopPostgres(draft)
    rmSync(draft.data, { recursive: true, force: true })
    writeEmbeddedSettings(draft, { ...readEmbeddedSettings(home), port: 0 })
    const url = ownerRoleUrl(await ensurePostgresRunning(draft, user))
    const rows = await moveDatabase(ownerRoleUrl(old), url, { replace: false, progress })
    const finished = await finishCopy(url)
    if (finished.differences.length > 0)
      throw new CliError('The copy does not verify: run ledger verify with the earlier version of Tollgate.')
    await finished.close()
    await stopPostgres(draft)
    renameSync(draft.data, `${home.data}${UPGRADED}`)
    return { rows, ...finished }
  } finally {
    await stopPostgres(draft)
    await stopPostgres(home)
    rmSync(draft.settingsFile, { force: true })
  }
}
