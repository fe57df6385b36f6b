import { gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { AppError, invalidRequest } from '../../errors'
import { sanitizeTextForPostgres } from '../../kit/sanitize-for-postgres'
import type { PackedTable } from './dataset-tasks'
import { MAX_COLUMN_NAME_CHARS, MAX_DATASET_BYTES, MAX_DATASET_COLUMNS, MAX_DATASET_ROWS } from './limits'
import type { Column, DatasetColumnType, DatasetTable, TableCell } from './shape'

function cellOf(value: unknown): TableCell {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return sanitizeTextForPostgres(value)
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return sanitizeTextForPostgres(JSON.stringify(value))
}

function typeOf(value: unknown): DatasetColumnType {
  if (value === undefined || value === null) return 'empty'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'json'
}

/**
 * The type of a column with values of both types: text, or a number for integers among other
 * numbers.
 */
function mergeColumnTypes(a: DatasetColumnType, b: DatasetColumnType): DatasetColumnType {
  if (a === b || b === 'empty') return a
  if (a === 'empty') return b
  const both = new Set([a, b])
  return both.has('integer') && both.has('number') ? 'number' : 'text'
}

const invalidRows = (message: string) => invalidRequest([{ path: ['rows'], message }])

/**
 * Objects as a table whose columns are their keys in order of appearance. Throws `invalid_request`.
 */
export function tableFromRows(given: readonly Record<string, unknown>[]): DatasetTable {
  const types = new Map<string, DatasetColumnType>()
  for (const row of given) {
    for (const [name, value] of Object.entries(row))
      types.set(name, mergeColumnTypes(types.get(name) ?? 'empty', typeOf(value)))
  }
  const columns = [...types].map(([name, type]): Column => ({ name, type }))
  return validateTable({ columns, rows: given.map((row) => columns.map(({ name }) => cellOf(row[name]))) })
}

/**
 * CSV with a header line as a table; numbers and booleans are recognized. Throws `invalid_request`.
 */
export function tableFromCsv(text: string): DatasetTable {
  try {
    const rows = parse(text, { bom: true, columns: true, skip_empty_lines: true, relax_column_count: false }) as Record<
      string,
      string
    >[]
    return tableFromRows(
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, readCell(cell)]))),
    )
  } catch (error) {
    if (error instanceof AppError) throw error
    throw invalidRequest([{ path: ['csv'], message: `is not CSV with a header line: ${(error as Error).message}` }])
  }
}

function readCell(text: string): TableCell {
  if (text === '') return null
  if (text === 'true' || text === 'false') return text === 'true'
  // A leading zero or plus sign means text, such as a code or a telephone number.
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,12})?$/.test(text) ? Number(text) : text
}

/**
 * The same table, if it is within the limits and its column names are distinct. Throws
 * `invalid_request`.
 */
function validateTable(table: DatasetTable): DatasetTable {
  const { columns, rows } = table
  if (rows.length > MAX_DATASET_ROWS) throw invalidRows(`has ${rows.length} rows; the maximum is ${MAX_DATASET_ROWS}`)
  if (columns.length > MAX_DATASET_COLUMNS)
    throw invalidRows(`has ${columns.length} columns; the maximum is ${MAX_DATASET_COLUMNS}`)
  if (columns.length === 0) throw invalidRows('must have at least one row with one column')
  const seen = new Set<string>()
  for (const { name } of columns) {
    if (name.trim() === '' || name.length > MAX_COLUMN_NAME_CHARS || /[\p{Cc}\p{Cs}]/u.test(name))
      throw invalidRows(`has an invalid column name: ${JSON.stringify(name.slice(0, MAX_COLUMN_NAME_CHARS))}`)
    if (seen.has(name.toLowerCase()))
      throw invalidRows(`has the column ${name} twice: column names are case-insensitive`)
    seen.add(name.toLowerCase())
  }
  return table
}

/** The rows as JSON. Throws `invalid_request` when they are too large to store. */
function serializeRows({ rows }: DatasetTable): Buffer {
  const bytes = Buffer.from(JSON.stringify(rows))
  if (bytes.byteLength > MAX_DATASET_BYTES)
    throw invalidRows(`has ${bytes.byteLength} bytes; the maximum is ${MAX_DATASET_BYTES}`)
  return bytes
}

/** A table as it is stored. Throws `invalid_request` where its rows are too many bytes. */
export const packTable = (table: DatasetTable): PackedTable => ({
  columns: table.columns,
  rowCount: table.rows.length,
  packed: new Uint8Array(gzipSync(serializeRows(table))),
})

/** The rows of both tables, with the columns of both; missing values are empty. */
export function appendTable(first: DatasetTable, second: DatasetTable): DatasetTable {
  const columns = [...first.columns]
  for (const column of second.columns) {
    const at = columns.findIndex(({ name }) => name === column.name)
    const existing = columns[at]
    if (existing) columns[at] = { ...existing, type: mergeColumnTypes(existing.type, column.type) }
    else columns.push(column)
  }
  const indexOf = new Map(second.columns.map(({ name }, i) => [name, i]))
  const added = second.rows.map((row) =>
    columns.map(({ name }): TableCell => {
      const at = indexOf.get(name)
      return at === undefined ? null : (row[at] ?? null)
    }),
  )
  const existing = first.rows.map((row) => columns.map((_, i): TableCell => row[i] ?? null))
  return validateTable({ columns, rows: [...existing, ...added] })
}

/** Rows as objects, as callers get them. */
export const rowsAsObjects = ({ columns, rows }: DatasetTable): Record<string, TableCell>[] =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i] ?? null])))
