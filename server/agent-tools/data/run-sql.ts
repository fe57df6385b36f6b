import pg from 'pg'
import { AppError } from '../../errors'
import type { Effect } from '../../tools/shape'
import { statementRefused, withOwnerDatabase } from './connection'
import { destroyConnection } from './open-database'
import type { TableCell } from './shape'

const MAX_RESULT_ROWS = 1_000
const MAX_RESULT_BYTES = 1024 * 1024

export type SqlResult = { columns: string[]; rows: TableCell[][]; affected: number | null; truncated: boolean }

type Statement = { sql: string; params: readonly (string | number | boolean | null)[]; mayWrite: boolean }

/**
 * Runs one statement on an owner's database. A statement that may not write runs in a read-only
 * transaction, which is rolled back; the extended protocol takes a single statement, so none can
 * follow that ends the transaction.
 * Throws `upstream_error` with PostgreSQL's message, and `invalid_request` when no database is
 * connected.
 */
export async function runSql(ownerId: number, statement: Statement, signal: AbortSignal): Promise<SqlResult> {
  return withOwnerDatabase(ownerId, signal, async (client) => {
    try {
      await client.query(statement.mayWrite ? 'BEGIN' : 'BEGIN READ ONLY')
      const result = await read(client, statement)
      // The end of the connection rolls a read back.
      if (statement.mayWrite) await client.query('COMMIT')
      return result
    } catch (error) {
      throw error instanceof AppError ? error : statementRefused(error)
    }
  })
}

/** Milliseconds for what is only counted: nobody else waits for its locks for long. */
const COUNT_MS = 4_000
const COUNT_LOCK_MS = 1_000

/**
 * How many rows a statement touches that changes rows and does nothing else, in a transaction that
 * is rolled back.
 */
export async function countAffected(
  ownerId: number,
  { sql, params }: Pick<Statement, 'sql' | 'params'>,
): Promise<Extract<Effect, { kind: 'statement' }>> {
  const count = (client: pg.Client) =>
    client
      .query(`BEGIN; SET LOCAL statement_timeout = ${COUNT_MS}; SET LOCAL lock_timeout = ${COUNT_LOCK_MS}`)
      .then(() => read(client, { sql, params, mayWrite: true }))
      .finally(() => client.query('ROLLBACK').catch(() => {}))
  try {
    const { affected } = await withOwnerDatabase(ownerId, AbortSignal.timeout(COUNT_MS * 3), count)
    return { kind: 'statement', affected, note: null }
  } catch (error) {
    return { kind: 'statement', affected: null, note: (error as Error).message.slice(0, 500) }
  }
}

/** Reads a result row by row, no further than what is returned. */
function read(client: pg.Client, { sql, params, mayWrite }: Statement): Promise<SqlResult> {
  return new Promise((resolve, reject) => {
    const config = { text: sql, values: [...params], rowMode: 'array', queryMode: 'extended' }
    const query = new pg.Query<unknown[]>(config as unknown as pg.QueryConfig)
    const rows: TableCell[][] = []
    let bytes = 0
    let truncated = false
    query.on('row', (row: unknown) => {
      if (truncated) return
      const cells = (row as unknown[]).map(cellOf)
      bytes += JSON.stringify(cells).length
      truncated = rows.length >= MAX_RESULT_ROWS || bytes > MAX_RESULT_BYTES
      if (!truncated) rows.push(cells)
      else if (!mayWrite) {
        // A read need not be finished.
        resolve({ columns: columnsOf(query), rows, affected: null, truncated })
        destroyConnection(client)
      }
    })
    query.on('error', reject)
    query.on('end', (result) => {
      const fields = result.fields ?? []
      const affected = mayWrite ? (result.rowCount ?? null) : null
      resolve({ columns: fields.map(({ name }) => name), rows, affected, truncated })
    })
    client.query(query)
  })
}

/** The columns of a result that is not complete yet, from the driver's internals. */
const columnsOf = (query: unknown): string[] =>
  ((query as { _result?: { fields?: { name: string }[] } })._result?.fields ?? []).map(({ name }) => name)

function cellOf(value: unknown): TableCell {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return JSON.stringify(value)
}
