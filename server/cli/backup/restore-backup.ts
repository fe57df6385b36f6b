import { createReadStream } from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Env } from '../../env'
import { openFileStore } from '../../files/store'
import { withCopyConnection } from './connection'
import { fillDatabase } from './fill-database'
import { checkFiles, restoreFiles } from './hosted-files'
import type { CopySource } from './load'
import { type CopyTable, type Manifest, readManifest } from './manifest'
import type { Progress } from './progress'
import { requireSecrets } from './secrets'
import { requireFreeTarget, requireKnownMigrations } from './target'
import { checkPart } from './write-part'

export type RestoreOptions = {
  from: string
  withFiles: boolean
  /** Deletes what is in the database. */
  replace: boolean
  /** Goes on although the secrets are not those of the backup. */
  hasOtherSecrets: boolean
  progress: Progress
}

type RestoreEnv = Pick<Env, 'DATABASE_URL' | 'STORAGE_URL' | 'ENCRYPTION_KEY' | 'AUTH_SECRET'>

/**
 * Restores a backup into the database and the file storage. Everything is checked before anything
 * is written. Returns what the backup holds and the number of rows.
 */
export async function restoreBackup(env: RestoreEnv, options: RestoreOptions): Promise<Manifest & { rows: number }> {
  const { from, withFiles, replace, progress } = options
  const manifest = readManifest(from)
  requireKnownMigrations(manifest.migrations)
  if (!options.hasOtherSecrets) requireSecrets(manifest.secrets, env)
  for (const part of manifest.tables) {
    progress(`  checking ${part.file}`)
    await checkPart(from, part)
  }
  const files = withFiles ? manifest.files : null
  await checkFiles(from, files, progress)
  await withCopyConnection(env.DATABASE_URL, (db) => requireFreeTarget(db, { replace }))
  // Bytes before the rows that refer to them, as everywhere.
  await restoreFiles(openFileStore(env.STORAGE_URL), files, { folder: from, progress })
  const rows = await fillDatabase(env.DATABASE_URL, sourceOf(from, manifest), { replace, progress })
  return { ...manifest, rows }
}

/** A backup as what a database is filled from. */
export function sourceOf(folder: string, { migrations, tables, sequences }: Manifest): CopySource {
  const partOf = new Map(tables.map((table) => [table.name, table]))
  const read = ({ name }: CopyTable) => {
    const rows = new PassThrough()
    const file = path.join(folder, partOf.get(name)?.file ?? '')
    // A failure destroys `rows`, where it is seen.
    pipeline(createReadStream(file), createGunzip(), rows).catch(() => {})
    return rows
  }
  return { migrations, tables, sequences, read, rowsOf: ({ name }) => partOf.get(name)?.rows ?? 0 }
}
