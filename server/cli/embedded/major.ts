import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { CliError } from '../kit/project'
import { shippedVersion } from './binaries'
import type { DatabaseFolder } from './folder'

const majorOf = (version: string): number => Number.parseInt(version, 10)

/** The major version of the PostgreSQL that comes with this installation. */
export const shippedMajor = (): number => majorOf(shippedVersion())

/** The major version that made a data folder; null for a folder that is not made yet. */
export function folderMajor({ data }: Pick<DatabaseFolder, 'data'>): number | null {
  const file = path.join(data, 'PG_VERSION')
  return existsSync(file) ? majorOf(readFileSync(file, 'utf8')) : null
}

/**
 * Throws a CliError where another major version made the data folder, which this one cannot open.
 */
export function requireSameMajor(home: DatabaseFolder): void {
  const made = folderMajor(home)
  const shipped = shippedMajor()
  if (made === null || made === shipped) return
  throw new CliError(
    made < shipped
      ? `The embedded database was made by PostgreSQL ${made}, and this version of Tollgate brings ${shipped}. Stop everything and run npm run admin -- database upgrade: it converts the data and keeps the old folder.`
      : `The embedded database was made by PostgreSQL ${made}, and this version of Tollgate brings ${shipped}. Run the version of Tollgate that made it, or a newer one.`,
  )
}
