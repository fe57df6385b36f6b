// The thread in which datasets are unpacked, changed and queried.
import { gunzipSync, gzipSync } from 'node:zlib'
import { stringify } from 'csv-stringify/sync'
import { isAppError } from '../../../errors'
import { serveParser } from '../../../kit/threads/serve-parser'
import type { DatasetAnswer, DatasetTask, GivenTable, PackedTable } from './dataset-tasks'
import { runQuery } from './run-query'
import type { Cell, Table } from './shape'
import { appended, asObjects, packed, tableOf, tableOfCsv } from './table'

const pack = (table: Table): PackedTable => ({
  columns: table.columns,
  rowCount: table.rows.length,
  packed: new Uint8Array(gzipSync(packed(table))),
})

const unpack = ({ columns, packed }: PackedTable): Table => ({
  columns,
  rows: JSON.parse(gunzipSync(packed).toString('utf8')) as Cell[][],
})

const tableIn = (given: GivenTable): Table => ('csv' in given ? tableOfCsv(given.csv) : tableOf(given.rows))

function textOf(table: Table, format: 'csv' | 'json'): Uint8Array {
  if (format === 'json') return Buffer.from(JSON.stringify(asObjects(table)))
  // A cell that begins like a formula would be run by a spreadsheet.
  return Buffer.from(stringify([table.columns.map((column) => column.name), ...table.rows], { escape_formulas: true }))
}

async function answer(task: DatasetTask): Promise<DatasetAnswer> {
  switch (task.kind) {
    case 'query':
      return runQuery(task)
    case 'pack':
      return { kind: 'table', table: pack(tableIn(task.given)) }
    case 'append':
      return { kind: 'table', table: pack(appended(unpack(task.to), tableIn(task.given))) }
    case 'export':
      return { kind: 'text', bytes: textOf(unpack(task.table), task.format) }
    default:
      return task satisfies never
  }
}

serveParser(async (task: DatasetTask): Promise<DatasetAnswer> => {
  try {
    return await answer(task)
  } catch (error) {
    if (!isAppError(error)) throw error
    const [issue] = (error.detail.issues ?? []) as { path: string; message: string }[]
    return { kind: 'refused', path: issue?.path ?? 'rows', message: issue?.message ?? error.message }
  }
})
