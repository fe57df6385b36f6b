import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { PROJECT_ROOT } from '../kit/project'
import { headCommit } from '../setup/build-record.mjs'
import { writeCompatibleFrom } from './compatibility'
import { dumpColumns, dumpConstraints } from './dump'
import { withShadowDatabase } from './engine'
import { ENGINE_FILTERS, migrationList, migrationNames } from './files'
import { loadStatements } from './load-statements'
import { QUEUE_VERSION } from './queue-state'
import { readPackage } from './version'

const RELEASE_FILE = path.join(PROJECT_ROOT, 'prisma', 'previous-release.json')

/** Texts of one family of statements that are kept. */
const MAX_TEXTS = 8

/**
 * What a release asks of the database: its processes go on running while the next release migrates
 * it.
 */
const ReleaseRecord = z.object({
  version: z.string(),
  /** The commit that it was cut from. */
  commit: z.string(),
  /** The newest migration that it knew. */
  migration: z.string(),
  /** The schema of the queue's package, which starts on no other. */
  queueSchema: z.number(),
  /**
   * Every statement in SQL, with the types of its parameters (null: they depend on the text) and
   * columns.
   */
  statements: z.array(
    z.object({
      name: z.string(),
      texts: z.array(z.string()),
      params: z.array(z.string()).nullable(),
      columns: z.record(z.string(), z.string()),
    }),
  ),
  /** Every column, because Prisma's client names all of those that it knows. */
  columns: z.array(
    z.object({
      table: z.string(),
      column: z.string(),
      type: z.string(),
      isRequired: z.boolean(),
      hasDefault: z.boolean(),
    }),
  ),
  /** What limited the rows that it wrote. */
  constraints: z.array(z.string()),
})
export type ReleaseRecord = z.infer<typeof ReleaseRecord>

/** What the previous release asks of the database. */
export const readReleaseRecord = (): ReleaseRecord =>
  ReleaseRecord.parse(JSON.parse(readFileSync(RELEASE_FILE, 'utf8')))

/** Some texts of a family, spread over all of them. */
const someOf = (texts: readonly string[]): string[] =>
  texts.filter((_, i) => i % Math.ceil(texts.length / MAX_TEXTS) === 0)

/**
 * Records what this release asks of the database, as the previous release of the next one, which
 * then lets it run on its schema. Returns the file's path.
 */
export async function writeReleaseRecord(): Promise<string> {
  const { version } = readPackage()
  const migration = migrationNames().at(-1)
  const statements = (await loadStatements()).map(({ name, texts, params, columns }) => ({
    name,
    texts: someOf(texts()),
    params: params && [...params],
    columns: Object.fromEntries(
      Object.entries(columns).map(([column, type]) => [column, typeof type === 'string' ? type : 'text']),
    ),
  }))
  const schema = await withShadowDatabase(async (engine, db) => {
    await engine.applyMigrations({ migrationsList: migrationList(), filters: ENGINE_FILTERS })
    return { columns: await dumpColumns(db), constraints: await dumpConstraints(db) }
  })
  if (migration) writeCompatibleFrom(migration)
  writeFileSync(
    RELEASE_FILE,
    `${JSON.stringify({ version, commit: headCommit(), migration, queueSchema: QUEUE_VERSION, statements, ...schema }, null, 1)}\n`,
  )
  return path.relative(PROJECT_ROOT, RELEASE_FILE)
}
