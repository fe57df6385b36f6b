import { parse } from 'csv-parse/sync'
import { AppError, invalidRequest } from '../../../errors'
import { storableText } from '../../../kit/storable'
import { type Cell, type Column, type ColumnType, MOST_BYTES, MOST_COLUMNS, MOST_ROWS, type Table } from './shape'

const NAME = 100

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return storableText(value)
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return storableText(JSON.stringify(value))
}

function typeOf(value: unknown): ColumnType {
  if (value === undefined || value === null) return 'empty'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'json'
}

/** The type that holds both: mixed kinds are text, but whole numbers among others are numbers. */
export function joinTypes(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b || b === 'empty') return a
  if (a === 'empty') return b
  const both = new Set([a, b])
  return both.has('integer') && both.has('number') ? 'number' : 'text'
}

const wrong = (message: string) => invalidRequest([{ path: ['rows'], message }])

/** Rows given as objects, as a table whose columns are their keys in order of appearance. Throws `invalid_request`. */
export function tableOf(given: readonly Record<string, unknown>[]): Table {
  const types = new Map<string, ColumnType>()
  for (const row of given) {
    for (const [name, value] of Object.entries(row))
      types.set(name, joinTypes(types.get(name) ?? 'empty', typeOf(value)))
  }
  const columns = [...types].map(([name, type]): Column => ({ name, type }))
  return checked({ columns, rows: given.map((row) => columns.map(({ name }) => cellOf(row[name]))) })
}

/** A CSV text with a line of names, as a table; numbers and booleans are read as such. Throws `invalid_request`. */
export function tableOfCsv(text: string): Table {
  try {
    const rows = parse(text, { bom: true, columns: true, skip_empty_lines: true, relax_column_count: false }) as Record<
      string,
      string
    >[]
    return tableOf(
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, readCell(cell)]))),
    )
  } catch (error) {
    if (error instanceof AppError) throw error
    throw invalidRequest([{ path: ['csv'], message: `is no CSV with a line of names: ${(error as Error).message}` }])
  }
}

function readCell(text: string): Cell {
  if (text === '') return null
  if (text === 'true' || text === 'false') return text === 'true'
  // Leading zeros and plus signs belong to texts such as codes and telephone numbers.
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,12})?$/.test(text) ? Number(text) : text
}

/** The same table, when it keeps within its bounds and its names can be told apart. Throws `invalid_request`. */
export function checked(table: Table): Table {
  const { columns, rows } = table
  if (rows.length > MOST_ROWS) throw wrong(`has ${rows.length} rows; a dataset has ${MOST_ROWS} at most`)
  if (columns.length > MOST_COLUMNS) throw wrong(`has ${columns.length} columns; a dataset has ${MOST_COLUMNS} at most`)
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
export function packed({ rows }: Table): Buffer {
  const bytes = Buffer.from(JSON.stringify(rows))
  if (bytes.byteLength > MOST_BYTES) throw wrong(`has ${bytes.byteLength} bytes; a dataset has ${MOST_BYTES} at most`)
  return bytes
}

/** Both tables one under the other; columns of either that the other lacks are empty there. */
export function appended(first: Table, second: Table): Table {
  const columns = [...first.columns]
  for (const column of second.columns) {
    const at = columns.findIndex(({ name }) => name === column.name)
    const there = columns[at]
    if (there) columns[at] = { ...there, type: joinTypes(there.type, column.type) }
    else columns.push(column)
  }
  const place = new Map(second.columns.map(({ name }, i) => [name, i]))
  const more = second.rows.map((row) =>
    columns.map(({ name }): Cell => {
      const at = place.get(name)
      return at === undefined ? null : (row[at] ?? null)
    }),
  )
  const less = first.rows.map((row) => columns.map((_, i): Cell => row[i] ?? null))
  return checked({ columns, rows: [...less, ...more] })
}

/** Rows as objects, as callers read them. */
export const asObjects = ({ columns, rows }: Table): Record<string, Cell>[] =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i] ?? null])))
