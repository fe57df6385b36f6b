import { gunzipSync } from 'node:zlib'
import type { Database, SqlValue, Statement } from 'sql.js'
import type { DatasetQueryTask, DatasetResult } from './dataset-tasks'
import type { TableCell } from './shape'

const SQLITE_TYPES = {
  integer: 'INTEGER',
  number: 'REAL',
  text: 'TEXT',
  boolean: 'INTEGER',
  json: 'TEXT',
  empty: 'TEXT',
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const bound = (cell: TableCell | undefined): SqlValue => (typeof cell === 'boolean' ? Number(cell) : (cell ?? null))

/** A value that JSON can hold: bytes become hexadecimal text. */
const jsonValue = (value: SqlValue): TableCell =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value

const refused = (message: string): DatasetResult => ({ kind: 'refused', path: 'sql', message })

/**
 * Loads an owner's tables into SQLite in WebAssembly, one at a time, and runs one read-only
 * statement.
 */
export async function runDatasetQuery(task: DatasetQueryTask): Promise<DatasetResult> {
  const { default: initSqlJs } = await import('sql.js')
  const { Database: Open } = await initSqlJs()
  const db = new Open()
  db.run(`PRAGMA hard_heap_limit = ${task.maxHeapBytes}; PRAGMA temp_store = MEMORY;`)
  try {
    db.run('BEGIN')
    for (const table of task.tables) load(db, table)
    db.run('COMMIT; PRAGMA query_only = ON; PRAGMA trusted_schema = OFF;')
    return read(db, task)
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error))
  }
}

function load(db: Database, { name, columns, packed }: DatasetQueryTask['tables'][number]): void {
  const rows = JSON.parse(gunzipSync(packed).toString('utf8')) as TableCell[][]
  db.run(`CREATE TABLE ${quoted(name)} (${columns.map((c) => `${quoted(c.name)} ${SQLITE_TYPES[c.type]}`).join(', ')})`)
  const insert = db.prepare(`INSERT INTO ${quoted(name)} VALUES (${columns.map(() => '?').join(', ')})`)
  for (const row of rows) insert.run(columns.map((_, i) => bound(row[i])))
  insert.free()
}

/** Errors of a running statement that quote no values. */
const PLAIN_ERROR =
  /^(out of memory|interrupted|integer overflow|string or blob too big|malformed JSON|attempt to write a readonly database|not authorized|too many .*)$/

/**
 * Takes the next row. An error that may quote a value is replaced: a run whose query failed has
 * read nothing.
 */
function steps(statement: Statement): boolean {
  try {
    return statement.step()
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    throw PLAIN_ERROR.test(message) ? error : new Error('the statement failed on a value: check its arguments')
  }
}

function read(db: Database, { sql, maxRows, maxBytes }: DatasetQueryTask): DatasetResult {
  const statement = db.prepare(sql)
  try {
    const columns = statement.getColumnNames()
    if (columns.length === 0) return refused('The statement returns no columns. Write one SELECT.')
    const rows: TableCell[][] = []
    let bytes = 0
    while (steps(statement)) {
      const row = statement.get().map(jsonValue)
      bytes += JSON.stringify(row).length
      if (rows.length >= maxRows || bytes > maxBytes) return { kind: 'rows', columns, rows, truncated: true }
      rows.push(row)
    }
    return { kind: 'rows', columns, rows, truncated: false }
  } finally {
    statement.free()
  }
}
