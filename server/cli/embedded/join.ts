import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { withLock } from '../lock'
import { isAlive, nameOf } from '../process'
import { dataPath } from '../project'
import { type Home, openHome } from './home'
import { appUrlOf, ensureRunning, stopServer, urlOf } from './postgres'
import { databaseUser } from './user'

/** A running database, until `release`: the last process to release it stops the server. */
export type EmbeddedDb = {
  /** As the owner of every table, who migrates. */
  url: string
  /** As the service, which reads and writes rows. */
  appUrl: string
  /** The folder it lives in. */
  folder: string
  release: () => Promise<void>
}

/**
 * Starts the embedded PostgreSQL of that name in the data folder, or at an absolute path, or joins the one that runs:
 * several processes share it. One that was killed never releases; it no longer counts, so the next to leave stops what it left running.
 */
export async function joinEmbeddedDb(name: string): Promise<EmbeddedDb> {
  const user = databaseUser()
  const home = openHome(name, user)
  const settings = await withLock(home.lock, async () => {
    const running = await ensureRunning(home, user)
    const self = nameOf(process.pid)
    writeFileSync(path.join(home.usersFolder, `${process.pid}`), self?.started ?? '')
    return running
  })
  let released: Promise<void> | undefined
  const release = () => {
    released ??= withLock(home.lock, async () => {
      rmSync(path.join(home.usersFolder, `${process.pid}`), { force: true })
      if (!hasUsers(home)) await stopServer(home)
    })
    return released
  }
  return { url: urlOf(settings), appUrl: appUrlOf(settings), folder: dataPath(name), release }
}

function hasUsers(home: Home): boolean {
  return readdirSync(home.usersFolder).some((pid) => {
    const file = path.join(home.usersFolder, pid)
    if (isAlive({ pid: Number(pid), started: readFileSync(file, 'utf8') })) return true
    rmSync(file, { force: true })
    return false
  })
}
