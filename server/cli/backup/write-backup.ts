import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Env } from '../../env'
import { openFileStore } from '../../files/store'
import { makeFolder } from '../../kit/make-folder'
import { CliError, writeProblem } from '../project'
import { readPackage } from '../version'
import { backUpFiles } from './hosted-files'
import { type BackupTable, type Manifest, writeManifest } from './manifest'
import { type Progress, readableBytes } from './progress'
import { fingerprintsOf, writeSecrets } from './secrets'
import { type Snapshot, withSnapshot } from './snapshot'
import { writeCompressed } from './write-part'

export type BackupOptions = {
  to: string
  withFiles: boolean
  withSecrets: boolean
  progress: Progress
}

type BackupEnv = Pick<Env, 'DATABASE_URL' | 'STORAGE_URL' | 'ENCRYPTION_KEY' | 'AUTH_SECRET'>

/**
 * Writes a backup into a new folder: the database at one moment, and the files that it refers to.
 * The folder has its name only once it is complete. Throws a CliError when it cannot be written.
 */
export async function writeBackup(env: BackupEnv, options: BackupOptions): Promise<Omit<Manifest, 'format'>> {
  const { to, withSecrets } = options
  const draft = makeDraft(to)
  try {
    const manifest = await withSnapshot(env.DATABASE_URL, (snapshot) =>
      copySnapshot(snapshot, env, { ...options, draft }),
    )
    if (withSecrets) writeSecrets(draft, env)
    writeManifest(draft, manifest)
    renameSync(draft, to)
    return manifest
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw describeWriteError(error, to)
  }
}

function makeDraft(to: string): string {
  if (existsSync(to) && readdirSync(to).length > 0) throw new CliError(`${to} is not empty: name a new folder.`)
  const draft = `${to}.partial`
  if (existsSync(draft))
    throw new CliError(
      `${draft} exists: another backup is writing it, or one was killed. If none runs, delete that folder.`,
    )
  try {
    makeFolder(path.join(draft, 'tables'), 0o700)
  } catch (error) {
    throw describeWriteError(error, to)
  }
  return draft
}

async function copySnapshot(
  snapshot: Snapshot,
  env: BackupEnv,
  { draft, withFiles, progress }: BackupOptions & { draft: string },
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
    const part = await writeCompressed(draft, path.posix.join('tables', `${table.name}.copy.gz`), { source, onBytes })
    tables.push({ ...table, ...part, rows: source.rowCount })
  }
  const store = openFileStore(env.STORAGE_URL)
  const files = withFiles ? await backUpFiles(snapshot, store, { folder: draft, progress }) : null
  const { postgres, migrations, sequences } = snapshot
  const secrets = fingerprintsOf(env)
  return { version: readPackage().version, createdAt, postgres, migrations, tables, sequences, files, secrets }
}

/** An error of writing as a line for the operator; nothing of the backup is left then. */
function describeWriteError(error: unknown, to: string): unknown {
  const reason = writeProblem(error)
  return reason ? new CliError(`The backup was not written to ${to}: ${reason}. Nothing is left of it.`) : error
}
