import pg from 'pg'
import { AppError } from '../../errors'
import { statementRefused, withOwnerDatabase } from './connection'
import { destroyConnection } from './open-database'
import type { TableCell } from './shape'

export const MAX_RESULT_ROWS = 1_000
const MOST_RESULT_BYTES = 1024 * 1024

export type SqlResult = { columns: string[]; rows: TableCell[][]; affected: number | null; truncated: boolean }

type Statement = { sql: string; params: readonly (string | number | boolean | null)[]; mayWrite: boolean }

/**
 * Runs one statement on an owner's database. One that may not write runs in a read-only transaction that is rolled
 * back; the extended protocol takes one statement only, so none can follow it out of there.
 * Throws `upstream_error` with PostgreSQL's own words, `invalid_request` when no database is connected.
 */
export async function runSql(ownerId: number, statement: Statement, signal: AbortSignal): Promise<SqlResult> {
  return withOwnerDatabase(ownerId, signal, async (client) => {
    try {
      await client.query(statement.mayWrite ? 'BEGIN' : 'BEGIN READ ONLY')
      const result = await read(client, statement)
      // A read is rolled back by the end of its connection.
      if (statement.mayWrite) await client.query('COMMIT')
      return result
    } catch (error) {
      throw error instanceof AppError ? error : statementRefused(error)
    }
  })
}

/** Reads an answer row by row, and no further than what is shown. */
function read(client: pg.Client, { sql, params, mayWrite }: Statement): Promise<SqlResult> {
  return new Promise((resolve, reject) => {
    const config = { text: sql, values: [...params], rowMode: 'array', queryMode: 'extended' }
    const query = new pg.Query<unknown[]>(config as unknown as pg.QueryConfig)
    const rows: TableCell[][] = []
    let bytes = 0
    let truncated = false
    query.on('row', (row: unknown) => {
      if (truncated) return
      const told = (row as unknown[]).map(cellOf)
      bytes += JSON.stringify(told).length
      truncated = rows.length >= MAX_RESULT_ROWS || bytes > MOST_RESULT_BYTES
      if (!truncated) rows.push(told)
      else if (!mayWrite) {
        // What is only read need not be read to its end.
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

/** The columns of an answer that is still under way, as the driver has them. */
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
