import { existsSync, readFileSync } from 'node:fs'
import { dumpSchema } from './dump'
import { withShadowDatabase } from './engine'
import { DUMP_FILE, ENGINE_FILTERS, migrationList, schemaFile } from './files'
import { compareFunctions, type FunctionChanges } from './functions'

/** How the migrations differ from what they should create. */
export type SchemaDiff = {
  /** The SQL that leads from the migrations to schema.prisma; null when they agree. */
  tables: string | null
  functions: FunctionChanges
  /** The schema that the migrations create, as prisma/schema.sql has it. */
  dump: string
  /** Lines that prisma/schema.sql has and the dump lacks (-), and the other way round (+). */
  lines: string[]
}

/**
 * Applies the migrations to a throwaway database and compares what they create: tables with
 * schema.prisma, functions with their files, everything with prisma/schema.sql.
 */
export async function schemaDiff(migrations = migrationList()): Promise<SchemaDiff> {
  const files = [schemaFile()]
  return withShadowDatabase(async (engine, db) => {
    await engine.applyMigrations({ migrationsList: migrations, filters: ENGINE_FILTERS })
    const dump = await dumpSchema(db)
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '.' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: ENGINE_FILTERS,
    })
    return {
      tables: exitCode === 0 ? null : stdout,
      functions: await compareFunctions(db),
      dump,
      lines: changedLines(existsSync(DUMP_FILE) ? readFileSync(DUMP_FILE, 'utf8') : '', dump),
    }
  })
}

/** Lines that only one of two dumps has. */
export function changedLines(committed: string, actual: string): string[] {
  if (committed === actual) return []
  const [old, now] = [committed.split('\n'), actual.split('\n')]
  const [inOld, inNow] = [new Set(old), new Set(now)]
  const lines = [
    ...old.filter((line) => !inNow.has(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !inOld.has(line)).map((line) => `+ ${line}`),
  ]
  return lines.length > 0 ? lines : ['(the same lines in another order)']
}

/** What differs, a line each, for the developer who has to fix it; empty when all agree. */
export function describeSchemaDiff({ tables, functions, lines }: SchemaDiff): string[] {
  return [
    ...(tables === null ? [] : ['schema.prisma has what no migration creates:', tables.trim()]),
    ...functions.changed.map(({ path }) => `${path} differs from the function that the migrations create`),
    ...functions.dropped.map((signature) => `${signature} is created by the migrations, but no file defines it`),
    ...(lines.length === 0 ? [] : ['prisma/schema.sql (-) differs from what the migrations create (+):', ...lines]),
  ]
}
