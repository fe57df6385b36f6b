import { chownSync, statSync } from 'node:fs'
import path from 'node:path'

const NOBODY = 65534

/** Where root keeps what the database's user must reach although the project's folder is closed to it. */
export const SYSTEM_FOLDER = '/var/lib/tollgate'

/** Whom PostgreSQL runs as: it refuses to be root, so root hands it to `nobody`. */
export type User = {
  isDropped: boolean
  /** Options for spawning a process as this user. */
  spawn: { uid?: number; gid?: number; cwd?: string }
  own: (file: string) => void
}

export function databaseUser(): User {
  if (process.getuid?.() !== 0) return { isDropped: false, spawn: {}, own: () => {} }
  return {
    isDropped: true,
    spawn: { uid: NOBODY, gid: NOBODY, cwd: '/' },
    own: (file) => chownSync(file, NOBODY, NOBODY),
  }
}

/** True when any user may pass through every folder down to this one, which a home of mode 0700 forbids. */
export const isReachable = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) !== 0 && (folder === path.dirname(folder) || isReachable(path.dirname(folder)))
