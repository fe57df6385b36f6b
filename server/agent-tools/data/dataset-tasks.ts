import type { Column, TableCell } from './shape'

/** A table as the database holds it: its rows are JSON under gzip, unpacked in threads only. */
export type PackedTable = { columns: Column[]; packed: Uint8Array; rowCount: number }

export type DatasetQueryTask = {
  kind: 'query'
  tables: (Pick<PackedTable, 'columns' | 'packed'> & { name: string })[]
  sql: string
  maxRows: number
  maxBytes: number
  maxHeapBytes: number
}

/** Rows as objects, or as CSV with a line of names. */
export type TableInput = { rows: readonly Record<string, unknown>[] } | { csv: string }

/** What the thread of datasets does. */
export type DatasetTask =
  | DatasetQueryTask
  | { kind: 'pack'; given: TableInput }
  | { kind: 'append'; to: PackedTable; given: TableInput }
  | { kind: 'export'; table: PackedTable; format: 'csv' | 'json' }

/** `refused`: the input is wrong, and what is wrong with it: `path` is the parameter. */
export type DatasetResult =
  | { kind: 'rows'; columns: string[]; rows: TableCell[][]; truncated: boolean }
  | { kind: 'table'; table: PackedTable }
  | { kind: 'text'; bytes: Uint8Array }
  | { kind: 'refused'; path: string; message: string }
