import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { withFileLock } from '../kit/file-lock'
import { identifyProcess, isProcessAlive } from '../kit/process'
import { dataPath } from '../kit/project'
import { type DatabaseFolder, openDatabaseFolder } from './folder'
import { appRoleUrl, ensurePostgresRunning, ownerRoleUrl, stopPostgres, usedPostgres } from './postgres'
import { databaseUser } from './system-user'

/** A running database, until `release`: the last process to release it stops the server. */
export type EmbeddedDatabase = {
  /** As the owner of every table, who migrates. */
  url: string
  /** As the service, which reads and writes rows. */
  appUrl: string
  /** The folder it lives in. */
  folder: string
  release: () => Promise<void>
}

/**
 * Starts the embedded PostgreSQL of that name in the data folder, or at an absolute path, or joins
 * the one that runs: several processes share it. One that was killed never releases; it no longer
 * counts, so the next to leave stops what it left running.
 */
export async function joinEmbeddedDatabase(name: string): Promise<EmbeddedDatabase> {
  const user = databaseUser()
  const home = openDatabaseFolder(name, user)
  const settings = await withFileLock(home.lock, async () => {
    // Whoever else uses it has found that it answers and is set up.
    const used = hasUsers(home) ? usedPostgres(home) : null
    const running = used ?? (await ensurePostgresRunning(home, user))
    const self = identifyProcess(process.pid)
    writeFileSync(path.join(home.usersFolder, `${process.pid}`), self?.started ?? '')
    return running
  })
  let released: Promise<void> | undefined
  const release = () => {
    released ??= withFileLock(home.lock, async () => {
      rmSync(path.join(home.usersFolder, `${process.pid}`), { force: true })
      if (!hasUsers(home)) await stopPostgres(home)
    })
    return released
  }
  return { url: ownerRoleUrl(settings), appUrl: appRoleUrl(settings), folder: dataPath(name), release }
}

/** Whether a living process uses the database. */
export function hasUsers(home: DatabaseFolder): boolean {
  return readdirSync(home.usersFolder).some((pid) => {
    const file = path.join(home.usersFolder, pid)
    if (isProcessAlive({ pid: Number(pid), started: readFileSync(file, 'utf8') })) return true
    rmSync(file, { force: true })
    return false
  })
}
