import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { dataPath } from '../project'
import { writePrivate } from '../settings'
import { isReachable, SYSTEM_FOLDER, type User } from './user'

/** Everything of one embedded database: `data/` (PostgreSQL's own), its log, settings, lock and list of users. */
export type Home = {
  data: string
  log: string
  lock: string
  usersFolder: string
  settingsFile: string
}

/** Where it listens and what its password is. */
export type Settings = { port: number; password: string }

/** The home of the database `.data/<name>`, made if need be. Under a closed folder root keeps it outside, behind a link. */
export function openHome(name: string, user: User): Home {
  const named = dataPath(name)
  if (!lstatSync(named, { throwIfNoEntry: false })) {
    if (user.isDropped && !isReachable(path.dirname(named))) linkOutside(named)
    else mkdirSync(named, { recursive: true })
  }
  const home = realpathSync(named)
  chmodSync(home, user.isDropped ? 0o711 : 0o700)
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

/** The remembered settings; on the first run a new password and no port yet. */
export function readSettings(home: Home): Settings {
  try {
    return JSON.parse(readFileSync(home.settingsFile, 'utf8')) as Settings
  } catch {
    return { port: 0, password: randomBytes(18).toString('base64url') }
  }
}

export const writeSettings = (home: Home, settings: Settings): void =>
  writePrivate(home.settingsFile, JSON.stringify(settings))
