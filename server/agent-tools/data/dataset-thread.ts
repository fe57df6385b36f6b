// The worker thread that unpacks, changes and queries datasets.
import { gunzipSync } from 'node:zlib'
import { AppError } from '../../errors'
import { serveParser } from '../../kit/threads/serve-parser'
import { compareTables } from './compare-tables'
import { csvOf, zippedCsvOf } from './csv-file'
import type { DatasetResult, DatasetTask, PackedTable, TableInput } from './dataset-tasks'
import { rowsFromItems } from './rows-from-items'
import { runDatasetQuery } from './run-dataset-query'
import type { DatasetTable, TableCell } from './shape'
import { appendTable, packTable, rowsAsObjects, tableFromCsv, tableFromRows } from './table'
import { workbookOf } from './workbook'

const unpack = ({ columns, packed }: PackedTable): DatasetTable => ({
  columns,
  rows: JSON.parse(gunzipSync(packed).toString('utf8')) as TableCell[][],
})

function tableIn(given: TableInput): DatasetTable {
  if ('csv' in given) return tableFromCsv(given.csv)
  return tableFromRows('items' in given ? rowsFromItems(given.items) : given.rows)
}

function textOf(table: DatasetTable, { format, forPrograms }: Extract<DatasetTask, { kind: 'export' }>): Uint8Array {
  if (format === 'json') return Buffer.from(JSON.stringify(rowsAsObjects(table)))
  return csvOf(table, { forPrograms })
}

async function answer(task: DatasetTask): Promise<DatasetResult> {
  switch (task.kind) {
    case 'query':
      return runDatasetQuery(task)
    case 'pack':
      return { kind: 'table', table: packTable(tableIn(task.given)) }
    case 'append':
      return { kind: 'table', table: packTable(appendTable(unpack(task.to), tableIn(task.given))) }
    case 'export':
      return { kind: 'text', bytes: textOf(unpack(task.table), task) }
    case 'compare': {
      const after = task.given ? tableIn(task.given) : { columns: [], rows: [] }
      return { kind: 'compared', effect: compareTables(unpack(task.before), after) }
    }
    case 'download': {
      const table = unpack(task.table)
      return { kind: 'text', bytes: task.format === 'csv' ? zippedCsvOf(table) : workbookOf(table) }
    }
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
