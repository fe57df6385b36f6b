import type { Effect } from '../../tools/shape'
import type { Column, DownloadFormat, TableCell } from './shape'

/** A table as it is stored: its rows are gzipped JSON, which only threads unpack. */
export type PackedTable = { columns: Column[]; packed: Uint8Array; rowCount: number }

export type DatasetQueryTask = {
  kind: 'query'
  tables: (Pick<PackedTable, 'columns' | 'packed'> & { name: string })[]
  sql: string
  maxRows: number
  maxBytes: number
  maxHeapBytes: number
}

/** Rows as objects, as CSV with a header line, or as items of any kind. */
export type TableInput = { rows: readonly Record<string, unknown>[] } | { csv: string } | { items: readonly unknown[] }

/** The tasks of the dataset thread. */
export type DatasetTask =
  | DatasetQueryTask
  | { kind: 'pack'; given: TableInput }
  | { kind: 'append'; to: PackedTable; given: TableInput }
  /** `forPrograms`: no spreadsheet reads it, so texts stay as they are. */
  | { kind: 'export'; table: PackedTable; format: 'csv' | 'json'; forPrograms: boolean }
  | { kind: 'compare'; before: PackedTable; given: TableInput | null }
  | { kind: 'download'; table: PackedTable; format: DownloadFormat }

/** `refused`: the input is invalid; `path` names the parameter. */
export type DatasetResult =
  | { kind: 'rows'; columns: string[]; rows: TableCell[][]; truncated: boolean }
  | { kind: 'table'; table: PackedTable }
  | { kind: 'text'; bytes: Uint8Array }
  | { kind: 'compared'; effect: Extract<Effect, { kind: 'rows' }> }
  | { kind: 'refused'; path: string; message: string }
