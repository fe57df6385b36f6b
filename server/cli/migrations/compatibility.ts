import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { migrationFolder } from './files'

/** Beside the migrations, because every installation has those. */
const fileIn = (folder: string): string => path.join(folder, 'compatible-from')

type Db = Pick<pg.ClientBase, 'query'>

/**
 * The migration that a release must know to run on the schema of this one: the last of the release
 * before, which serves until it is replaced and serves again after a roll-back. Null for a folder
 * that is only a part of the migrations.
 */
export const compatibleFrom = (folder = migrationFolder()): string | null =>
  existsSync(fileIn(folder)) ? readFileSync(fileIn(folder), 'utf8').trim() : null

/** Says so for the release that comes next. */
export const writeCompatibleFrom = (migration: string): void =>
  writeFileSync(fileIn(migrationFolder()), `${migration}\n`)

/** The same of the newest release that has migrated a database; null where none has said it. */
export async function readCompatibleFrom(db: Db): Promise<string | null> {
  if (!(await hasTable(db))) return null
  const { rows } = await db.query<{ from: string }>('SELECT compatible_from AS "from" FROM schema_compatibility')
  return rows[0]?.from ?? null
}

/** Writes down for older releases what this one says. One that was rolled back changes nothing. */
export async function recordCompatibleFrom(db: Db, folder?: string): Promise<void> {
  const from = compatibleFrom(folder)
  if (from === null || !(await hasTable(db))) return
  await db.query(
    `INSERT INTO schema_compatibility (id, compatible_from) VALUES (1, $1)
     ON CONFLICT (id) DO UPDATE SET compatible_from = excluded.compatible_from
     WHERE schema_compatibility.compatible_from < excluded.compatible_from`,
    [from],
  )
}

async function hasTable(db: Db): Promise<boolean> {
  const { rows } = await db.query(`SELECT to_regclass('public.schema_compatibility') IS NOT NULL AS "isThere"`)
  return rows[0].isThere
}
