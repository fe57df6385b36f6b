import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Env } from '../../env'
import { openFileStore } from '../../files/store'
import { CliError } from '../kit/project'
import { withCopyConnection } from './connection'
import { fillDatabase } from './fill-database'
import { checkFiles, restoreFiles } from './hosted-files'
import type { CopySource } from './load'
import { type CopyTable, type Manifest, readManifest } from './manifest'
import type { BackupPlace } from './place'
import type { Progress } from './progress'
import { requireSecrets } from './secrets'
import { requireFreeTarget, requireKnownMigrations } from './target'
import { checkPart } from './write-part'

export type RestoreOptions = {
  from: BackupPlace
  withFiles: boolean
  /** Deletes what is in the database. */
  replace: boolean
  /** Goes on although the secrets are not those of the backup. */
  hasOtherSecrets: boolean
  progress: Progress
}

export type RestoreEnv = Pick<Env, 'DATABASE_URL' | 'STORAGE_URL' | 'ENCRYPTION_KEY' | 'AUTH_SECRET'>

type CheckedBackup = { manifest: Manifest; files: Manifest['files'] }

/** Throws a CliError unless all of a backup is as it was written, and can be used here. */
export async function checkBackup(
  env: RestoreEnv,
  { from, withFiles, hasOtherSecrets, progress }: Omit<RestoreOptions, 'replace'>,
): Promise<CheckedBackup> {
  const manifest = await readManifest(from)
  requireKnownMigrations(manifest.migrations)
  if (!hasOtherSecrets) requireSecrets(manifest.secrets, env)
  for (const part of manifest.tables) {
    progress(`  checking ${part.file}`)
    await checkPart(from, part)
  }
  const files = withFiles ? manifest.files : null
  await checkFiles(from, files, progress)
  return { manifest, files }
}

/**
 * Restores a backup into the database and the file storage. Everything is checked before anything
 * is written. Returns what the backup holds and the number of rows.
 */
export async function restoreBackup(env: RestoreEnv, options: RestoreOptions): Promise<Manifest & { rows: number }> {
  const { from, replace, progress } = options
  const { manifest, files } = await checkBackup(env, options)
  await withCopyConnection(env.DATABASE_URL, (db) => requireFreeTarget(db, { replace }))
  // Bytes before the rows that refer to them, as everywhere.
  await restoreFiles(openFileStore(env.STORAGE_URL), files, { place: from, progress })
  const rows = await fillDatabase(env.DATABASE_URL, sourceOf(from, manifest), { replace, progress })
  return { ...manifest, rows }
}

/** A backup as what a database is filled from. */
export function sourceOf(place: BackupPlace, { migrations, tables, sequences }: Manifest): CopySource {
  const partOf = new Map(tables.map((table) => [table.name, table]))
  const read = async ({ name }: CopyTable) => {
    const rows = new PassThrough()
    const file = partOf.get(name)?.file ?? ''
    const stored = await place.read(file)
    if (stored === null) throw new CliError(`${file} is missing`)
    // A failure destroys `rows`, where it is seen.
    pipeline(stored, createGunzip(), rows).catch(() => {})
    return rows
  }
  return { migrations, tables, sequences, read, rowsOf: ({ name }) => partOf.get(name)?.rows ?? 0 }
}
