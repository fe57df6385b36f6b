// The worker thread that unpacks, changes and queries datasets.
import { gunzipSync, gzipSync } from 'node:zlib'
import { stringify } from 'csv-stringify/sync'
import { AppError } from '../../errors'
import { serveParser } from '../../kit/threads/serve-parser'
import type { DatasetResult, DatasetTask, PackedTable, TableInput } from './dataset-tasks'
import { runDatasetQuery } from './run-dataset-query'
import type { DatasetTable, TableCell } from './shape'
import { appendTable, rowsAsObjects, serializeRows, tableFromCsv, tableFromRows } from './table'

const pack = (table: DatasetTable): PackedTable => ({
  columns: table.columns,
  rowCount: table.rows.length,
  packed: new Uint8Array(gzipSync(serializeRows(table))),
})

const unpack = ({ columns, packed }: PackedTable): DatasetTable => ({
  columns,
  rows: JSON.parse(gunzipSync(packed).toString('utf8')) as TableCell[][],
})

const tableIn = (given: TableInput): DatasetTable =>
  'csv' in given ? tableFromCsv(given.csv) : tableFromRows(given.rows)

function textOf(table: DatasetTable, format: 'csv' | 'json'): Uint8Array {
  if (format === 'json') return Buffer.from(JSON.stringify(rowsAsObjects(table)))
  // A cell that begins like a formula would be run by a spreadsheet.
  return Buffer.from(stringify([table.columns.map((column) => column.name), ...table.rows], { escape_formulas: true }))
}

async function answer(task: DatasetTask): Promise<DatasetResult> {
  switch (task.kind) {
    case 'query':
      return runDatasetQuery(task)
    case 'pack':
      return { kind: 'table', table: pack(tableIn(task.given)) }
    case 'append':
      return { kind: 'table', table: pack(appendTable(unpack(task.to), tableIn(task.given))) }
    case 'export':
      return { kind: 'text', bytes: textOf(unpack(task.table), task.format) }
    default:
      return task satisfies never
  }
}

serveParser(async (task: DatasetTask): Promise<DatasetResult> => {
  try {
    return await answer(task)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const [issue] = (error.detail.issues ?? []) as { path: string; message: string }[]
    return { kind: 'refused', path: issue?.path ?? 'rows', message: issue?.message ?? error.message }
  }
})
