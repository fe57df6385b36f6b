import { parse } from 'csv-parse/sync'
import { AppError, invalidRequest } from '../../errors'
import { sanitizeTextForPostgres } from '../../kit/sanitize-for-postgres'
import {
  type Column,
  type ColumnType,
  type DatasetTable,
  MAX_DATASET_BYTES,
  MAX_DATASET_COLUMNS,
  MAX_DATASET_ROWS,
  type TableCell,
} from './shape'

const NAME = 100

function cellOf(value: unknown): TableCell {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return sanitizeTextForPostgres(value)
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return sanitizeTextForPostgres(JSON.stringify(value))
}

function typeOf(value: unknown): ColumnType {
  if (value === undefined || value === null) return 'empty'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'json'
}

/** The type that holds both: mixed kinds are text, but whole numbers among others are numbers. */
export function mergeColumnTypes(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b || b === 'empty') return a
  if (a === 'empty') return b
  const both = new Set([a, b])
  return both.has('integer') && both.has('number') ? 'number' : 'text'
}

const wrong = (message: string) => invalidRequest([{ path: ['rows'], message }])

/** Rows given as objects, as a table whose columns are their keys in order of appearance. Throws `invalid_request`. */
export function tableFromRows(given: readonly Record<string, unknown>[]): DatasetTable {
  const types = new Map<string, ColumnType>()
  for (const row of given) {
    for (const [name, value] of Object.entries(row))
      types.set(name, mergeColumnTypes(types.get(name) ?? 'empty', typeOf(value)))
  }
  const columns = [...types].map(([name, type]): Column => ({ name, type }))
  return validateTable({ columns, rows: given.map((row) => columns.map(({ name }) => cellOf(row[name]))) })
}

/** A CSV text with a line of names, as a table; numbers and booleans are read as such. Throws `invalid_request`. */
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
    throw invalidRequest([{ path: ['csv'], message: `is no CSV with a line of names: ${(error as Error).message}` }])
  }
}

function readCell(text: string): TableCell {
  if (text === '') return null
  if (text === 'true' || text === 'false') return text === 'true'
  // Leading zeros and plus signs belong to texts such as codes and telephone numbers.
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,12})?$/.test(text) ? Number(text) : text
}

/** The same table, when it keeps within its bounds and its names can be told apart. Throws `invalid_request`. */
export function validateTable(table: DatasetTable): DatasetTable {
  const { columns, rows } = table
  if (rows.length > MAX_DATASET_ROWS) throw wrong(`has ${rows.length} rows; a dataset has ${MAX_DATASET_ROWS} at most`)
  if (columns.length > MAX_DATASET_COLUMNS)
    throw wrong(`has ${columns.length} columns; a dataset has ${MAX_DATASET_COLUMNS} at most`)
  if (columns.length === 0) throw wrong('must hold at least one row with one column')
  const seen = new Set<string>()
  for (const { name } of columns) {
    if (name.trim() === '' || name.length > NAME || /[\p{Cc}\p{Cs}]/u.test(name))
      throw wrong(`has the column name ${JSON.stringify(name.slice(0, NAME))}, which cannot be one`)
    if (seen.has(name.toLowerCase())) throw wrong(`has the column ${name} twice: capitals do not tell columns apart`)
    seen.add(name.toLowerCase())
  }
  return table
}

/** The rows as JSON. Throws `invalid_request` when they are too large to keep. */
export function serializeRows({ rows }: DatasetTable): Buffer {
  const bytes = Buffer.from(JSON.stringify(rows))
  if (bytes.byteLength > MAX_DATASET_BYTES)
    throw wrong(`has ${bytes.byteLength} bytes; a dataset has ${MAX_DATASET_BYTES} at most`)
  return bytes
}

/** Both tables one under the other; columns of either that the other lacks are empty there. */
export function appendTable(first: DatasetTable, second: DatasetTable): DatasetTable {
  const columns = [...first.columns]
  for (const column of second.columns) {
    const at = columns.findIndex(({ name }) => name === column.name)
    const there = columns[at]
    if (there) columns[at] = { ...there, type: mergeColumnTypes(there.type, column.type) }
    else columns.push(column)
  }
  const place = new Map(second.columns.map(({ name }, i) => [name, i]))
  const more = second.rows.map((row) =>
    columns.map(({ name }): TableCell => {
      const at = place.get(name)
      return at === undefined ? null : (row[at] ?? null)
    }),
  )
  const less = first.rows.map((row) => columns.map((_, i): TableCell => row[i] ?? null))
  return validateTable({ columns, rows: [...less, ...more] })
}

/** Rows as objects, as callers read them. */
export const rowsAsObjects = ({ columns, rows }: DatasetTable): Record<string, TableCell>[] =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i] ?? null])))
