import { chmodSync, chownSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { NOBODY_ID, unprivilegedId } from '../../kit/system-user'

/**
 * Where root keeps what the database's user must reach although the project's folder is closed to
 * it.
 */
export const SYSTEM_FOLDER = '/var/lib/tollgate'

type SpawnAs = { uid?: number; gid?: number; cwd?: string }

/**
 * Whom PostgreSQL runs as: it refuses to be root, so root hands it to a user that has nothing else.
 */
export type SystemUser = {
  isDropped: boolean
  /** Options for spawning a process as this user. */
  spawn: SpawnAs
  /**
   * The same for `initdb`, which insists on a user with an account; what it makes must be owned
   * afterwards.
   */
  spawnInit: SpawnAs
  /** Gives a file to this user, a folder with everything in it. */
  own: (file: string) => void
  /** Gives a file to the user of `spawnInit`. */
  ownInit: (file: string) => void
  /**
   * Lets this user, and nobody else, pass through a folder of root's to what it knows the name of.
   */
  letPass: (folder: string) => void
}

export function databaseUser(): SystemUser {
  const none = () => {}
  if (process.getuid?.() !== 0) {
    return { isDropped: false, spawn: {}, spawnInit: {}, own: none, ownInit: none, letPass: none }
  }
  const id = unprivilegedId('database')
  return {
    isDropped: true,
    spawn: { uid: id, gid: id, cwd: '/' },
    // The group lets it pass to where the database is to be.
    spawnInit: { uid: NOBODY_ID, gid: id, cwd: '/' },
    own: (file) => own(file, id),
    ownInit: (file) => chownSync(file, NOBODY_ID, id),
    letPass: letPass(id),
  }
}

/**
 * The folder itself comes last: where it has its owner, so has everything in it, also after a kill.
 */
function own(file: string, id: number): void {
  if (lstatSync(file).uid === id) return
  if (lstatSync(file).isDirectory()) {
    for (const name of readdirSync(file, { recursive: true, encoding: 'utf8' }))
      lchownSync(path.join(file, name), id, id)
  }
  lchownSync(file, id, id)
}

const letPass = (id: number) => (folder: string) => {
  if (statSync(folder).uid !== 0) return
  chownSync(folder, 0, id)
  chmodSync(folder, 0o710)
}

/**
 * True when any user may pass through every folder down to this one, which a home of mode 0700
 * forbids.
 */
export const isReachableByOthers = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) !== 0 &&
  (folder === path.dirname(folder) || isReachableByOthers(path.dirname(folder)))
