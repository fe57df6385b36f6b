import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { MigrationList, SchemaContainer } from '@prisma/schema-engine-wasm'
import { PROJECT_ROOT } from '../kit/project'

const FOLDER = path.join(PROJECT_ROOT, 'prisma', 'migrations')
const LOCKFILE = path.join(FOLDER, 'migration_lock.toml')
const SCHEMA = path.join(PROJECT_ROOT, 'prisma', 'schema.prisma')

/** The committed dump of the whole schema. */
export const DUMP_FILE = path.join(PROJECT_ROOT, 'prisma', 'schema.sql')

/** Writes the dump and returns its path below the project. */
export function writeDump(dump: string): string {
  writeFileSync(DUMP_FILE, dump)
  return path.relative(PROJECT_ROOT, DUMP_FILE)
}

/** Tables and enums that migrations leave alone. */
export const ENGINE_FILTERS = { externalTables: [], externalEnums: [] }

/** The folder of the migrations. */
export const migrationFolder = (): string => FOLDER

/** The names of the migrations on disk, oldest first. */
export function migrationNames(folder = FOLDER): string[] {
  if (!existsSync(folder)) return []
  const found = readdirSync(folder, { withFileTypes: true })
  return found.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()
}

/** A migration's SQL. */
export const readMigration = (name: string, folder = FOLDER): string =>
  readFileSync(path.join(folder, name, 'migration.sql'), 'utf8')

/** The migrations as the engine wants them. */
export function migrationList(folder = FOLDER): MigrationList {
  const lockfile = path.join(folder, 'migration_lock.toml')
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: existsSync(lockfile) ? readFileSync(lockfile, 'utf8') : null },
    shadowDbInitScript: '',
    migrationDirectories: migrationNames(folder).map((name) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: readMigration(name, folder) } },
    })),
  }
}

export const schemaFile = (): SchemaContainer => ({ path: SCHEMA, content: readFileSync(SCHEMA, 'utf8') })

/** Writes a new migration and returns its path below the project. */
export function writeMigration(name: string, sql: string, now = new Date()): string {
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = path.join(FOLDER, `${stamp}_${name}`)
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'migration.sql')
  writeFileSync(file, sql)
  if (!existsSync(LOCKFILE)) writeFileSync(LOCKFILE, 'provider = "postgresql"\n')
  return path.relative(PROJECT_ROOT, file)
}

/** Removes a migration that was just written, by its path below the project. */
export const removeMigration = (file: string): void =>
  rmSync(path.dirname(path.join(PROJECT_ROOT, file)), { recursive: true })
