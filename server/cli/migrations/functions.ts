import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { CliError, PROJECT_ROOT } from '../kit/project'
import { type DumpedFunction, dumpFunctions, type ScriptRunner } from './dump'

export type FunctionFile = { path: string; sql: string }

/** The files that define SQL functions, one function each: `server/<module>/sql/<name>.sql`. */
function functionFiles(root = PROJECT_ROOT): FunctionFile[] {
  const files = readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join('server', name.replaceAll(path.sep, '/')))
    .filter((name) => /\/sql\/[\w.]+\.sql$/.test(name))
  return files.sort().map((name) => ({ path: name, sql: readFileSync(path.join(root, name), 'utf8') }))
}

/** What has to change before a database's functions are as the files define them. */
export type FunctionChanges = {
  /**
   * Files whose function is new or different, in the order in which a migration can create them.
   */
  changed: FunctionFile[]
  /** Signatures that no file defines. */
  dropped: string[]
}

/** Compares the functions of a database with the files. Leaves the database as it was. */
export async function compareFunctions(db: ScriptRunner, files = functionFiles()): Promise<FunctionChanges> {
  const before = await dumpFunctions(db)
  const defined = new Set<string>()
  const changed: (FunctionFile & { language: string })[] = []
  await db.exec('BEGIN; SET LOCAL check_function_bodies = off')
  try {
    // In an empty database each file adds exactly what it defines.
    for (const signature of before.keys()) await db.exec(`DROP FUNCTION ${signature} CASCADE`)
    for (const file of files) {
      const { signature, ddl, language } = await defineFunction(db, file, defined)
      defined.add(signature)
      if (before.get(signature)?.ddl !== ddl) changed.push({ ...file, language })
    }
  } finally {
    await db.exec('ROLLBACK')
  }
  // PostgreSQL looks up what a function in SQL calls when it is created, and in PL/pgSQL when it
  // runs.
  changed.sort((a, b) => Number(a.language === 'sql') - Number(b.language === 'sql'))
  return {
    changed: changed.map(({ path, sql }) => ({ path, sql })),
    dropped: [...before.keys()].filter((signature) => !defined.has(signature)),
  }
}

/**
 * Runs one file and returns the function that it defined. Throws a CliError unless it is one, named
 * as the file.
 */
async function defineFunction(
  db: ScriptRunner,
  file: FunctionFile,
  known: ReadonlySet<string>,
): Promise<DumpedFunction> {
  if (!/^CREATE OR REPLACE FUNCTION /m.test(file.sql)) {
    throw new CliError(`${file.path}: write CREATE OR REPLACE FUNCTION, so that it can be applied again`)
  }
  await db.exec(file.sql)
  const added = [...(await dumpFunctions(db)).values()].filter(({ signature }) => !known.has(signature))
  const [one] = added
  const name = path.basename(file.path).split('.')[0]
  if (!one || added.length > 1 || one.signature.split('(')[0] !== name) {
    throw new CliError(`${file.path} must define one function, named ${name}`)
  }
  return one
}

/** The SQL of a migration that makes the changes; empty when there are none. */
export const functionSql = ({ changed, dropped }: FunctionChanges): string =>
  [...changed.map(({ sql }) => sql.trim()), ...dropped.map((signature) => `DROP FUNCTION ${signature};`)].join('\n\n')
