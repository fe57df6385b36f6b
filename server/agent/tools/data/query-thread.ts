// The thread in which one query runs. It is started from this very file, so it imports packages and types alone.
import { parentPort, workerData } from 'node:worker_threads'
import initSqlJs, { type Database, type SqlValue } from 'sql.js'
import type { QueryAnswer, QueryJob } from './query'
import type { Cell } from './shape'

const { tables, sql, maxRows, maxBytes, maxHeapBytes } = workerData as QueryJob

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const TYPES = { integer: 'INTEGER', number: 'REAL', text: 'TEXT', boolean: 'INTEGER', json: 'TEXT', empty: 'TEXT' }

const bound = (cell: Cell | undefined): SqlValue => (typeof cell === 'boolean' ? Number(cell) : (cell ?? null))

function load(db: Database): void {
  for (const { name, columns, rows } of tables) {
    db.run(`CREATE TABLE ${quoted(name)} (${columns.map((c) => `${quoted(c.name)} ${TYPES[c.type]}`).join(', ')})`)
    const insert = db.prepare(`INSERT INTO ${quoted(name)} VALUES (${columns.map(() => '?').join(', ')})`)
    for (const row of rows) insert.run(columns.map((_, i) => bound(row[i])))
    insert.free()
  }
}

/** Whole numbers beyond what JSON can hold, and bytes, are told as texts. */
const told = (value: SqlValue): Cell => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)

function read(db: Database): QueryAnswer {
  const statement = db.prepare(sql)
  try {
    const columns = statement.getColumnNames()
    if (columns.length === 0) return { kind: 'refused', message: 'The statement answers nothing. Write one SELECT.' }
    const rows: Cell[][] = []
    let bytes = 0
    while (statement.step()) {
      const row = statement.get().map(told)
      bytes += JSON.stringify(row).length
      if (rows.length >= maxRows || bytes > maxBytes) return { kind: 'rows', columns, rows, truncated: true }
      rows.push(row)
    }
    return { kind: 'rows', columns, rows, truncated: false }
  } finally {
    statement.free()
  }
}

async function answer(): Promise<QueryAnswer> {
  const { Database: Open } = await initSqlJs()
  const db = new Open()
  db.run(`PRAGMA hard_heap_limit = ${maxHeapBytes}; PRAGMA temp_store = MEMORY;`)
  db.run('BEGIN')
  load(db)
  db.run('COMMIT; PRAGMA query_only = ON; PRAGMA trusted_schema = OFF;')
  try {
    return read(db)
  } catch (error) {
    return { kind: 'refused', message: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.postMessage(await answer())
