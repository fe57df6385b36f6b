import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import * as wasm from '@prisma/schema-engine-wasm/schema_engine_bg'
import pg from 'pg'
import { databaseFault } from '../../kit/pg-errors'
import { MigrationError } from './database-error'
import type { ScriptRunner } from './dump'
import { schemaFile } from './files'

type Factory = SqlMigrationAwareDriverAdapterFactory

/** Prisma's schema engine as WebAssembly, on our connection: nothing native, nothing downloaded. */
async function openEngine(factory: Factory): Promise<SchemaEngine> {
  const engine = await loadEngine()
  const { path: name, content } = schemaFile()
  return engine.new({ datamodels: [[name, content]] }, () => {}, bindMigrationAwareSqlAdapterFactory(factory))
}

/** The package's class, which lives as long as the instance of its module. */
const packageClass: typeof SchemaEngine & { loading?: Promise<void> } = wasm.SchemaEngine

/**
 * The package's class, with its module instantiated by hand: its own loader imports the `.wasm`
 * file, which Node does not. Once for the package, also where this file is loaded anew: it would
 * free objects of an earlier instance in the memory of the last, which then hangs.
 */
async function loadEngine(): Promise<typeof SchemaEngine> {
  packageClass.loading ??= instantiateEngine()
  await packageClass.loading
  return packageClass
}

async function instantiateEngine(): Promise<void> {
  const script = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const bytes = readFileSync(path.join(path.dirname(script), 'schema_engine_bg.wasm'))
  const imports = { './schema_engine_bg.js': wasm as unknown as WebAssembly.ModuleImports }
  const { instance } = await WebAssembly.instantiate(bytes, imports)
  wasm.__wbg_set_wasm(instance.exports)
  const start = instance.exports.__wbindgen_start
  if (typeof start === 'function') start()
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: () => {} } })
}

const MAX_ATTEMPTS = 20

/**
 * Runs a migration as one query. Calls that go on meanwhile may wait for its locks while it waits
 * for theirs: PostgreSQL then ends one of both and undoes it whole, and it is run again.
 */
async function runWhole(pool: pg.Pool, sql: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await pool.query(sql)
      return
    } catch (error) {
      // An index that was being made CONCURRENTLY is left behind, unusable.
      const isUndone = databaseFault(error) === 'conflict' && !/\bCONCURRENTLY\b/i.test(sql)
      if (!isUndone || attempt >= MAX_ATTEMPTS) throw error
      await sleep(200 * Math.random())
    }
  }
}

/**
 * Lends an engine on a real server. One connection, because the engine's advisory lock belongs to a
 * session; and a script goes as one query, because the stock adapter splits it at every `;`, also
 * within functions.
 */
export async function withServerEngine<T>(url: string, work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    application_name: 'tollgate migrate',
  })
  pool.on('error', () => {})
  let refusal: Error | undefined
  const factory = withWholeScripts(new PrismaPg(pool), async (sql) => {
    await runWhole(pool, sql).catch((error: Error) => {
      refusal = error
      throw error
    })
  })
  try {
    return await work(await openEngine(factory))
  } catch (error) {
    throw refusal ? new MigrationError(refusal, error) : error
  } finally {
    await pool.end()
  }
}

/**
 * Lends an engine on a throwaway PostgreSQL inside this process, and that database itself, to see
 * what the migrations create. Development only.
 */
export async function withShadowDatabase<T>(work: (engine: SchemaEngine, db: ScriptRunner) => Promise<T>): Promise<T> {
  const [{ PrismaPGlite }, { PGlite }] = await Promise.all([
    import('pglite-prisma-adapter'),
    import('@electric-sql/pglite'),
  ])
  const open = () => {
    const database = new PGlite()
    const db: ScriptRunner = { query: (sql) => database.query(sql), exec: (sql) => database.exec(sql) }
    const stock = new PrismaPGlite(database) as unknown as Factory
    // The stock adapter does not await its script, so its errors would be lost.
    return { db, factory: withWholeScripts(stock, async (sql) => void (await db.exec(sql))) }
  }
  const { db, factory } = open()
  const connectToShadowDb = () => open().factory.connect()
  return work(await openEngine(Object.assign(factory, { connectToShadowDb })), db)
}

type RunScript = (sql: string) => Promise<void>

function withWholeScripts(factory: Factory, run: RunScript): Factory {
  const connect = factory.connect.bind(factory)
  return Object.assign(factory, {
    connect: async () => {
      const connection = await connect()
      const { onError } = connection as unknown as { onError: (error: unknown) => never }
      const executeScript = (sql: string) => run(sql).catch((error) => onError.call(connection, error))
      return Object.assign(connection, { executeScript })
    },
  })
}
