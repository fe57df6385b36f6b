import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { dataPath } from '../kit/project'
import { writePrivateFile } from '../kit/settings'
import { isReachableByOthers, SYSTEM_FOLDER, type SystemUser } from './system-user'

/**
 * Everything of one embedded database: `data/` (PostgreSQL's own), its log, settings, lock and list
 * of users.
 */
export type DatabaseFolder = {
  data: string
  log: string
  lock: string
  usersFolder: string
  settingsFile: string
}

/** Where it listens, and the passwords of superuser, owner of all tables, and service. */
export type EmbeddedSettings = { port: number; password: string; ownerPassword: string; appPassword: string }

/**
 * The home of the database of that name in the data folder, or at an absolute path; made if need
 * be. Under a closed folder root keeps it outside, behind a link.
 */
export function openDatabaseFolder(name: string, user: SystemUser): DatabaseFolder {
  const named = dataPath(name)
  const folder = path.dirname(named)
  mkdirSync(folder, { recursive: true })
  const isClosed = user.isDropped && !isReachableByOthers(path.dirname(folder))
  user.letPass(folder)
  if (!lstatSync(named, { throwIfNoEntry: false })) {
    if (isClosed) linkOutside(named)
    else mkdirSync(named, { recursive: true })
  }
  const home = realpathSync(named)
  if (user.isDropped) user.letPass(home)
  else chmodSync(home, 0o700)
  mkdirSync(path.join(home, 'users'), { recursive: true })
  return {
    data: path.join(home, 'data'),
    log: path.join(home, 'postgres.log'),
    lock: path.join(home, 'lock'),
    usersFolder: path.join(home, 'users'),
    settingsFile: path.join(home, 'settings.json'),
  }
}

function linkOutside(named: string): void {
  mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o755 })
  symlinkSync(mkdtempSync(path.join(SYSTEM_FOLDER, `${path.basename(named)}-`)), named)
}

const makePassword = (): string => randomBytes(18).toString('base64url')

/**
 * The remembered settings; on the first run new passwords and no port yet. Older ones lack some of
 * the passwords.
 */
export function readEmbeddedSettings(home: DatabaseFolder): EmbeddedSettings {
  const made = { port: 0, password: makePassword(), ownerPassword: makePassword(), appPassword: makePassword() }
  try {
    return { ...made, ...(JSON.parse(readFileSync(home.settingsFile, 'utf8')) as Partial<EmbeddedSettings>) }
  } catch {
    return made
  }
}

export const writeEmbeddedSettings = (home: DatabaseFolder, settings: EmbeddedSettings): void =>
  writePrivateFile(home.settingsFile, JSON.stringify(settings))
