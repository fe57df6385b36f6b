import type { Env } from '../../env'
import { openFileStore } from '../../files/store'
import { withCleanup } from '../kit/cleanups'
import { CliError, writeProblem } from '../kit/project'
import { readPackage } from '../migrations/version'
import { backUpFiles } from './hosted-files'
import { type BackupTable, type Manifest, writeManifest } from './manifest'
import type { BackupPlace } from './place'
import { type Progress, readableBytes } from './progress'
import { fingerprintsOf, writeSecrets } from './secrets'
import { type Snapshot, withSnapshot } from './snapshot'
import { writeCompressed } from './write-part'

export type BackupOptions = {
  to: BackupPlace
  withFiles: boolean
  withSecrets: boolean
  progress: Progress
}

type BackupEnv = Pick<Env, 'DATABASE_URL' | 'STORAGE_URL' | 'ENCRYPTION_KEY' | 'AUTH_SECRET'>

/**
 * Writes a backup into a new place: the database at one moment, and the files that it refers to. It
 * is a backup only once it is complete. Throws a CliError when it cannot be written.
 */
export async function writeBackup(env: BackupEnv, options: BackupOptions): Promise<Omit<Manifest, 'format'>> {
  const { to, withSecrets } = options
  try {
    const draft = await to.begin()
    let isComplete = false
    const write = async () => {
      const { place } = draft
      const manifest = await withSnapshot(env.DATABASE_URL, (snapshot) =>
        copySnapshot(snapshot, env, { ...options, place }),
      )
      if (withSecrets) await writeSecrets(place, env)
      await writeManifest(place, manifest)
      draft.complete()
      isComplete = true
      return manifest
    }
    return await withCleanup(write, async () => {
      // What cannot be deleted now is deleted with older backups; without a manifest it is invalid.
      if (!isComplete) await draft.discard().catch(() => {})
    })
  } catch (error) {
    throw describeWriteError(error, to)
  }
}

async function copySnapshot(
  snapshot: Snapshot,
  env: BackupEnv,
  { place, withFiles, progress }: BackupOptions & { place: BackupPlace },
): Promise<Omit<Manifest, 'format'>> {
  const createdAt = new Date().toISOString()
  const tables: BackupTable[] = []
  for (const table of snapshot.tables) {
    const source = await snapshot.read(table)
    let written = 0
    const onBytes = (bytes: number) => {
      written += bytes
      progress(`  ${table.name}: ${readableBytes(written)} written`)
    }
    const part = await writeCompressed(place, `tables/${table.name}.copy.gz`, { source, onBytes })
    tables.push({ ...table, ...part, rows: source.rowCount })
  }
  const store = openFileStore(env.STORAGE_URL)
  const files = withFiles ? await backUpFiles(snapshot, store, { place, progress }) : null
  const { postgres, migrations, sequences } = snapshot
  const secrets = fingerprintsOf(env)
  return { version: readPackage().version, createdAt, postgres, migrations, tables, sequences, files, secrets }
}

/** An error of writing as a line for the operator. */
function describeWriteError(error: unknown, to: BackupPlace): unknown {
  const reason = writeProblem(error)
  return reason ? new CliError(`The backup was not written to ${to.label}: ${reason}. Nothing is left of it.`) : error
}
